import type { DeviceLine } from '#core/api/calls/sync.ts'
import { DRIFT_WARNING_MS } from '#src/ui/words/driftText.ts'

/** What a person should know about a device, the most urgent first. */
export type DeviceFlag =
  | 'blocked'
  | 'lost'
  | 'lostNothing'
  | 'silent'
  | 'refused'
  | 'drift'
  | 'storageNearlyFull'
  | 'notPersisted'
  | 'drafts'

/** A device with unsent work that was silent for this long may have to be found. */
const SILENT_MS = 24 * 3_600_000
const NEARLY_FULL = 0.8

export function flagsOf(device: DeviceLine, now: Date = new Date()): readonly DeviceFlag[] {
  const { storage } = device
  const flags: readonly (readonly [flag: DeviceFlag, holds: boolean])[] = [
    ['blocked', device.blocked],
    ['lost', device.storageLostAt !== null && (device.lostUnsent ?? 0) > 0],
    ['silent', device.unsent > 0 && now.getTime() - Date.parse(device.lastContactAt) > SILENT_MS],
    ['refused', device.refused > 0],
    ['drift', device.clockDriftMs !== null && Math.abs(device.clockDriftMs) > DRIFT_WARNING_MS],
    [
      'storageNearlyFull',
      storage !== null && storage.quotaBytes > 0 && storage.usedBytes / storage.quotaBytes >= NEARLY_FULL,
    ],
    ['lostNothing', device.storageLostAt !== null && (device.lostUnsent ?? 0) === 0],
    ['drafts', device.drafts > 0],
    ['notPersisted', !device.persisted],
  ]
  return flags.flatMap(([flag, holds]) => (holds ? [flag] : []))
}

/** Flags that need an act by a person; the others only inform. */
export const URGENT: ReadonlySet<DeviceFlag> = new Set<DeviceFlag>(['lost', 'silent', 'refused'])
