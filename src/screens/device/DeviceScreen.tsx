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
        <div className={classes.place}>
          <OlderKeysPanel />
        </div>
        <div className={classes.place}>
          <div className={classes.pair}>
            <SyncPanel />
            <StoragePanel />
          </div>
        </div>
        <div className={classes.place}>
          <InstallPanel />
        </div>
        <div className={classes.place}>
          <OutboxPanel />
        </div>
        <div className={classes.place}>
          <ScopesPanel />
        </div>
        <div className={classes.place}>
          <ReceiptsPanel />
        </div>
        <div className={classes.place}>
          <WipePanel />
        </div>
      </div>
    </PageFrame>
  )
}
