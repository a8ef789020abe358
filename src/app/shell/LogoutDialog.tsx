import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { flushOpenPages } from '#src/app/beforeReload.ts'
import { useSession } from '#src/session/useSession.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'

import { useSync } from './useSync.ts'

interface LogoutDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks before leaving, and says how much is still on this device alone. It stays there, sealed. */
export function LogoutDialog({ opened, onClose }: LogoutDialogProps) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { signOut } = useSession()
  const unsent = useSync()?.unsent ?? 0
  const leave = async () => {
    await flushOpenPages()
    await signOut({ force: true })
    await navigate('/login')
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={leave}
      title={t('logout.title')}
      submit={t('logout.submit')}
      text={
        <Stack gap="sm">
          <Text>{t('logout.question')}</Text>
          {unsent > 0 && <Note tone="warning">{t('logout.unsent', { count: unsent })}</Note>}
        </Stack>
      }
    />
  )
}
