import { Button, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './device.module.css'

/**
 * Asks for an old password where unsent work on this device needs its keys: the server does not give out these keys any
 * more.
 */
export function OlderKeysPanel() {
  const { t } = useTranslation('clearing')
  const errorText = useErrorText()
  const { current, recoverKeys } = useSession()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  if (current.state !== 'open' || !current.olderKeys) return null
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password === '') return
    setBusy(true)
    const result = await recoverKeys(password)
    setBusy(false)
    setPassword('')
    setError(result.ok ? null : result.error)
  }
  return (
    <Panel title={t('older.title')}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="sm" maw={480}>
          <p className={classes.quiet}>{t('older.text')}</p>
          {error !== null && (
            <Note tone="error" live>
              {error.code === 'password_wrong' ? t('older.wrong') : errorText(error)}
            </Note>
          )}
          <PasswordInput
            size="md"
            label={t('older.password')}
            autoComplete="off"
            maxLength={400}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" size="md" loading={busy} disabled={password === ''}>
            {t('older.submit')}
          </Button>
        </Stack>
      </form>
    </Panel>
  )
}
