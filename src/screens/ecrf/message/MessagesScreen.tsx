import { Button, Stack } from '@mantine/core'
import { IconMessage2, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageKind, PatientMessage } from '#core/api/patientMessage.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { ProjectBanner } from '#src/frame/shell/ProjectBanner.tsx'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PushDialog } from '#src/ui/dialogs/PushDialog.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

import ecrf from '../ecrf.module.css'
import { PatientPart } from '../PatientPart.tsx'
import { MessageCard } from './MessageCard.tsx'
import classes from './message.module.css'

/** How often the screen asks for the state of messages that wait, in milliseconds. */
const LOOK_AGAIN_MS = 4000

const lookAgain = (messages: readonly PatientMessage[]): number | null =>
  messages.some(({ state }) => state === 'waiting') ? LOOK_AGAIN_MS : null

/** Messages to a patient: the words, the author and the state of each. */
export function MessagesScreen() {
  const { t } = useTranslation('message')
  return (
    <PatientPart title={t('title')} right={null}>
      {(book) => <OfPatient book={book} />}
    </PatientPart>
  )
}

function OfPatient({ book: { project, patient } }: { readonly book: Casebook }) {
  const { t } = useTranslation('message')
  const found = useServerQuery('entry.notice', { params: { id: patient.id }, projectId: project.id }, '', lookAgain)
  const mayWrite =
    project.permissions.includes('patient_edit') && project.projectStatus === 'process' && !patient.deleted
  const isWaiting = found.state === 'ready' && lookAgain(found.value) !== null
  const [draft, setDraft] = useState<Partial<Pick<PatientMessage, 'kind' | 'content'>> | null>(null)
  const open = mayWrite ? setDraft : null
  return (
    <Stack gap="md">
      <ProjectBanner project={project} />
      {isWaiting && project.projectStatus !== 'process' && <Note tone="info">{t('paused')}</Note>}
      {mayWrite && <Write projectId={project.id} patient={patient} draft={draft} setDraft={setDraft} />}
      <Loaded of={found} rows={4}>
        {(messages) =>
          messages.length === 0 ? (
            <EmptyState
              icon={<IconMessage2 size={44} stroke={1.4} />}
              title={t('empty.title')}
              text={t('empty.text')}
            />
          ) : (
            <ul className={classes.messages} aria-label={t('title')}>
              {messages.map((message) => (
                <li key={message.id}>
                  <MessageCard message={message} onAgain={open} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Stack>
  )
}

interface WriteProps {
  readonly projectId: string
  readonly patient: Casebook['patient']
  /** What the message that is being written began with; null while none is written. */
  readonly draft: Partial<Pick<PatientMessage, 'kind' | 'content'>> | null
  readonly setDraft: (draft: Partial<Pick<PatientMessage, 'kind' | 'content'>> | null) => void
}

/** The button that writes a message, where the operator has set up any kind. */
function Write({ projectId, patient, draft, setDraft }: WriteProps) {
  const { t } = useTranslation('message')
  const label = usePatientLabel()
  const act = useServerAction()
  const needsServer = useNeedsServer()
  const found = useServerQuery('patient.noticeWays', { body: { projectId, patientIds: [patient.id] } })
  if (found.state !== 'ready') return null
  const { ways, without } = found.value
  if (ways.length === 0) return <Note tone="info">{t('noWay')}</Note>
  const unreachable = (['note', 'email'] satisfies MessageKind[]).filter((kind) => without[kind].includes(patient.id))
  return (
    <>
      <Button
        size="md"
        className={ecrf.goOn}
        leftSection={<IconSend size={18} aria-hidden="true" />}
        disabled={needsServer !== null}
        onClick={() => setDraft({})}
      >
        {needsServer ?? t('send')}
      </Button>
      {draft !== null && (
        <PushDialog
          ways={ways}
          recipients={[
            {
              id: patient.id,
              name: [label(patient), patient.identity?.name ?? patient.initials].filter(Boolean).join(' · '),
              unreachable,
            },
          ]}
          {...(draft.kind === undefined ? {} : { kind: draft.kind })}
          content={draft.content ?? ''}
          onSend={({ kind, content, recipientIds }) =>
            act('patient.sendNotice', { body: { projectId, pushType: kind, content, patientIds: [...recipientIds] } })
          }
          onClose={() => setDraft(null)}
        />
      )}
    </>
  )
}
