import type { DeviceReport } from '#core/api/sync/push.ts'
import type { Storage } from '#offline/db/open.ts'
import type { Wire } from '#offline/net/request.ts'
import type { KeyRing } from '#offline/vault/codec.ts'

/**
 * What a sync cycle works with. It depends on nothing else: tests give it a clock, a network and a device of their own.
 */
export interface SyncContext {
  readonly storage: Storage
  readonly wire: Wire
  readonly ring: KeyRing
  /** Whose token is used. This user also carries what others left in scopes whose keys the user holds. */
  readonly userId: string
  readonly deviceId: string
  readonly appVersion: string
  readonly now: () => number
  /** Between 0 and 1, for the jitter of waits. */
  readonly random: () => number
  /** How much of the browser's storage is used, for the device's report; null where the browser does not say. */
  readonly storageUse?: () => Promise<NonNullable<DeviceReport['storage']> | null>
}

/** Limits of one request, in ms. A stream may take long, but may not stay silent. */
export const PUSH_TIMEOUT_MS = 120_000
export const PULL_TIMEOUT_MS = 300_000
export const SILENCE_MS = 45_000
export const CALL_TIMEOUT_MS = 30_000
