import { Worker } from 'node:worker_threads'
import { newId } from '#core/ids.ts'
import { withConnection } from '#server/database/transaction.ts'
import { releaseLeases } from '#server/jobs/leases.ts'
import type { Services } from '#server/services.ts'
import { settingFor } from '#server/threads/setting.ts'
import type { MigrationSetting } from '#server/threads/setting.ts'

/**
 * Migrations in their own thread, so that the rules and values of a whole project do not slow down people who enter
 * data. If the thread dies, or works on one patient too long, it is replaced. The database counts how often a task
 * causes that (`jobs/runner.ts`).
 */

export interface MigrationLimits {
  /** Longest time for the turn of one patient, in ms, and most memory, in MB. */
  readonly turnMs: number
  readonly memoryMb: number
  /** How long after its death the thread is started again, in ms. */
  readonly againMs: number
}

/** How often the thread is told whether there is room, ms. */
const TELL_MS = 1_000

const LIMITS: MigrationLimits = { turnMs: 120_000, memoryMb: 768, againMs: 5_000 }

/** Migrating that goes on until it is stopped; `stop` waits for the patient under way. */
export function startMigrationThread(
  services: Pick<Services, 'config' | 'pool' | 'secrets' | 'log' | 'health'>,
  limits: MigrationLimits = LIMITS,
): { stop(): Promise<void> } {
  const { log } = services
  let stopped = false
  let again: NodeJS.Timeout | undefined
  let gone = Promise.resolve()
  let worker: Worker

  const begin = (): void => {
    const setting: MigrationSetting = { ...settingFor(services), holder: newId() }
    const thread = new Worker(new URL('./migrationThread.ts', import.meta.url), {
      workerData: setting,
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    })
    let clock: NodeJS.Timeout | undefined
    thread.on('message', (turn: 'begins' | 'ends') => {
      clearTimeout(clock)
      if (turn === 'ends') return
      clock = setTimeout(() => {
        log.error('the turn of a patient in a migration took too long, and its thread was ended')
        void thread.terminate()
      }, limits.turnMs)
    })
    thread.on('error', (error: unknown) => log.error({ error }, 'the thread of migrations ended'))
    gone = new Promise((resolve) => {
      thread.once('exit', () => {
        clearTimeout(clock)
        if (!stopped) again = setTimeout(() => void beginAgain(setting), limits.againMs)
        resolve()
      })
    })
    worker = thread
  }
  const beginAgain = async (died: MigrationSetting): Promise<void> => {
    await giveBack(services, died)
    if (!stopped) begin()
  }
  begin()
  const telling = setInterval(() => worker.postMessage({ isFull: services.health?.isFull === true }), TELL_MS).unref()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(again)
      clearInterval(telling)
      worker.postMessage('stop')
      await gone
    },
  }
}

/** Gives back the jobs of a thread that died. Where the database cannot be reached, their leases expire. */
async function giveBack(
  { pool, log }: Pick<Services, 'pool' | 'log'>,
  { holder }: Pick<MigrationSetting, 'holder'>,
): Promise<void> {
  try {
    await withConnection(pool, (connection) => releaseLeases(connection, holder))
  } catch (error) {
    log.warn({ error }, 'the jobs of a thread that died were not given back')
  }
}
