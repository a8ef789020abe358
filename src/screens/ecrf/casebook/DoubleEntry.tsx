import { Checkbox, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { useServerAction } from '#src/data/server.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { diffPath } from '#src/paths/screenPaths.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { Note } from '#src/ui/Note.tsx'

/** The way to the comparison of the two passes; null for users who may not compare. */
export function comparisonPath({ project, patient }: Casebook): string | null {
  return project.config.isDouble === 1 && project.permissions.includes('double_merge')
    ? diffPath(project.id, patient.id)
    : null
}

/** Where the second pass stands, for those who enter it; null where there is none to speak of. */
export function secondPassState(book: Casebook): 'open' | 'merged' | null {
  if (book.project.config.isDouble !== 1 || comparisonPath(book) !== null) return null
  const state = book.patient.secondPass ?? 'none'
  return state === 'none' ? null : state
}

/** Whether the user may open the second pass now. */
export function mayOpenSecondPass(book: Casebook): boolean {
  const { project, patient } = book
  return (
    project.config.isDouble === 1 &&
    comparisonPath(book) === null &&
    (patient.secondPass ?? 'none') === 'none' &&
    project.permissions.includes('double_entry') &&
    project.projectStatus === 'process'
  )
}

interface OpenSecondPassProps {
  readonly book: Casebook
  readonly onClose: () => void
}

/** Opens a second pass. Only the server can do that; without a network the dialog says that it is not possible now. */
export function OpenSecondPass({ book: { project, patient, folders }, onClose }: OpenSecondPassProps) {
  const { t } = useTranslation('ecrf')
  const act = useServerAction()
  const [reason, setReason] = useState('')
  const [sure, setSure] = useState(false)
  const pages = folders.flatMap((folder) => folder.pages)
  const submitted = pages.filter(({ status }) => status === SUBMITTED).length
  // A second pass of a patient whose first pass is not finished is usually a mistake: the dialog asks twice.
  const isEarly = submitted < pages.length
  return (
    <SubmitDialog
      title={t('casebook.secondPass.title')}
      submit={t('casebook.secondPass.submit')}
      onClose={onClose}
      onSubmit={() =>
        isEarly && !sure
          ? null
          : act('double.create', {
              body: {
                patientId: patient.id,
                doubleSeqNo: 2,
                ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
              },
              projectId: project.id,
            })
      }
    >
      <Text>{t('casebook.secondPass.text')}</Text>
      {isEarly && (
        <>
          <Note tone="warning">{t('casebook.secondPass.early', { submitted, total: pages.length })}</Note>
          <Checkbox
            size="md"
            label={t('casebook.secondPass.sure')}
            checked={sure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
        </>
      )}
      <Textarea
        data-autofocus
        size="md"
        label={t('casebook.secondPass.reason')}
        rows={2}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </SubmitDialog>
  )
}
