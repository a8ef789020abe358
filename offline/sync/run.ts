import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { noteMoment } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import { storageUse } from '#offline/db/usage.ts'
import type { ScopeKeyPair } from '#offline/vault/codec.ts'

import { runCycle } from './cycle.ts'
import type { CycleEnd } from './cycle.ts'
import { ifLockIsFree, SYNC_LOCK, underLock } from './lock.ts'

/** What the page hands to the syncing thread with every cycle: nothing of it is stored there. */
export interface SyncInput {
  readonly keys: readonly ScopeKeyPair[]
  readonly userId: string
  readonly deviceId: string
  readonly appVersion: string
  readonly token: string | null
  readonly language: string
}

/** What a cycle did, and whether the server answered at all (null: it was not asked). */
export interface SyncReport {
  readonly result: Result<CycleEnd, ApiError>
  readonly reached: boolean | null
}

/** What the sync worker does for the page. Answers are values, because comlink carries only the text of an error. */
export interface SyncWorker {
  run(input: SyncInput): Promise<SyncReport>
}

/** Runs one cycle under the lock that all tabs and workers of this device share. */
export function runSync(storage: Storage, input: SyncInput, fetcher: typeof fetch): Promise<SyncReport> {
  return underLock(SYNC_LOCK, async () => {
    let reached: boolean | null = null
    const result = await runCycle({
      storage,
      ring: new Map(input.keys.map((pair) => [pair.scope, pair])),
      userId: input.userId,
      deviceId: input.deviceId,
      appVersion: input.appVersion,
      now: () => Date.now(),
      random: () => Math.random(),
      storageUse,
      wire: {
        fetch: fetcher,
        base: '',
        token: () => input.token,
        deviceId: input.deviceId,
        appVersion: input.appVersion,
        language: () => input.language,
        onContact: (answered) => {
          reached = answered
        },
      },
    })
    return { result, reached }
  })
}

/**
 * A worker that died in the middle of a cycle left a note that it syncs. The note is removed where no other worker
 * syncs.
 */
export function noteDeadSync(storage: Storage): Promise<void> {
  return ifLockIsFree(SYNC_LOCK, async () => {
    // A note that cannot be written now is written by the next cycle.
    await storage.run(({ work }) => noteMoment(work, { syncing: false, pullProgress: null }))
  })
}
