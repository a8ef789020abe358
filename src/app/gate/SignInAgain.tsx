import { Anchor, Button, Dialog, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { Captcha } from '#src/screens/login/Captcha.tsx'
import { useCaptcha } from '#src/screens/login/useCaptcha.ts'
import { useSignInFailure } from '#src/screens/login/useSignInFailure.ts'
import type { SessionState } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'

/**
 * Covers whatever is open when the sign-in has ended and the server is there: entry goes on beneath it, and is kept on
 * this device. A colleague may sign in here too; then what is open closes first.
 */
export function SignInAgain({ session }: { readonly session: Extract<SessionState, { state: 'open' }> }) {
  const { t } = useTranslation(['shell', 'login'])
  const failureText = useSignInFailure()
  const title = useId()
  const { reachable } = useSession()
  const { other, setOther, account, password, setPassword, touched, busy, error, captcha, submit, turn } = useSigningIn(
    session.user.account,
  )
  // The end of a project's or center's membership does not end the session.
  const ended = session.ended === 'membership_ended' || session.ended === 'center_withdrawn' ? null : session.ended
  return (
    // Not the browser's own dialog: this one is not modal, and what is beneath it goes on.
    <Dialog
      opened={!session.online && reachable === true}
      position={{ top: 72, right: 16 }}
      size="lg"
      shadow="md"
      withBorder
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="dialog"
      aria-labelledby={title}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Stack gap="sm">
          <Text id={title} fw={600}>
            {t(ended === null ? 'signInAgain.title' : `signInAgain.ended.${ended}.title`)}
          </Text>
          <Text size="sm">
            {other === null
              ? t(ended === null ? 'signInAgain.text' : `signInAgain.ended.${ended}.text`)
              : t('signInAgain.otherText')}
          </Text>
          {error !== null && (
            <Note tone="error" live>
              {failureText(error)}
            </Note>
          )}
          {other !== null && (
            <TextInput
              size="md"
              label={t('signInAgain.account')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
              value={other}
              onChange={(event) => setOther(event.currentTarget.value)}
            />
          )}
          <PasswordInput
            size="md"
            label={other === null ? `${t('login:password')} (${account})` : t('login:password')}
            autoComplete="current-password"
            maxLength={400}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Captcha task={captcha} missing={touched && captcha.isOpen} />
          <Group justify="space-between">
            <Anchor component="button" type="button" size="sm" mih={44} onClick={turn}>
              {t(other === null ? 'signInAgain.other' : 'signInAgain.same')}
            </Anchor>
            <Button type="submit" size="md" loading={busy || captcha.working === 'busy'} disabled={password === ''}>
              {t('signInAgain.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Signs in the user who was here, or a colleague in their place. */
function useSigningIn(known: string) {
  const { signIn } = useSession()
  /** What a colleague types as account; null while the same person's password is asked for. */
  const [other, setOther] = useState<string | null>(null)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [touched, setTouched] = useState(false)
  const captcha = useCaptcha(setError)
  const account = other ?? known
  const submit = async () => {
    setTouched(true)
    if (account.trim() === '' || password === '' || captcha.isOpen) return
    setBusy(true)
    const result = await signIn({ account: account.trim(), password, captcha: captcha.answer })
    setBusy(false)
    setPassword('')
    setTouched(false)
    setError(result.ok ? null : result.error)
    if (!result.ok) await captcha.follow(result.error)
  }
  const turn = () => {
    setOther(other === null ? '' : null)
    setPassword('')
    setError(null)
  }
  return { other, setOther, account, password, setPassword, touched, busy, error, captcha, submit, turn }
}
