import { Dexie } from 'dexie'
import { ApiFailure } from '#core/api/errors.ts'

import { attempt } from './storageError.ts'

/** How databases are opened, and opened again. */

/** A browser that closes a database each time it is opened is not asked for ever. */
const MOST_OPENINGS = 5

/**
 * Has work done each time when a database has been opened, before anybody else uses it. Where the database is closed in
 * the middle of that, as browsers do on waking from sleep, the opening fails at once: Dexie lets the work wait for the
 * opening then, and the opening waits for the work.
 */
export function whileOpening(db: Dexie, work: () => Promise<void>): void {
  db.on(
    'ready',
    () => {
      const { promise: closed, reject } = Promise.withResolvers<never>()
      const onClose = (): void => reject(new Dexie.DatabaseClosedError())
      db.on('close', onClose)
      return Promise.race([work(), closed]).finally(() => db.on.close.unsubscribe(onClose))
    },
    true,
  )
}

/**
 * Opens a database again. A handle that the browser closed is of no use any more, even where Dexie still takes it for
 * open; an opening under way ends with it, and is begun anew.
 */
async function openAnew(db: Dexie): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    db.close({ disableAutoOpen: false })
    const opened = await attempt(() => db.open())
    if (opened.ok) return
    if (opened.error.code !== 'storage_closed' || tries === MOST_OPENINGS) throw new ApiFailure(opened.error)
  }
}

/** Opens databases again that were closed, once for all who meet them so at the same time. */
export class Reopening {
  readonly #databases: readonly Dexie[]
  readonly #isOver: () => boolean
  #times = 0
  #running: Promise<void> | null = null

  /** @param isOver whether they are closed for good */
  constructor(databases: readonly Dexie[], isOver: () => boolean) {
    this.#databases = databases
    this.#isOver = isOver
  }

  /** How often they were opened again. */
  get times(): number {
    return this.#times
  }

  /**
   * Opens them again, unless that was done since whoever asks began.
   *
   * @param times how often they had been opened then
   */
  unlessSince(times: number): Promise<void> {
    if (this.#times > times) return Promise.resolve()
    this.#running ??= this.#openAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #openAll(): Promise<void> {
    for (const db of this.#databases) if (!this.#isOver()) await openAnew(db)
    this.#times += 1
  }
}
