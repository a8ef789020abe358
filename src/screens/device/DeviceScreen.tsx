import { useTranslation } from 'react-i18next'
import { PageFrame } from '#src/ui/PageFrame.tsx'

import { InstallPanel } from './InstallPanel.tsx'
import { OlderKeysPanel } from './OlderKeysPanel.tsx'
import { OutboxPanel } from './OutboxPanel.tsx'
import { ReceiptsPanel } from './ReceiptsPanel.tsx'
import { ScopesPanel } from './ScopesPanel.tsx'
import { StoragePanel } from './StoragePanel.tsx'
import { SyncPanel } from './SyncPanel.tsx'
import { WipePanel } from './WipePanel.tsx'
import classes from './device.module.css'

/** The data on this tablet: what it keeps, what has not reached the server, and what the server has confirmed. */
export function DeviceScreen() {
  const { t } = useTranslation('device')
  return (
    <PageFrame title={t('title')} intro={t('intro')}>
      <div className={classes.panels}>
        <OlderKeysPanel />
        <div className={classes.pair}>
          <SyncPanel />
          <StoragePanel />
        </div>
        <InstallPanel />
        <OutboxPanel />
        <ScopesPanel />
        <ReceiptsPanel />
        <WipePanel />
      </div>
    </PageFrame>
  )
}
