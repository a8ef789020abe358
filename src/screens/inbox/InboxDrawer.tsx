import { Drawer, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '#core/api/call.ts'
import type { InboxDetail } from '#core/api/calls/sync.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { useVersion } from '#src/data/hooks/projects.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useCallName } from '#src/ui/words/callName.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'
import { useNames } from '#src/ui/words/useNames.ts'

import { InboxItems } from './InboxItems.tsx'
import classes from './inbox.module.css'

/** What came of a decision, as the texts name it. */
export type DecisionEnd = 'released' | 'releasedConflict' | 'releasedHeld' | 'stillOpen' | 'returned'

interface InboxDrawerProps {
  readonly id: string
  readonly project: ProjectRow
  readonly onClose: () => void
  /** Called with what came of the decision. */
  readonly onDone: (end: DecisionEnd) => void
}

/** One operation in the inbox: its author and time, why it is here, what it would change, and the decision. */
export function InboxDrawer({ id, project, onClose, onDone }: InboxDrawerProps) {
  const { t } = useTranslation(['inbox', 'common'])
  const detail = useServerQuery('sync.inboxDetail', {
    params: { id },
    query: { projectId: project.id },
    projectId: project.id,
  })
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(720px, 100vw)"
      title={t('detail.title')}
      closeButtonProps={{ 'aria-label': t('common:action.close'), size: 44, iconSize: 20 }}
    >
      <Loaded of={detail} rows={6}>
        {(loaded) => (
          <Stack>
            <Facts detail={loaded} project={project} />
            <section>
              <h3 className={classes.heading}>{t('detail.items')}</h3>
              <InboxItems detail={loaded} projectId={project.id} />
            </section>
            {loaded.line.state === 'open' && (
              <Decision
                detail={loaded}
                projectId={project.id}
                onDone={(end) => {
                  onDone(end)
                  onClose()
                }}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Drawer>
  )
}

function Facts({
  detail: { line, folderId, pass },
  project,
}: {
  readonly detail: InboxDetail
  readonly project: ProjectRow
}) {
  const names = useNames()
  const { t } = useTranslation(['inbox', 'status'])
  const callName = useCallName()
  const version = useVersion(project.id)
  const folders = version.state === 'ready' ? version.value.folders : []
  const folder = folders.find(({ id }) => id === folderId)
  const { decidedAt, decidedByName, note } = line
  return (
    <FactList
      facts={[
        [t('columns.patient'), line.patientNo],
        [t('detail.center'), line.centerName],
        ...(project.config.isDouble === 1 && line.pageName !== null
          ? [[t('detail.pass'), t(pass === 2 ? 'status:pass.2' : 'status:pass.1')] as const]
          : []),
        [
          t('detail.call'),
          [folder === undefined ? null : names.visit(folder), names.page(line), callName(line.call)]
            .filter(Boolean)
            .join(' · '),
        ],
        [t('columns.author'), line.authorName],
        [t('detail.acted'), fullTime(line.actedAt)],
        [t('detail.received'), fullTime(line.receivedAt)],
        [t('columns.reason'), t(`reason.${line.reason}`)],
        ...(decidedAt === null
          ? []
          : ([
              [t('detail.decidedBy'), [decidedByName, fullTime(decidedAt)].filter(Boolean).join(' · ')],
              [t('detail.note'), note],
            ] as const)),
      ]}
    />
  )
}

interface DecisionProps {
  readonly detail: InboxDetail
  readonly projectId: string
  readonly onDone: (end: DecisionEnd) => void
}

/** Releases or returns the operation, with a reason that its author can read. */
function Decision({ detail: { line, barred }, projectId, onDone }: DecisionProps) {
  const { t } = useTranslation('inbox')
  const errorText = useErrorText()
  const act = useServerAction()
  const [note, setNote] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState<'release' | 'return' | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const missing = note.trim() === ''

  const decide = async (decision: 'release' | 'return') => {
    setTried(true)
    if (missing || busy !== null) return
    setBusy(decision)
    const result = await act('sync.inboxDecide', {
      params: { id: line.id },
      body: { projectId, decision, note: note.trim() },
      projectId,
    })
    setBusy(null)
    if (result.ok) onDone(outcomeOf(result.value))
    else setError(result.error)
  }
  return (
    <Stack>
      {barred !== null && (
        <Note tone="warning" title={t('barred.title')}>
          {t(`barred.${barred}`)}
        </Note>
      )}
      {error !== null && (
        <Note tone="error" live>
          {error.code === 'transition_refused' ? t('decide.refused') : errorText(error)}
        </Note>
      )}
      {barred !== 'own' && barred !== 'forbidden' && (
        <>
          <Textarea
            size="md"
            required
            label={t('decide.note')}
            placeholder={t('decide.noteHint')}
            maxLength={2000}
            rows={2}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            error={tried && missing ? t('decide.required') : null}
          />
          <Group justify="flex-end">
            <ServerButton size="md" variant="default" loading={busy === 'return'} onClick={() => void decide('return')}>
              {t('decide.return')}
            </ServerButton>
            {barred === null && (
              <ServerButton size="md" loading={busy === 'release'} onClick={() => void decide('release')}>
                {t('decide.release')}
              </ServerButton>
            )}
          </Group>
        </>
      )}
    </Stack>
  )
}

type Decided = DataOf<CallOf<'sync.inboxDecide'>>

/** The result of the decision, by the key of its words. */
function outcomeOf({ state, outcome }: Decided): DecisionEnd {
  if (state === 'returned') return 'returned'
  if (state === 'open' || outcome === 'inbox') return 'stillOpen'
  if (outcome === 'held') return 'releasedHeld'
  return outcome === 'conflict' ? 'releasedConflict' : 'released'
}
