import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOutletContext, useSearchParams } from 'react-router-dom'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { DefinePart } from './define/DefinePart.tsx'
import classes from './export.module.css'
import { editedSets, useEdited } from './exportDraft.ts'
import { RunsPart } from './runs/RunsPart.tsx'

const PARTS = ['define', 'runs'] as const

/**
 * Clinical data as they leave: data sets, what they hold, a look at their first rows, and the history of exports. Where
 * the right ends while something is edited, it stays to be read.
 */
export function ExportScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('dataExport')
  const { current, reachable } = useSession()
  const [address, setAddress] = useSearchParams()
  const userId = current.state === 'open' ? current.user.userId : ''
  const edited = editedSets(useEdited(), userId, project.id)
  const isEnded = !project.permissions.includes('export')
  if (isEnded && edited.length === 0) return <NoAccess />
  const part = PARTS.find((one) => one === address.get('part')) ?? 'define'
  const choose = (next: string | null) => setAddress(next === 'runs' ? { part: 'runs' } : {})
  return (
    // Said where the intro is: a note of its own would push everything down when the network goes.
    <PageFrame title={t('title')} intro={t(reachable === false && !isEnded ? 'offline' : 'intro')} wide>
      {isEnded && (
        <Note tone="error" title={t('ended.title')} live>
          {t('ended.text')}
        </Note>
      )}
      <Tabs value={part} onChange={choose} keepMounted={false} classNames={{ list: classes.tabs ?? '' }}>
        <Tabs.List aria-label={t('parts.title')}>
          {PARTS.map((one) => (
            <Tabs.Tab key={one} value={one} className={classes.tab}>
              {t(`parts.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} className={classes.part}>
          {part === 'define' ? (
            <DefinePart project={project} userId={userId} edited={edited} isEnded={isEnded} />
          ) : (
            <RunsPart project={project} userId={userId} />
          )}
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}
