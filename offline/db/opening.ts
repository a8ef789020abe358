import { Dexie } from 'dexie'
import { ApiFailure } from '#core/api/errors.ts'

import { attempt } from './storageError.ts'

/** How databases are opened and reopened. */

/** How often a database is opened again when the browser closes it each time. */
const MOST_OPENINGS = 5

/**
 * Runs work each time a database has been opened, before anything else uses the database. On waking from sleep,
 * browsers may close the database in the middle of that work. The opening then fails at once; otherwise Dexie would let
 * the work wait for the opening, while the opening waits for the work.
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
 * Opens a database again. A handle that the browser closed is useless, even where Dexie still takes it for open. An
 * opening that is under way ends here, and is begun anew.
 */
async function openAnew(db: Dexie): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    db.close({ disableAutoOpen: false })
    const opened = await attempt(() => db.open())
    if (opened.ok) return
    if (opened.error.code !== 'storage_closed' || tries === MOST_OPENINGS) throw new ApiFailure(opened.error)
  }
}

/** Reopens databases that were closed: once for all callers that find them closed at the same time. */
export class Reopening {
  readonly #databases: readonly Dexie[]
  readonly #isOver: () => boolean
  #times = 0
  #running: Promise<void> | null = null

  /** @param isOver whether the databases are closed for good */
  constructor(databases: readonly Dexie[], isOver: () => boolean) {
    this.#databases = databases
    this.#isOver = isOver
  }

  /** How often the databases were opened again. */
  get times(): number {
    return this.#times
  }

  /**
   * Opens the databases again, unless that has happened since the caller began.
   *
   * @param times how often the databases had been reopened when the caller began
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
