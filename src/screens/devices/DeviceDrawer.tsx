import { Drawer, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceLine } from '#core/api/calls/sync.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { FactList } from '#src/ui/FactList.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useDriftText } from '#src/ui/words/driftText.ts'
import { byteSize, fullTime, timeAgo } from '#src/ui/words/format.ts'

import { BlockDialog } from './BlockDialog.tsx'
import { flagsOf } from './deviceFlags.ts'

interface DeviceDrawerProps {
  readonly device: DeviceLine
  readonly projectId: string
  readonly onClose: () => void
}

/** Up to this difference, in milliseconds, the clocks count as equal, because an answer takes as long. */
const NO_DRIFT_MS = 1000

/** All that is known of a device, and the button that blocks it. */
export function DeviceDrawer({ device, projectId, onClose }: DeviceDrawerProps) {
  const { t, i18n } = useTranslation(['devices', 'common', 'form'])
  const driftText = useDriftText()
  const [asking, setAsking] = useState(false)
  const { storage, clockDriftMs, blockedAt, storageLostAt } = device
  const flags = flagsOf(device)
  const drift =
    clockDriftMs === null
      ? t('drift.unknown')
      : Math.abs(clockDriftMs) < NO_DRIFT_MS
        ? t('drift.none')
        : driftText(clockDriftMs)
  const when = (instant: string) => `${timeAgo(instant, i18n.language)} · ${fullTime(instant)}`
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(560px, 100vw)"
      title={device.name}
      closeButtonProps={{ 'aria-label': t('common:action.close'), size: 44, iconSize: 20 }}
    >
      <Stack>
        {flags.includes('lost') && (
          <Note tone="error" title={t('flag.lost', { count: device.lostUnsent ?? 0 })}>
            {t('lostHint')}
          </Note>
        )}
        {flags.includes('silent') && (
          <Note tone="warning" title={t('flag.silent')}>
            {t('silentHint')}
          </Note>
        )}
        <FactList
          facts={[
            [t('detail.contact'), when(device.lastContactAt)],
            [t('detail.user'), device.lastUserName ?? t('common:none')],
            [t('detail.unsent'), unsentText(device, t('noneUnsent'), t('unsent', { count: device.unsent }), when)],
            [t('detail.refused'), device.refused],
            [t('detail.drafts'), device.drafts],
            [t('detail.drift'), drift],
            [
              t('detail.storage'),
              [
                storage === null
                  ? t('detail.storageUnknown')
                  : t('detail.used', { used: byteSize(storage.usedBytes), quota: byteSize(storage.quotaBytes) }),
                t(device.persisted ? 'detail.persisted' : 'detail.notPersisted'),
              ].join(' · '),
            ],
            ...(storageLostAt === null ? [] : ([[t('detail.lostAt'), fullTime(storageLostAt)]] as const)),
            [t('detail.centers'), device.centers.join(t('form:listSeparator')) || t('detail.noCenters')],
            [t('detail.version'), device.appVersion],
            [t('detail.userAgent'), device.userAgent],
            [t('detail.since'), fullTime(device.createdAt)],
            ...(device.blocked && blockedAt !== null
              ? ([
                  [
                    t('detail.blocked'),
                    t('detail.blockedBy', {
                      name: device.blockedByName ?? '',
                      time: fullTime(blockedAt),
                      reason: device.blockReason ?? '',
                    }),
                  ],
                ] as const)
              : []),
          ]}
        />
        <Group justify="flex-end">
          <ServerButton size="md" variant="default" onClick={() => setAsking(true)}>
            {device.blocked ? t('unblock.open') : t('block.open')}
          </ServerButton>
        </Group>
      </Stack>
      {asking && <BlockDialog device={device} projectId={projectId} onClose={() => setAsking(false)} />}
    </Drawer>
  )
}

function unsentText(
  { unsent, oldestUnsent }: DeviceLine,
  none: string,
  some: string,
  when: (instant: string) => string,
): string {
  if (unsent === 0) return none
  return oldestUnsent === null ? some : `${some} · ${when(oldestUnsent)}`
}
