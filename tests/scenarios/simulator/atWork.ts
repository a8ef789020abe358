import type { Storage } from '#offline/db/open.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import type { Device } from '#src/data/device/device.ts'

/** Somebody at work at a tablet of whatever make. */
export interface AtWork {
  readonly device: Device
  readonly storage: Storage
  /** Null where their keys are not open. */
  readonly author: Author | null
  /** Whether pages of a scope take no typing any more. */
  readonly ended: (scope: string) => boolean
}
