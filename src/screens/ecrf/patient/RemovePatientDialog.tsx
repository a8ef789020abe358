import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { err, ok } from '#core/result.ts'
import type { PatientView } from '#src/data/shapes/types.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { usePatientLabel } from '#src/ui/words/patientLabel.ts'

interface RemovePatientDialogProps {
  readonly projectId: string
  readonly patient: PatientView
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Takes a patient away, with the reason. */
export function RemovePatientDialog({ projectId, patient, onRemoved, onClose }: RemovePatientDialogProps) {
  const { t } = useTranslation('patients')
  const label = usePatientLabel()
  const { removePatient } = useDataActions()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const remove = async () => {
    const done = await removePatient(projectId, patient.id, { code: 'other', text: reason.trim() })
    if (!done.ok) return err(done.error)
    onRemoved()
    return ok(true)
  }
  const submit = () => {
    setTried(true)
    return reason.trim() === '' ? null : remove()
  }
  return (
    <SubmitDialog title={t('remove.title')} submit={t('remove.submit')} onSubmit={submit} onClose={onClose}>
      <Text>{t('remove.text', { no: label(patient) })}</Text>
      <Textarea
        size="md"
        rows={3}
        maxLength={1000}
        required
        data-autofocus
        label={t('remove.reason')}
        value={reason}
        error={tried && reason.trim() === '' ? t('remove.required') : null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </SubmitDialog>
  )
}
