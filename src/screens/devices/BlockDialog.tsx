import { Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceLine } from '#core/api/calls/sync.ts'
import { useServerAction } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'

interface BlockDialogProps {
  readonly device: DeviceLine
  readonly projectId: string
  readonly onClose: () => void
}

/** Blocks a device or unblocks it, with a reason. */
export function BlockDialog({ device: { id, name, blocked }, projectId, onClose }: BlockDialogProps) {
  const { t } = useTranslation('devices')
  const act = useServerAction()
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const kind = blocked ? 'unblock' : 'block'
  const missing = reason.trim() === ''
  const submit = () => {
    setTried(true)
    if (missing) return null
    return act('sync.deviceBlock', {
      params: { id },
      body: { projectId, blocked: !blocked, reason: reason.trim() },
      projectId,
    })
  }
  return (
    <SubmitDialog title={t(`${kind}.title`, { name })} submit={t(`${kind}.submit`)} onClose={onClose} onSubmit={submit}>
      <Text>{t(`${kind}.text`)}</Text>
      <Textarea
        size="md"
        required
        label={t('block.reason')}
        maxLength={2000}
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={tried && missing ? t('block.required') : null}
        data-autofocus
      />
    </SubmitDialog>
  )
}
