import { Dexie } from 'dexie'
import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'

import { makeSpaceReserve } from './spaceReserve.ts'
import type { SpaceReserve } from './spaceReserve.ts'
import { CacheDb, WorkDb } from './databases.ts'
import type { Databases } from './databases.ts'
import { FullDisk } from './fullDisk.ts'
import { getMeta, setMeta } from './meta.ts'
import { Reopening, whileOpening } from './opening.ts'
import type { Crowded, Need } from './room.ts'
import { guardStorage } from './storageError.ts'
import { watch } from './watch.ts'

export interface OpenOptions {
  /** Prefix of the databases' names; tests give each device its own. */
  readonly prefix?: string
  /** Called when another tab wants to change the schema: flush what is in memory and ask for a reload. */
  readonly onVersionChange?: () => Promise<void>
  /**
   * Called when the browser has cleared the databases under the running app. From then on nothing is read or stored
   * until the app is loaded anew.
   */
  readonly onLost?: () => void
  /** The reserve that is given up on a full disk; by default the best one that the browser can have. */
  readonly reserve?: (cache: CacheDb) => SpaceReserve
}

/** The open databases of this device, and the only way to work on them. Failures of the storage come back as values. */
export interface Storage extends Crowded {
  /**
   * Runs work. After an unexpected close the databases are opened again, and on a full disk room is made; then the work
   * is repeated once.
   *
   * @param need what may give way on a full disk. For people's work, which is the default, more may go than for what
   *   can be fetched again
   */
  run<Value>(work: (databases: Databases) => Promise<Value>, need?: Need): Promise<Result<Value, ApiError>>
  /** Calls back after changes of tables, in whatever tab or thread they were made (offline/db/watch.ts). */
  watch(tables: readonly string[], changed: () => void): () => void
  /** When a write last met a full disk, ms since the epoch; 0 when none did since the app started. */
  readonly fullAt: () => number
  close(): void
}

const FLUSH_LIMIT_MS = 2000

/** Opens both databases. They reopen by themselves when the browser closes them. */
export function openStorage({
  prefix = 'zhenglu',
  onVersionChange,
  onLost,
  reserve = (cache) => makeSpaceReserve(cache, `${prefix}-ballast`),
}: OpenOptions = {}): Storage {
  const databases: Databases = { work: new WorkDb(`${prefix}-work`), cache: new CacheDb(`${prefix}-cache`) }
  const { work: workDb } = databases
  const crowded: Crowded = { ...databases, reserve: reserve(databases.cache) }
  const fullDisk = new FullDisk(crowded)
  let closed = false
  let lost = false

  const reopening = new Reopening([databases.work, databases.cache], () => closed)
  const run: Storage['run'] = async (work, need = 'work') => {
    const once = async () => {
      if (lost) return err<ApiError>({ code: 'storage_lost' })
      const { times } = reopening
      return guardStorage(
        () => work(databases),
        () => reopening.unlessSince(times),
      )
    }
    const given = fullDisk.given()
    const first = await once()
    if (lost) return err({ code: 'storage_lost' })
    return first.ok || first.error.code !== 'storage_full' ? first : fullDisk.again(first, once, need, given)
  }

  let born: string | null = null
  // Each opening first checks that the database is still the same one as before.
  whileOpening(workDb, async () => {
    const found = (await getMeta(workDb, 'born')) ?? (born === null ? await madeBorn(workDb) : null)
    if (born !== null && found !== born) {
      if (!lost) onLost?.()
      lost = true
      throw fail('storage_lost')
    }
    born = found
    const connection = workDb.backendDB() as IDBDatabase | null
    // The database was closed again during this check: the same error as for any work on a closed database.
    if (connection === null) throw new Dexie.DatabaseClosedError()
    // The browser closed the database, on waking from sleep or because the data were cleared. It is checked now and not
    // at the next keystroke.
    connection.addEventListener('close', () => {
      if (!closed) void run(({ work }) => getMeta(work, 'born'))
    })
  })
  for (const db of [databases.work, databases.cache]) {
    db.on('versionchange', () => {
      void flushInTime(onVersionChange).then(() => db.close({ disableAutoOpen: false }))
      // By default Dexie would close the database before anything is flushed.
      return false
    })
  }
  return {
    ...crowded,
    run,
    watch: (tables, changed) => watch(databases, tables, changed),
    fullAt: () => fullDisk.at,
    close: () => {
      closed = true
      databases.work.close()
      databases.cache.close()
    },
  }
}

/** Marks a database that is new, or older than such marks. When two tabs do it at once, the first mark counts. */
function madeBorn(db: WorkDb): Promise<string> {
  return db.transaction('rw', db.meta, async () => {
    const known = await getMeta(db, 'born')
    if (known !== undefined) return known
    const made = newId()
    await setMeta(db, 'born', made)
    return made
  })
}

/** The other tab waits for this one: what is in memory is written to the disk first, but only within a time limit. */
async function flushInTime(flush: (() => Promise<void>) | undefined): Promise<void> {
  if (flush === undefined) return
  await Promise.race([flush(), new Promise<void>((resolve) => setTimeout(resolve, FLUSH_LIMIT_MS))])
}
