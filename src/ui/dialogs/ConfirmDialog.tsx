import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Sheet, SheetFoot } from './Sheet.tsx'

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly text: ReactNode
  readonly submit: string
  readonly cancel?: string
  /** What will be removed cannot be brought back by a click. */
  readonly danger?: boolean
  readonly onConfirm: () => Promise<void> | void
  readonly onClose: () => void
}

/** Asks before an action. The dialog stays open, and says so, until the action is over. */
export function ConfirmDialog({
  opened,
  title,
  text,
  submit,
  cancel,
  danger = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    try {
      await onConfirm()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet opened={opened} onClose={onClose} title={title}>
      <Stack>
        {typeof text === 'string' ? <Text>{text}</Text> : text}
        <SheetFoot>
          <Button variant="default" size="md" onClick={onClose} disabled={busy}>
            {cancel ?? t('action.cancel')}
          </Button>
          <Button size="md" {...(danger ? { color: 'red.9' } : {})} loading={busy} onClick={() => void confirm()}>
            {submit}
          </Button>
        </SheetFoot>
      </Stack>
    </Sheet>
  )
}
