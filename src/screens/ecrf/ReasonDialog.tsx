import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { err, ok } from '#core/result.ts'
import type { ChangeReason } from '#core/sync/entryChange.ts'
import type { LocalWrite } from '#src/data/shapes/types.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface ReasonDialogProps {
  readonly title: string
  readonly text: string
  readonly submit: string
  readonly onSubmit: (reason: ChangeReason) => Promise<LocalWrite>
  readonly onClose: () => void
}

/** Asks for the reason of a removal, and then removes. */
export function ReasonDialog({ title, text, submit, onSubmit, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('visits')
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const send = () => {
    setMissing(reason.trim() === '')
    if (reason.trim() === '') return null
    return onSubmit({ code: 'other', text: reason.trim() }).then((done) => (done.ok ? ok(true) : err(done.error)))
  }
  return (
    <SubmitDialog title={title} submit={submit} onSubmit={send} onClose={onClose}>
      <Text>{text}</Text>
      <Textarea
        size="md"
        rows={3}
        maxLength={1000}
        label={t('dialog.reason')}
        required
        value={reason}
        error={missing ? t('dialog.required') : null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </SubmitDialog>
  )
}
