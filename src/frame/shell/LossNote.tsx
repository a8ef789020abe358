import { Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'

/** Says that the browser has cleared this device's data, and what the server knows of it. Shows nothing otherwise. */
export function LossNote() {
  const { t } = useTranslation('common')
  const { storageLoss, acknowledgeLoss } = useSession()
  if (storageLoss === null) return null
  const { underApp, told, lostUnsent } = storageLoss
  if (underApp) {
    return (
      <Note tone="error" title={t('loss.title')} live>
        <Stack gap="xs" align="flex-start">
          {t('loss.underApp')}
          <Button variant="default" onClick={() => window.location.reload()}>
            {t('action.reload')}
          </Button>
        </Stack>
      </Note>
    )
  }
  return (
    <Note tone="warning" title={t('loss.title')} live>
      <Stack gap="xs" align="flex-start">
        <span>
          {t('loss.found')}{' '}
          {!told ? t('loss.ask') : lostUnsent === null ? t('loss.unknown') : t('loss.unsent', { count: lostUnsent })}
        </span>
        <Button variant="default" onClick={() => void acknowledgeLoss()}>
          {t('loss.understood')}
        </Button>
      </Stack>
    </Note>
  )
}
