import { PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface SignDialogProps {
  /** The statement that the person signs. */
  readonly statement: string
  /** Sends the password only in a request body; the server verifies it anew. */
  readonly onSign: (password: string) => Promise<Result<unknown, ApiError>>
  readonly onClose: () => void
}

/** Asks for the sign-in password before a signature (specification §5). Closing the dialog signs nothing. */
export function SignDialog({ statement, onSign, onClose }: SignDialogProps) {
  const { t } = useTranslation('versions')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const sign = () => {
    setTried(true)
    return password === '' ? null : onSign(password)
  }
  return (
    <SubmitDialog title={t('approve.signTitle')} submit={t('approve.sign')} onClose={onClose} onSubmit={sign}>
      <Text>{t('approve.signText')}</Text>
      <Text fw={600}>{statement}</Text>
      <PasswordInput
        data-autofocus
        size="md"
        withAsterisk
        maxLength={400}
        autoComplete="current-password"
        label={t('approve.password')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={tried && password === '' ? t('approve.required') : null}
      />
    </SubmitDialog>
  )
}
