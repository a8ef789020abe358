import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOutletContext } from 'react-router-dom'
import type { InboxRow } from '#core/api/sync/rows.ts'
import { inboxStates } from '#core/api/sync/rows.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { useServerQuery } from '#src/data/server.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { EmptyInbox } from '#src/ui/illustrations/EmptyInbox.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame } from '#src/ui/PageFrame.tsx'
import { Pages } from '#src/ui/lists/Pages.tsx'

import { InboxDrawer } from './InboxDrawer.tsx'
import type { DecisionEnd } from './InboxDrawer.tsx'
import { InboxTable } from './InboxTable.tsx'
import classes from './inbox.module.css'

const PAGE_SIZE = 20

/** The operations that the server has received and a data manager has to decide. */
export function InboxScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  const { t } = useTranslation('inbox')
  const [state, setState] = useState<InboxRow['state']>('open')
  const [current, setCurrent] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  const [done, setDone] = useState<DecisionEnd | null>(null)
  const lines = useServerQuery('sync.inbox', {
    query: { projectId: project.id, state, current, size: PAGE_SIZE },
    projectId: project.id,
  })
  const show = (next: InboxRow['state']) => {
    setState(next)
    setCurrent(1)
    setDone(null)
  }
  return (
    <PageFrame title={t('title')} intro={t('intro')}>
      <SegmentedControl
        className={classes.tabs ?? ''}
        aria-label={t('tabsLabel')}
        value={state}
        onChange={(value) => show(inboxStates.find((one) => one === value) ?? 'open')}
        data={inboxStates.map((one) => ({ value: one, label: <TabLabel projectId={project.id} state={one} /> }))}
      />
      {done !== null && (
        <Note tone="done" live>
          {t(`decide.${done}`)}
        </Note>
      )}
      <Loaded of={lines} rows={6}>
        {({ records, pages, total }) =>
          records.length === 0 ? (
            <EmptyState icon={<EmptyInbox />} title={t(`empty.${state}.title`)} text={t(`empty.${state}.text`)} />
          ) : (
            <>
              <InboxTable state={state} lines={records} onOpen={setOpened} />
              <Pages pages={pages} total={total} current={current} onChange={setCurrent} />
            </>
          )
        }
      </Loaded>
      {opened !== null && (
        <InboxDrawer key={opened} id={opened} project={project} onClose={() => setOpened(null)} onDone={setDone} />
      )}
    </PageFrame>
  )
}

/** The name of a state, and how many operations are in it as soon as that is known. */
function TabLabel({ projectId, state }: { readonly projectId: string; readonly state: InboxRow['state'] }) {
  const { t } = useTranslation('inbox')
  const first = useServerQuery('sync.inbox', { query: { projectId, state, current: 1, size: 1 }, projectId })
  return (
    <span className={classes.tab}>
      <span>{t(`tabs.${state}`)}</span>
      <span className={classes.tabCount}>{first.state === 'ready' ? first.value.total : ''}</span>
    </span>
  )
}
