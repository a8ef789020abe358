import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { KnownUser } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/errorText.ts'

import { PublicFrame } from './PublicFrame.tsx'
import classes from './login.module.css'

/** There is one thing to do here: whoever comes back can type at once. */
function focusOnArrival(input: HTMLInputElement | null): void {
  input?.focus()
}

/** Opens the device again for who was at work, over the address where they were. Works without a network. */
export function UnlockScreen({ user }: { readonly user: KnownUser }) {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  const { unlock, signOut } = useSession()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password === '') return
    setBusy(true)
    const result = await unlock(password, user.account)
    setBusy(false)
    setPassword('')
    setError(result.ok ? null : result.error)
  }
  return (
    <PublicFrame>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <h1 className={classes.title}>{t('unlock.title')}</h1>
          <p className={classes.lead}>{t('unlock.text')}</p>
          {error !== null && (
            <Note tone="error" live>
              {error.code === 'password_wrong' || error.code === 'invalid_credentials' ? t('unlock.failed') : errorText(error)}
            </Note>
          )}
          <p className={classes.lead}>
            {t('unlock.who')}: <strong>{user.account}</strong>
          </p>
          <input type="text" name="username" autoComplete="username" value={user.account} readOnly hidden />
          <PasswordInput
            size="md"
            label={t('password')}
            name="password"
            autoComplete="current-password"
            ref={focusOnArrival}
            maxLength={400}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" size="lg" loading={busy}>
            {t('unlock.submit')}
          </Button>
          <Anchor component="button" type="button" mih={44} onClick={() => void signOut({ force: true })}>
            {t('unlock.other')}
          </Anchor>
        </Stack>
      </form>
    </PublicFrame>
  )
}
