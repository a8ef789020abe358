import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { SessionState } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { KnownUsers } from './KnownUsers.tsx'
import { PublicFrame } from './PublicFrame.tsx'
import classes from './login.module.css'

/**
 * Opens the device again, over the address where somebody was at work; without a network too. With the lock password
 * where one was chosen, and with the sign-in password always; a colleague who comes on shift opens it with their own.
 */
export function UnlockScreen({ session }: { readonly session: Extract<SessionState, { state: 'locked' }> }) {
  const { t } = useTranslation('login')
  const { unlock, openLock, signOut } = useSession()
  const { user, knownUsers, triesLeft } = session
  const [account, setAccount] = useState(user.account)
  const [bySignIn, setBySignIn] = useState(false)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [spent, setSpent] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // There is one thing to do here: whoever comes back can type at once.
  const arrived = useCallback((field: HTMLInputElement | null) => {
    input.current = field
    field?.focus()
  }, [])
  const usesLock = triesLeft !== null && !bySignIn && account === user.account

  const turnTo = (next: { readonly account: string; readonly bySignIn: boolean }) => {
    setAccount(next.account)
    setBySignIn(next.bySignIn)
    setPassword('')
    setError(null)
    setSpent(false)
    input.current?.focus()
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password === '') return
    setBusy(true)
    const result = await (usesLock ? openLock(password) : unlock(password, account))
    setBusy(false)
    setPassword('')
    setError(result.ok ? null : result.error)
    setSpent(usesLock && triesLeft === 1)
    input.current?.focus()
  }
  return (
    <PublicFrame>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <h1 className={classes.title}>{t('unlock.title')}</h1>
          <p className={classes.lead}>{t(usesLock ? 'unlock.lockText' : 'unlock.text')}</p>
          <Failure error={error} triesLeft={usesLock ? triesLeft : null} spent={spent} />
          <p className={classes.lead}>
            {t('unlock.who')}: <strong>{account}</strong>
          </p>
          <KnownUsers
            users={knownUsers}
            chosen={account}
            onChoose={(chosen) => turnTo({ account: chosen, bySignIn: false })}
          />
          {!usesLock && <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />}
          <PasswordInput
            // The browser must not fill in, nor keep, one kind of password for the other.
            key={usesLock ? 'lock' : 'signIn'}
            size="md"
            label={t(usesLock ? 'unlock.lockPassword' : 'password')}
            name={usesLock ? 'lock' : 'password'}
            autoComplete={usesLock ? 'off' : 'current-password'}
            ref={arrived}
            maxLength={400}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" size="lg" loading={busy}>
            {t('unlock.submit')}
          </Button>
          {triesLeft !== null && account === user.account && (
            <Anchor component="button" type="button" mih={44} onClick={() => turnTo({ account, bySignIn: !bySignIn })}>
              {t(bySignIn ? 'unlock.byLock' : 'unlock.bySignIn')}
            </Anchor>
          )}
          <Anchor component="button" type="button" mih={44} onClick={() => void signOut({ force: true })}>
            {t('unlock.other')}
          </Anchor>
        </Stack>
      </form>
    </PublicFrame>
  )
}

interface FailureProps {
  readonly error: ApiError | null
  /** Tries that are left where it was the lock password that was asked for. */
  readonly triesLeft: number | null
  /** Whether that was the last of them. */
  readonly spent: boolean
}

function Failure({ error, triesLeft, spent }: FailureProps) {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  if (error === null) return null
  const isWrong = error.code === 'password_wrong' || error.code === 'invalid_credentials'
  const wrong = triesLeft === null ? t('unlock.failed') : t('unlock.lockFailed', { count: triesLeft })
  return (
    <Note tone="error" live>
      {isWrong ? (spent ? t('unlock.lockSpent') : wrong) : errorText(error)}
    </Note>
  )
}
