import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import { Sheet, SheetFoot } from './Sheet.tsx'

interface SubmitDialogProps {
  readonly title: string
  readonly submit: string
  readonly size?: 'md' | 'lg' | 'xl'
  /** What the dialog does cannot be undone by a click. */
  readonly danger?: boolean
  readonly children: ReactNode
  /** Starts the work, or returns null while the input is not valid yet. */
  readonly onSubmit: () => Promise<Result<unknown, ApiError>> | null
  readonly onClose: () => void
}

/** A dialog that sends its input. It stays open with the reason when that fails, and closes when it worked. */
export function SubmitDialog({
  title,
  submit,
  size = 'md',
  danger = false,
  children,
  onSubmit,
  onClose,
}: SubmitDialogProps) {
  const { t } = useTranslation('common')
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const send = async () => {
    const work = onSubmit()
    if (work === null) return
    setBusy(true)
    const result = await work
    setBusy(false)
    if (result.ok) onClose()
    else setError(result.error)
  }
  return (
    <Sheet onClose={onClose} title={title} size={size}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Stack>
          {error !== null && (
            <Note tone="error" live>
              {errorText(error)}
            </Note>
          )}
          {children}
          <SheetFoot>
            <Button variant="default" size="md" onClick={onClose}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" size="md" {...(danger ? { color: 'red.9' } : {})} loading={busy}>
              {submit}
            </Button>
          </SheetFoot>
        </Stack>
      </form>
    </Sheet>
  )
}
