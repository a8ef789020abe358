import { Button, Dialog, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { SessionState } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/errorText.ts'

/**
 * Lies over whatever is open when the sign-in has ended and the server is there: entry goes on beneath it, and is kept on this device
 * (DESIGN §3, 401).
 */
export function SignInAgain({ session }: { readonly session: Extract<SessionState, { state: 'open' }> }) {
  const { t } = useTranslation(['shell', 'login'])
  const errorText = useErrorText()
  const { signIn, reachable } = useSession()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const submit = async () => {
    setBusy(true)
    const result = await signIn({ account: session.user.account, password, captcha: null })
    setBusy(false)
    setPassword('')
    setError(result.ok ? null : result.error)
  }
  return (
    <Dialog opened={!session.online && reachable === true} position={{ top: 72, right: 16 }} size="lg" shadow="md" withBorder>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack gap="sm">
          <Text fw={600}>{t('signInAgain.title')}</Text>
          <Text size="sm">{t('signInAgain.text')}</Text>
          {error !== null && (
            <Note tone="error" live>
              {errorText(error)}
            </Note>
          )}
          <PasswordInput
            size="md"
            label={`${t('login:password')} (${session.user.account})`}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" size="md" loading={busy} disabled={password === ''}>
              {t('signInAgain.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
