import { Button, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { Note } from '#src/ui/Note.tsx'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

interface SetAsideDialogProps {
  readonly opKey: string
  readonly onClose: () => void
}

/** Sets a refused operation aside. Asks for a reason, which is stored with the operation that was not sent. */
export function SetAsideDialog({ opKey, onClose }: SetAsideDialogProps) {
  const { t } = useTranslation(['attention', 'common'])
  const errorText = useErrorText()
  const { setAside } = useDataActions()
  const [reason, setReason] = useState('')
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const submit = async () => {
    setTouched(true)
    if (reason.trim() === '') return
    setBusy(true)
    const result = await setAside(opKey, reason.trim())
    setBusy(false)
    if (result.ok) onClose()
    else setError(result.error)
  }
  return (
    <Sheet onClose={onClose} title={t('setAside.title')}>
      <Stack>
        <Text>{t('setAside.text')}</Text>
        {error !== null && (
          <Note tone="error" live>
            {errorText(error)}
          </Note>
        )}
        <Textarea
          size="md"
          required
          label={t('setAside.reason')}
          maxLength={1000}
          minRows={3}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={touched && reason.trim() === '' ? t('setAside.required') : null}
          data-autofocus
        />
        <SheetFoot>
          <Button variant="default" size="md" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button size="md" loading={busy} onClick={() => void submit()}>
            {t('setAside.submit')}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}
