import { Button, Group, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOST_UAT_SUBJECTS } from '#core/study/uat.ts'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { subjectName } from './subjectName.ts'

interface UatToolsProps {
  readonly projectId: string
  readonly crfId: string
  readonly testers: readonly { readonly id: string; readonly name: string }[]
  readonly testerId: string
  readonly subjects: readonly number[]
  readonly subject: number
  readonly mayWrite: boolean
  readonly onTester: (id: string) => void
  readonly onSubject: (subject: number) => void
}

/** The choice of the tester whose test entries are shown, and of the test subject. */
export function UatTools({
  projectId,
  crfId,
  testers,
  testerId,
  subjects,
  subject,
  mayWrite,
  onTester,
  onSubject,
}: UatToolsProps) {
  const { t } = useTranslation('uat')
  const errorText = useErrorText()
  const [isAsking, setAsking] = useState(false)
  const { clear, error } = useClear(projectId, crfId, subject)
  return (
    <>
      <Group align="flex-end" gap="sm" mb="sm">
        {testers.length > 1 && (
          <Select
            size="md"
            label={t('tester')}
            allowDeselect={false}
            data={testers.map(({ id, name }) => ({ value: id, label: name }))}
            value={testerId}
            onChange={(id) => onTester(id ?? testerId)}
          />
        )}
        <Select
          size="md"
          w={180}
          label={t('subject')}
          allowDeselect={false}
          data={subjects.map((no) => ({ value: String(no), label: subjectName(t, no) }))}
          value={String(subject)}
          onChange={(no) => onSubject(no === null ? subject : Number(no))}
        />
        {mayWrite && <SubjectButtons subjects={subjects} onSubject={onSubject} onClear={() => setAsking(true)} />}
      </Group>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      {isAsking && (
        <ConfirmDialog
          opened
          danger
          title={t('clear.title', { subject: subjectName(t, subject) })}
          text={t('clear.text')}
          submit={t('clear.submit')}
          onConfirm={async () => {
            await clear()
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** Empties a test subject, at the server and on this device. */
function useClear(projectId: string, crfId: string, subject: number) {
  const act = useServerAction()
  const { keepUat } = useDataActions()
  const [error, setError] = useState<ApiError | null>(null)
  const clear = async () => {
    const result = await act('trial.clear', { query: { crfId }, body: { subject }, projectId })
    if (result.ok) await keepUat(crfId, { subject, pages: [] })
    setError(result.ok ? null : result.error)
    // Reloads, so that the screen begins with nothing.
    if (result.ok) window.location.reload()
  }
  return { clear, error }
}

interface SubjectButtonsProps {
  readonly subjects: readonly number[]
  readonly onSubject: (subject: number) => void
  readonly onClear: () => void
}

/** Begins the next free test subject, or empties the present one. */
function SubjectButtons({ subjects, onSubject, onClear }: SubjectButtonsProps) {
  const { t } = useTranslation('uat')
  const next = Array.from({ length: MOST_UAT_SUBJECTS }, (_, at) => at + 1).find((no) => !subjects.includes(no))
  return (
    <>
      <Button
        size="md"
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden="true" />}
        disabled={next === undefined}
        onClick={() => next !== undefined && onSubject(next)}
      >
        {t('newSubject')}
      </Button>
      <Button size="md" variant="default" leftSection={<IconTrash size={18} aria-hidden="true" />} onClick={onClear}>
        {t('clear.open')}
      </Button>
    </>
  )
}
