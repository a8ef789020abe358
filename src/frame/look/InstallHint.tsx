import { Button, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { setPreferences, usePreferences } from '#src/frame/preferences.ts'
import { Note } from '#src/ui/Note.tsx'

import { InstallSteps } from './InstallSteps.tsx'
import { isTouch, useInstallWay } from './install.ts'

/**
 * Shown once, on a tablet that can install the app: why, how, and "not now". After that the offer is only on the
 * device's own page.
 */
export function InstallHint() {
  const { t } = useTranslation('look')
  const { installHint } = usePreferences()
  const way = useInstallWay()
  // The device's page has a panel of its own for it.
  const isOnDevicePage = useLocation().pathname === '/device'
  if (isOnDevicePage || installHint === 'dismissed' || !isTouch() || (way !== 'offer' && way !== 'steps')) return null
  return (
    <Note tone="info" title={t('install.title')}>
      <Stack gap="xs" align="flex-start">
        {t('install.why')}
        {way === 'steps' && <InstallSteps way={way} />}
        <Group gap="xs">
          {way === 'offer' && <InstallSteps way={way} />}
          <Button size="md" variant="default" onClick={() => setPreferences({ installHint: 'dismissed' })}>
            {t('install.later')}
          </Button>
        </Group>
      </Stack>
    </Note>
  )
}
