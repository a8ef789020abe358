import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { errorKind } from '#core/api/errors.ts'
import { sameOriginPath } from '#src/paths/redirect.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { laterPart } from '#src/parts/laterPart.tsx'

import { KnownUsers } from './KnownUsers.tsx'
import { PublicFrame } from './PublicFrame.tsx'
import classes from './login.module.css'
import { useCaptcha } from './useCaptcha.ts'
import { useSignInFailure } from './useSignInFailure.ts'
import { useWho } from './useWho.ts'
import type { Who } from './useWho.ts'

/** Loaded only when it is needed, after some wrong passwords. */
const Captcha = laterPart(async () => (await import('./Captcha.tsx')).Captcha)

/** Signs in at the server, or without it against this device's own memory. */
export function LoginScreen() {
  const { t } = useTranslation('login')
  const [search] = useSearchParams()
  const { current, reachable, signIn } = useSession()
  const who = useWho(current)
  const [password, setPassword] = useState('')
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const captcha = useCaptcha(setError)

  const isStarting = current.state === 'starting'
  const { account, isTiled, chosen } = who
  if (current.state !== 'signed_out' && !isStarting) {
    return <Navigate to={sameOriginPath(search.get('to'))} replace />
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTouched(true)
    if (account.trim() === '' || password === '' || captcha.isOpen) return
    setBusy(true)
    const result = await signIn({ account: account.trim(), password, captcha: captcha.answer })
    setBusy(false)
    if (result.ok) return
    setError(result.error)
    setPassword('')
    setTouched(false)
    await captcha.follow(result.error)
  }
  const offline = reachable === false
  return (
    <PublicFrame>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <h1 className={classes.title}>{t('title')}</h1>
          <LoginNotes offline={offline} error={error} />
          <WhoSignsIn
            who={who}
            isMissing={touched && account.trim() === ''}
            onChange={() => {
              setPassword('')
              setError(null)
            }}
          />
          {(!isTiled || account !== '') && (
            <>
              <PasswordInput
                // After a tap on a tile it is the only thing to enter.
                key={chosen}
                ref={chosen === null ? null : takeFocus}
                size="md"
                label={t('password')}
                name="password"
                autoComplete="current-password"
                maxLength={400}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                error={touched && password === '' ? t('required.password') : null}
              />
              {captcha.image !== null && <Captcha task={captcha} missing={touched && captcha.isOpen} />}
              <Button type="submit" size="lg" loading={busy || captcha.working === 'busy' || isStarting}>
                {offline ? t('offline.submit') : t('submit')}
              </Button>
            </>
          )}
        </Stack>
      </form>
    </PublicFrame>
  )
}

function takeFocus(field: HTMLInputElement | null): void {
  field?.focus()
}

interface WhoSignsInProps {
  readonly who: Who
  readonly isMissing: boolean
  /** Another person begins with an empty password. */
  readonly onChange: () => void
}

/** The people of this device, or a box for an account. */
function WhoSignsIn({ who, isMissing, onChange }: WhoSignsInProps) {
  const { t } = useTranslation('login')
  const { people, isTiled, account, choose, type, setOther } = who
  const change = (act: () => void) => () => {
    act()
    onChange()
  }
  if (isTiled) {
    return (
      <>
        <KnownUsers
          users={people}
          chosen={account}
          onChoose={(of) => change(() => choose(of))()}
          onOther={change(() => setOther(true))}
        />
        <input name="username" autoComplete="username" value={account} readOnly hidden />
      </>
    )
  }
  return (
    <>
      <TextInput
        size="md"
        label={t('account')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        value={account}
        onChange={(event) => type(event.currentTarget.value)}
        error={isMissing ? t('required.account') : null}
      />
      {people.length > 0 && (
        <Button variant="subtle" size="md" onClick={change(() => setOther(false))}>
          {t('back')}
        </Button>
      )}
    </>
  )
}

interface LoginNotesProps {
  readonly offline: boolean
  readonly error: ApiError | null
}

/** Says that the server is away, and why the last try failed. */
function LoginNotes({ offline, error }: LoginNotesProps) {
  const { t } = useTranslation('login')
  const failureText = useSignInFailure()
  return (
    <>
      {offline && (
        <Note tone="info" title={t('offline.title')} live>
          {t('offline.text')}
        </Note>
      )}
      {error !== null && (
        <Note tone="error" live>
          {errorKind(error.code) === 'transport' ? t('offline.unknown') : failureText(error)}
        </Note>
      )}
    </>
  )
}
