import { useTranslation } from 'react-i18next'
import type { DeviceLine } from '#core/api/calls/sync.ts'
import { useDriftText } from '#src/ui/words/driftText.ts'
import { StatusBadge } from '#src/ui/badges/StatusBadge.tsx'

import type { DeviceFlag } from './deviceFlags.ts'
import { URGENT, flagsOf } from './deviceFlags.ts'
import classes from './devices.module.css'

/** What a person should know about a device, in words; "as usual" where there is nothing. */
export function Flags({ device }: { readonly device: DeviceLine }) {
  const { t } = useTranslation('devices')
  const driftText = useDriftText()
  const flags = flagsOf(device)
  if (flags.length === 0) return <span className={classes.quiet}>{t('flag.ok')}</span>
  const words = (flag: DeviceFlag): string => {
    switch (flag) {
      case 'drift':
        return t('flag.drift', { drift: driftText(device.clockDriftMs ?? 0) })
      case 'refused':
        return t('flag.refused', { count: device.refused })
      case 'drafts':
        return t('flag.drafts', { count: device.drafts })
      case 'lost':
        return t('flag.lost', { count: device.lostUnsent ?? 0 })
      case 'storageNearlyFull':
        return t('flag.storageNearlyFull', {
          percent: Math.round((100 * (device.storage?.usedBytes ?? 0)) / (device.storage?.quotaBytes ?? 1)),
        })
      case 'silent':
      case 'notPersisted':
      case 'lostNothing':
      case 'blocked':
        return t(`flag.${flag}`)
    }
  }
  return (
    <ul className={classes.flags}>
      {flags.map((flag) => (
        <li key={flag} data-urgent={URGENT.has(flag)}>
          {URGENT.has(flag) && <StatusBadge compact status="attention" />}
          {words(flag)}
        </li>
      ))}
    </ul>
  )
}
