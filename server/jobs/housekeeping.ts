import { setTimeout as sleep } from 'node:timers/promises'
import { WINDOW_MS } from '#server/areas/auth/attempts.ts'
import { applyAllHeld } from '#server/areas/entry/held.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Services } from '#server/services.ts'

/** What has to be looked after while the server runs. */

const EVERY_MS = 60_000

/** Housekeeping that goes on until it is stopped; `stop` waits for what is under way. */
export function startHousekeeping(services: Services, everyMs = EVERY_MS): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const running = keepOn(services, everyMs, stopped.signal)
  return {
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}

async function keepOn(services: Services, everyMs: number, stopped: AbortSignal): Promise<void> {
  while (await waited(everyMs, stopped)) {
    try {
      await keepHouse(services)
    } catch (error) {
      // The next round tries again.
      services.log.error({ error }, 'housekeeping failed')
    }
  }
}

/** Whether the time passed; false when it was cut short. */
async function waited(milliseconds: number, stopped: AbortSignal): Promise<boolean> {
  return sleep(milliseconds, true, { signal: stopped, ref: false }).catch((error: unknown) => {
    if (stopped.aborted) return false
    throw error
  })
}

/**
 * One round: removes sessions, captchas and failed attempts that count no more, and applies what a pause held back and what could not be
 * applied when the project went on.
 */
export async function keepHouse(services: Services): Promise<void> {
  const now = services.now()
  await withConnection(services.pool, async (connection) => {
    await connection.query('DELETE FROM session WHERE refresh_expires_at < $1', [now])
    await connection.query('DELETE FROM captcha WHERE expires_at < $1', [now])
    await connection.query('DELETE FROM login_failure WHERE at < $1', [new Date(Date.parse(now) - WINDOW_MS).toISOString()])
  })
  await applyAllHeld(services)
}
