import type { Device } from '#src/data/device/device.ts'

import type { SessionActions, SessionState, StorageLoss } from './types.ts'

/** What the session looks like now; a new object at every change. */
export interface SessionSnapshot {
  readonly current: SessionState
  readonly reachable: boolean | null
  readonly device: Device | null
  readonly storageLoss: StorageLoss | null
  readonly outdated: boolean
}

/** The code behind the session. It includes the device's database, so it is loaded separately from the first screen. */
export interface StartedSession extends SessionActions {
  stop(): void
}
