import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { useSync } from '#src/frame/shell/useSync.ts'
import { useSession } from '#src/session/useSession.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

interface LogoutDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks before leaving, and says how much is still only on this device. It stays there, sealed. */
export function LogoutDialog({ opened, onClose }: LogoutDialogProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { signOut } = useSession()
  const unsent = useSync()?.unsent ?? 0
  const errorText = useErrorText()
  const [refused, setRefused] = useState<ApiError | null>(null)
  const leave = async () => {
    const left = await signOut({ force: true })
    if (left.done) return navigate('/login')
    setRefused('error' in left ? left.error : null)
  }
  const close = () => {
    setRefused(null)
    onClose()
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      onConfirm={leave}
      title={t('logout.title')}
      submit={t('logout.submit')}
      text={
        <Stack gap="sm">
          <Text>{t('logout.question')}</Text>
          {refused !== null && (
            <Note tone="error" live>
              {t('logout.refused', { reason: errorText(refused) })}
            </Note>
          )}
          {unsent > 0 && <Note tone="warning">{t('logout.unsent', { count: unsent })}</Note>}
        </Stack>
      }
    />
  )
}
