import { Button, Group, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useSession } from '#src/session/useSession.ts'
import { useErrorText } from '#src/ui/words/errorText.ts'

/**
 * Asks for the sign-in password where something needs the keys of this device, which are not open after a reload. The
 * waiting action then goes on; the page stays as it is.
 */
export function AskPassword({ submit, onOpened }: { readonly submit: string; readonly onOpened?: () => void }) {
  const { t } = useTranslation('login')
  const { current, unlock } = useSession()
  const errorText = useErrorText()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  if (current.state !== 'open') return null
  const { account } = current.user
  const open = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password === '') return
    setBusy(true)
    const opened = await unlock(password, account)
    setBusy(false)
    setPassword('')
    setError(opened.ok ? null : opened.error)
    if (opened.ok) onOpened?.()
  }
  return (
    <form onSubmit={(event) => void open(event)} noValidate>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <Group align="flex-end" gap="sm" mt="xs">
        <PasswordInput
          size="md"
          w={280}
          label={`${t('password')} (${account})`}
          autoComplete="current-password"
          maxLength={400}
          value={password}
          error={error === null ? null : errorText(error)}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={busy} disabled={password === ''}>
          {submit}
        </Button>
      </Group>
    </form>
  )
}
