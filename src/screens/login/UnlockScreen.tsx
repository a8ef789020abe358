import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { KnownUsers } from './KnownUsers.tsx'
import { PinPad } from './PinPad.tsx'
import { PublicFrame } from './PublicFrame.tsx'
import classes from './login.module.css'
import pad from './pinPad.module.css'
import type { LockedSession } from './useUnlocking.ts'
import { useUnlocking } from './useUnlocking.ts'

/**
 * Unlocks the device, over the screen that was open, also without a network. The sign-in password always works, and the
 * lock password where one was chosen. A colleague who begins a shift unlocks with their own password.
 */
export function UnlockScreen({ session }: { readonly session: LockedSession }) {
  const { t } = useTranslation(['login', 'gate'])
  const { signOut } = useSession()
  const { user, knownUsers, triesLeft } = session
  const { account, bySignIn, usesLock, password, setPassword, busy, error, spent, field, turnTo, submit } =
    useUnlocking(session)
  // At a desk there are keys; and a lock password may be one of letters.
  const [isPad, setPad] = useState(() => window.matchMedia('(pointer: coarse)').matches)
  const usesPad = usesLock && isPad
  return (
    <PublicFrame>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <h1 className={classes.title}>{t('gate:unlock.title')}</h1>
          <p className={classes.lead}>{t(usesLock ? 'gate:unlock.lockText' : 'gate:unlock.text')}</p>
          <Failure error={error} triesLeft={usesLock ? triesLeft : null} spent={spent} />
          <KnownUsers
            users={knownUsers.length === 0 ? [user] : knownUsers}
            chosen={account}
            onChoose={(chosen) => turnTo({ account: chosen, bySignIn: false })}
          />
          {!usesLock && <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />}
          <PasswordInput
            // A new field, so that the browser neither fills in nor stores one kind of password for the other.
            key={usesLock ? 'lock' : 'signIn'}
            size="md"
            label={t(usesLock ? 'gate:unlock.lockPassword' : 'password')}
            name={usesLock ? 'lock' : 'password'}
            autoComplete={usesLock ? 'off' : 'current-password'}
            {...(usesPad ? { inputMode: 'none' as const } : {})}
            ref={field}
            maxLength={400}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {usesPad && <PinPad value={password} onChange={setPassword} />}
          <Button type="submit" size="lg" loading={busy}>
            {t('gate:unlock.submit')}
          </Button>
          <div className={pad.ways}>
            {usesLock && (
              <Anchor component="button" type="button" mih={44} onClick={() => setPad(!isPad)}>
                {t(isPad ? 'gate:unlock.byKeys' : 'gate:unlock.byPad')}
              </Anchor>
            )}
            {triesLeft !== null && account === user.account && (
              <Anchor
                component="button"
                type="button"
                mih={44}
                onClick={() => turnTo({ account, bySignIn: !bySignIn })}
              >
                {t(bySignIn ? 'gate:unlock.byLock' : 'gate:unlock.bySignIn')}
              </Anchor>
            )}
            <Anchor component="button" type="button" mih={44} onClick={() => void signOut({ force: true })}>
              {t('gate:unlock.other')}
            </Anchor>
          </div>
        </Stack>
      </form>
    </PublicFrame>
  )
}

interface FailureProps {
  readonly error: ApiError | null
  /** How many tries of the lock password are left; null where it was not asked for. */
  readonly triesLeft: number | null
  /** Whether that was the last try. */
  readonly spent: boolean
}

function Failure({ error, triesLeft, spent }: FailureProps) {
  const { t } = useTranslation('gate')
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
