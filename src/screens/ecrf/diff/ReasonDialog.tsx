import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface ReasonDialogProps {
  readonly words: 'ignore' | 'destroy'
  readonly onSubmit: (reason: string) => Promise<Result<unknown, ApiError>>
  readonly onClose: () => void
}

/** Something that needs a reason in words. */
export function ReasonDialog({ words, onSubmit, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('diff')
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const submit = () => {
    setTried(true)
    return reason.trim() === '' ? null : onSubmit(reason.trim())
  }
  return (
    <SubmitDialog title={t(`${words}.title`)} submit={t(`${words}.submit`)} onSubmit={submit} onClose={onClose}>
      <Text>{t(`${words}.text`)}</Text>
      <Textarea
        data-autofocus
        size="md"
        label={t(`${words}.reason`)}
        rows={2}
        maxLength={1000}
        withAsterisk
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={tried && reason.trim() === '' ? t('destroy.required') : null}
      />
    </SubmitDialog>
  )
}
