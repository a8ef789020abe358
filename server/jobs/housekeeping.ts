import { dropAbandoned } from '#server/areas/attachment/store.ts'
import { WINDOW_MS } from '#server/areas/auth/attempts.ts'
import { sweepRuns } from '#server/areas/dataset/expire.ts'
import { applyAllHeld } from '#server/areas/entry/held.ts'
import { withConnection } from '#server/database/transaction.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Services } from '#server/services.ts'

/** Regular tasks while the server runs. */

const EVERY_MS = 60_000
/** An upload that was silent for this long begins anew when its tablet comes back. */
const ABANDONED_MS = 14 * 86_400_000
/** No file takes this long to be written. */
const UNFINISHED_MS = 3_600_000

/** Housekeeping that goes on until it is stopped; `stop` waits for the round under way. */
export function startHousekeeping(services: Services, everyMs = EVERY_MS): { stop(): Promise<void> } {
  return startRounds(services, { everyMs, first: 'later', failed: 'housekeeping failed' }, () => keepHouse(services))
}

/**
 * One round. It removes sessions, captchas and failed attempts that no longer count, half-written files of uploads,
 * and files of exports that have expired. It applies held operations that could not be applied when their project
 * went on.
 */
export async function keepHouse(services: Services): Promise<void> {
  const now = services.now()
  await withConnection(services.pool, async (connection) => {
    await connection.query('DELETE FROM session WHERE refresh_expires_at < $1', [now])
    await connection.query('DELETE FROM captcha WHERE expires_at < $1', [now])
    await dropAbandoned(connection, new Date(Date.parse(now) - ABANDONED_MS).toISOString())
    await connection.query('DELETE FROM login_failure WHERE at < $1', [
      new Date(Date.parse(now) - WINDOW_MS).toISOString(),
    ])
  })
  // People's work comes first, because the file store may be out of reach for a long time.
  await applyAllHeld(services)
  await sweepRuns(services)
  await services.files.sweep(Date.parse(now) - UNFINISHED_MS)
}
