import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

interface LockDialogProps {
  /** Why locking with the password chosen before did not work; null to ask for one. */
  readonly refused: ApiError | null
  readonly onClose: () => void
}

/**
 * Asks for the lock password of this session, and locks. If something could not be written to the disk, the tablet
 * stays unlocked and the dialog says so.
 */
export function LockDialog({ refused, onClose }: LockDialogProps) {
  const { t } = useTranslation(['shell', 'common'])
  const errorText = useErrorText()
  const { setLockPassword, lock } = useSession()
  const [password, setPassword] = useState('')
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(refused)
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // This form is in a dialog inside a page: the page must not treat its submit as its own.
    event.stopPropagation()
    setTouched(true)
    if (password === '') return
    setBusy(true)
    await setLockPassword(password)
    const locked = await lock()
    setBusy(false)
    setError(locked.ok ? null : locked.error)
  }
  return (
    <Sheet onClose={onClose} title={t('lock.title')}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          {error !== null && (
            <Note tone="error" live>
              {t('lock.refused', { reason: errorText(error) })}
            </Note>
          )}
          <Text size="sm">{t('lock.text')}</Text>
          <PasswordInput
            size="md"
            required
            label={t('lock.password')}
            autoComplete="off"
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={touched && password === '' ? t('lock.required') : null}
            data-autofocus
          />
          <SheetFoot>
            <Button variant="default" size="md" onClick={onClose} disabled={busy}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" size="md" loading={busy}>
              {t('lock.submit')}
            </Button>
          </SheetFoot>
        </Stack>
      </form>
    </Sheet>
  )
}
