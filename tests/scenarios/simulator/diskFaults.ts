import { Dexie } from 'dexie'
import type { DBCore, DBCoreMutateRequest, DBCoreTable } from 'dexie'
import type { WorkDb } from '#offline/db/databases.ts'
import type { Room } from './simTablet.ts'

/** What a browser's storage does to an app: it is full, closed, or gone with the thread that used it. */
export class Disk {
  room: Room = 'enough'
  /** The next commit is made, and the database closed before it can say so. */
  closesAfterCommit = false

  /** Lets the commits of a database meet what may befall them. */
  watchCommits(db: WorkDb): void {
    const transaction = db.transaction.bind(db) as (...given: unknown[]) => PromiseLike<unknown>
    const bulkPut = db.drafts.bulkPut.bind(db.drafts) as (...given: unknown[]) => PromiseLike<unknown>
    const watched =
      (work: (...given: unknown[]) => PromiseLike<unknown>) =>
      (...given: unknown[]) =>
        work(...given).then((value) => {
          // Inside of another transaction nothing has been committed yet.
          if (!this.closesAfterCommit || given[0] === 'r' || Dexie.currentTransaction !== null) return value
          this.closesAfterCommit = false
          closeUnder(db)
          throw new DOMException('closed', 'InvalidStateError')
        })
    Object.assign(db, { transaction: watched(transaction) })
    Object.assign(db.drafts, { bulkPut: watched(bulkPut) })
  }
}

/** What a thread does step by step: writing down data that were fetched, and requests and all other writes. */
type StepKind = 'fetched' | 'other'

/** The life of one thread of an app: after so many more steps, everything that it tries fails. */
export class Thread {
  #left = Number.POSITIVE_INFINITY
  #counts: 'fetched' | undefined

  get dead(): boolean {
    return this.#left <= 0
  }

  /** The thread dies at the nth step from now; at 0, now. */
  dieAfter(steps: number, counts?: 'fetched'): void {
    this.#left = Math.min(this.#left, steps)
    this.#counts = counts
  }

  kill(): void {
    this.#left = 0
  }

  /** One step more. Gives whether the thread is still there to do it. */
  step(kind: StepKind): boolean {
    if (this.#counts === undefined || this.#counts === kind) this.#left -= 1
    return !this.dead
  }
}

/**
 * Puts the faults of a disk and a thread under a database. A write of a dead thread fails, and with it its whole
 * transaction.
 */
export function faultyDisk(db: Dexie, disk: Disk, thread: Thread): void {
  let isOfLibrary = false
  db.use({
    stack: 'dbcore',
    name: 'faults',
    create: (below): DBCore => ({
      ...below,
      transaction: (...args) => {
        if (thread.dead) throw gone()
        isOfLibrary = true
        try {
          return below.transaction(...args)
        } finally {
          isOfLibrary = false
        }
      },
      table: (name): DBCoreTable => {
        const table = below.table(name)
        return {
          ...table,
          mutate: (request) => {
            const refused = refusal(request, disk, thread)
            return refused === null ? table.mutate(request) : Promise.reject(refused)
          },
        }
      },
    }),
  })
  // What is written past the library (offline/db/directWrite.ts) meets the same.
  db.on(
    'ready',
    () => {
      const connection: IDBDatabase | null = db.backendDB()
      // Its app died while it was opened.
      if (connection === null) return
      const transaction = connection.transaction.bind(connection)
      connection.transaction = (...args) => {
        if (isOfLibrary) return transaction(...args)
        if (thread.dead) throw gone()
        return faultyTransaction(transaction(...args), db, disk, thread)
      }
    },
    true,
  )
}

function faultyTransaction(transaction: IDBTransaction, db: Dexie, disk: Disk, thread: Thread): IDBTransaction {
  const objectStore = transaction.objectStore.bind(transaction)
  const listen = transaction.addEventListener.bind(transaction)
  const onAbort: (() => void)[] = []
  const refuse = (refused: DOMException | null): void => {
    if (refused === null) return
    Object.defineProperty(transaction, 'error', { value: refused })
    transaction.abort()
  }
  return Object.assign(transaction, {
    objectStore: (name: string): IDBObjectStore => {
      const store = objectStore(name)
      const put = store.put.bind(store)
      const remove = store.delete.bind(store)
      return Object.assign(store, {
        put: (value: unknown) => {
          const request = put(value)
          refuse(refusal({ type: 'put', values: [value] }, disk, thread))
          return request
        },
        delete: (key: IDBValidKey) => {
          const request = remove(key)
          refuse(refusal({ type: 'delete' }, disk, thread))
          return request
        },
      })
    },
    addEventListener: (type: string, listener: () => void): void => {
      if (type === 'abort') onAbort.push(listener)
      if (type !== 'complete') return listen(type, listener)
      listen(type, () => {
        if (!disk.closesAfterCommit) return listener()
        disk.closesAfterCommit = false
        closeUnder(db)
        for (const aborted of onAbort) aborted()
      })
    },
  })
}

type Write = Pick<DBCoreMutateRequest, 'type'> & { readonly values?: readonly unknown[] }

function refusal({ type, values = [] }: Write, disk: Disk, thread: Thread): DOMException | null {
  const sealed = sealedIn(values)
  // Rows of the server stand under this name in the cache.
  if (!thread.step(sealed.includes('row') ? 'fetched' : 'other')) return gone()
  const grows = type === 'add' || type === 'put'
  const fits = disk.room === 'enough' || (disk.room === 'little' && sealed.length === 0)
  return grows && !fits ? new DOMException('no room', 'QuotaExceededError') : null
}

/** Names of what is sealed in what is written: that is the most of what an app stores. */
function sealedIn(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) =>
    Object.entries(value ?? {}).flatMap(([name, part]) =>
      typeof part === 'object' && part !== null && 'iv' in part ? [name] : [],
    ),
  )
}

/** The thread is gone; whatever it would have done with this, it does not. */
function gone(): DOMException {
  return new DOMException('the thread is gone', 'AbortError')
}

/** What waking from sleep does: the connection is gone, and nobody asked. */
export function closeUnder(db: Dexie): void {
  if (!db.isOpen()) return
  db.backendDB().close()
  db.close({ disableAutoOpen: true })
}
