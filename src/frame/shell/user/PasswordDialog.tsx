import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PasswordForm } from '#src/frame/PasswordForm.tsx'
import type { LaterDialogProps } from '#src/frame/shell/useLaterDialog.tsx'
import { useSession } from '#src/session/useSession.ts'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'

/** Changes the user's own password during work: other devices ask for the new one at their next contact. */
export function PasswordDialog({ opened, onClose }: LaterDialogProps) {
  const { t } = useTranslation(['gate', 'common'])
  const { current } = useSession()
  if (current.state !== 'open') return null
  return (
    <Sheet opened={opened} onClose={onClose} title={t('change.own')}>
      <Stack>
        <Text size="sm">{t('change.ownText')}</Text>
        <PasswordForm account={current.user.account} submit={t('change.ownSubmit')} onChanged={onClose} />
      </Stack>
    </Sheet>
  )
}
