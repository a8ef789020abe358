import { Button, PasswordInput, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router-dom'
import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import { errorKind } from '#core/api/errors.ts'
import { sameOriginPath } from '#src/app/redirect.ts'
import { solveCaptchaWork } from '#src/session/solveCaptchaWork.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/errorText.ts'

import { KnownUsers } from './KnownUsers.tsx'
import { PublicFrame } from './PublicFrame.tsx'
import classes from './login.module.css'

/** Failures after which the server wants a picture typed off. */
const ASKS_CAPTCHA: ReadonlySet<ErrorCode> = new Set(['captcha_wrong'])

/** Sign-in: at the server, or, without it, at this device's own memory. */
export function LoginScreen() {
  const { t } = useTranslation('login')
  const errorText = useErrorText()
  const [search] = useSearchParams()
  const { current, reachable, signIn, captcha: fetchCaptcha } = useSession()
  const [typedAccount, setAccount] = useState<string | null>(null)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [picture, setPicture] = useState<{ readonly key: string; readonly image: string } | null>(null)
  const [working, setWorking] = useState<'no' | 'busy' | 'done'>('no')
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)

  const knownUsers = current.state === 'signed_out' ? current.knownUsers : []
  const [first, ...others] = knownUsers
  // A tablet with one user offers that user's account.
  const account = typedAccount ?? (others.length === 0 ? (first?.account ?? '') : '')

  if (current.state !== 'signed_out' && current.state !== 'starting') {
    return <Navigate to={sameOriginPath(search.get('to'))} replace />
  }
  // Who cannot read the picture lets the device work something out instead, which takes it a while.
  const workInstead = async () => {
    setWorking('busy')
    const result = await fetchCaptcha('work')
    if (!result.ok || result.value.workBits === undefined) {
      setWorking('no')
      if (!result.ok) setError(result.error)
      return
    }
    const { key, workBits } = result.value
    setCode(await solveCaptchaWork(key, workBits))
    setPicture({ key, image: '' })
    setWorking('done')
  }
  const newPicture = async () => {
    setWorking('no')
    const result = await fetchCaptcha()
    setPicture(result.ok ? result.value : null)
    setCode('')
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTouched(true)
    if (account.trim() === '' || password === '' || (picture !== null && code.trim() === '')) return
    setBusy(true)
    const result = await signIn({
      account: account.trim(),
      password,
      captcha: picture === null ? null : { key: picture.key, code: code.trim() },
    })
    setBusy(false)
    if (result.ok) return
    setError(result.error)
    setPassword('')
    setTouched(false)
    // A picture serves once; and the server asks for one only after it was told the wrong password a few times.
    if (picture !== null || ASKS_CAPTCHA.has(result.error.code)) await newPicture()
  }
  const offline = reachable === false
  const failureText = (of: ApiError): string =>
    of.code === 'account_locked' && of.retryAfterSeconds !== undefined ? t('lockedFor', { minutes: Math.ceil(of.retryAfterSeconds / 60) }) : errorText(of)
  const failure = error === null ? null : errorKind(error.code) === 'transport' ? t('offline.unknown') : failureText(error)
  return (
    <PublicFrame>
      <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <h1 className={classes.title}>{t('title')}</h1>
          {offline && (
            <Note tone="info" title={t('offline.title')} live>
              {t('offline.text')}
            </Note>
          )}
          {failure !== null && (
            <Note tone="error" live>
              {failure}
            </Note>
          )}
          <TextInput
            size="md"
            label={t('account')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            value={account}
            onChange={(event) => setAccount(event.currentTarget.value)}
            error={touched && account.trim() === '' ? t('required.account') : null}
          />
          <KnownUsers users={knownUsers} chosen={account} onChoose={setAccount} />
          <PasswordInput
            size="md"
            label={t('password')}
            name="password"
            autoComplete="current-password"
            maxLength={400}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={touched && password === '' ? t('required.password') : null}
          />
          {picture !== null && working !== 'no' && (
            <Note tone="info" live>
              {t(working === 'busy' ? 'working' : 'worked')}
            </Note>
          )}
          {picture !== null && working === 'no' && (
            <div className={classes.captcha}>
              <TextInput
                size="md"
                label={t('captcha')}
                description={t('captchaHint')}
                autoComplete="off"
                autoCapitalize="none"
                maxLength={10}
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
                error={touched && code.trim() === '' ? t('required.captcha') : null}
              />
              <UnstyledButton className={classes.picture} onClick={() => void newPicture()} aria-label={t('captchaPicture')}>
                <img src={picture.image} alt="" width={130} height={48} />
              </UnstyledButton>
            </div>
          )}
          {picture !== null && working === 'no' && (
            <Button variant="subtle" size="md" onClick={() => void workInstead()}>
              {t('workInstead')}
            </Button>
          )}
          <Button type="submit" size="lg" loading={busy || working === 'busy' || current.state === 'starting'}>
            {offline ? t('offline.submit') : t('submit')}
          </Button>
        </Stack>
      </form>
    </PublicFrame>
  )
}
