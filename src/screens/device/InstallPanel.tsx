import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { InstallSteps } from '#src/frame/look/InstallSteps.tsx'
import { useInstallWay } from '#src/frame/look/install.ts'
import { Panel } from '#src/ui/PageFrame.tsx'

import classes from './device.module.css'

/** Says why and how to install the app on this device. Draws nothing where it is installed or cannot be. */
export function InstallPanel() {
  const { t } = useTranslation('look')
  const way = useInstallWay()
  if (way === 'installed' || way === 'none') return null
  return (
    <Panel title={t('install.title')}>
      <Stack gap="sm" align="flex-start">
        <p className={classes.quiet}>{t('install.why')}</p>
        <InstallSteps way={way} />
      </Stack>
    </Panel>
  )
}
