import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { connectionWords } from '#src/frame/shell/ConnectionStatus.tsx'
import { useSyncState } from '#src/data/hooks/sync.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { fullTime } from '#src/ui/words/format.ts'

import classes from './home.module.css'

/** What only this device has, and what needs a person. It has its place before that is known. */
export function DevicePanel() {
  const { t } = useTranslation('home')
  const { t: status } = useTranslation('status')
  const read = useSyncState()
  if (read.state === 'failed') return null
  if (read.state === 'loading') return <div className={classes.device} data-waiting />
  const sync = read.value
  const { unsent, attention, oldestUnsent } = sync
  return (
    <section className={classes.device} aria-label={t('device.title')}>
      {attention === 0 && unsent === 0 && sync.reachable !== true ? (
        // Nothing waits on this device; whether the server has more is not known.
        <IconCloudOff size={20} aria-hidden="true" />
      ) : (
        <StatusShape status={attention > 0 ? 'attention' : unsent > 0 ? 'local' : 'received'} />
      )}
      <p className={classes.deviceText}>
        {connectionWords(sync, status)}
        {unsent > 0 && oldestUnsent !== null && ` · ${t('device.oldest', { time: fullTime(oldestUnsent) })}`}
        {attention > 0 && ` · ${t('device.attention', { count: attention })}`}
      </p>
      <Button component={Link} to={attention > 0 ? '/attention' : '/device'} variant="default" size="md">
        {t(attention > 0 ? 'device.toAttention' : 'device.open')}
      </Button>
    </section>
  )
}
