import { Button, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { setPreferences, usePreferences } from '#src/app/preferences.ts'
import { Note } from '#src/ui/Note.tsx'

import { InstallSteps } from './InstallSteps.tsx'
import { isTouch, useInstallWay } from './install.ts'

/** Once, on a tablet that can install the app: why, how, and "not now", after which it stays on the device's own page. */
export function InstallHint() {
  const { t } = useTranslation('look')
  const { installHint } = usePreferences()
  const way = useInstallWay()
  if (installHint === 'dismissed' || !isTouch() || (way !== 'offer' && way !== 'steps')) return null
  return (
    <Note tone="info" title={t('install.title')}>
      <Stack gap="xs" align="flex-start">
        {t('install.why')}
        <InstallSteps way={way} />
        <Group gap="xs">
          <Button size="md" variant="default" onClick={() => setPreferences({ installHint: 'dismissed' })}>
            {t('install.later')}
          </Button>
        </Group>
      </Stack>
    </Note>
  )
}
