import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/log.ts'

interface Rounds {
  readonly everyMs: number
  /** Whether the first round waits for its time, too. */
  readonly first: 'at once' | 'later'
  /** The log message for a round that failed; the next one tries again. */
  readonly failed: string
}

/**
 * Work that is done again and again while the server runs, until it is stopped; `stop` waits for the round under way.
 */
export function startRounds(
  { log }: { readonly log: Log },
  { everyMs, first, failed }: Rounds,
  round: (stopped: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const keepOn = async () => {
    if (first === 'later') await pause(everyMs, stopped.signal)
    while (!stopped.signal.aborted) {
      try {
        await round(stopped.signal)
      } catch (error) {
        log.error({ error }, failed)
      }
      await pause(everyMs, stopped.signal)
    }
  }
  const running = keepOn()
  return {
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}

/** Waits this long, or until it is stopped. */
async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopped, ref: false }).catch((error: unknown) => {
    if (!stopped.aborted) throw error
  })
}
