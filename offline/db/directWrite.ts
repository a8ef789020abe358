import { Dexie, RangeSet } from 'dexie'
import type { IndexableType, IntervalTree } from 'dexie'

import type { WorkDb } from './databases.ts'
import type { BouncedRow, DraftRow, FileRow, MetaRow, OutboxRow, ReceiptRow } from './rows.ts'

/**
 * Frequent or urgent writes, directly on IndexedDB: the save, for which a person waits, and writes that sending the
 * outbox repeats a thousand times. A transaction of Dexie's own takes about as long as the disk does (`npm run bench --
 * sync --only=save`). All requests are made at once, and the conditions of the write are checked in the same
 * transaction.
 */

interface Tables {
  readonly outbox: OutboxRow
  readonly drafts: DraftRow
  readonly receipts: ReceiptRow
  readonly bounced: BouncedRow
  readonly files: FileRow
  readonly meta: MetaRow
}

/** The expected state of a row; where it does not hold, the write has no effect. */
export type Expectation = {
  readonly [Name in keyof Tables]: {
    readonly table: Name
    readonly key: string
    readonly holds: (row: Tables[Name] | undefined) => boolean
  }
}[keyof Tables]

export type Change =
  | {
      readonly [Name in keyof Tables]: { readonly table: Name; readonly key: string; readonly row: Tables[Name] }
    }[keyof Tables]
  | { readonly table: keyof Tables; readonly key: string; readonly row: null }

/**
 * Makes changes on the disk, all or none of them. A row of `null` is deleted.
 *
 * @param durability `strict`: on the disk when it resolves. `relaxed`: all or nothing after a sudden power loss
 * @returns false where an expectation does not hold: then nothing was written
 * @throws DOMException as IndexedDB gives it (offline/db/storageError.ts knows them)
 */
export async function writeDirectly(
  work: WorkDb,
  expected: readonly Expectation[],
  changes: readonly Change[],
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<boolean> {
  if (!work.isOpen()) await work.open()
  const names = [...new Set([...expected, ...changes].map(({ table }) => table))]
  const transaction = work.backendDB().transaction(names, 'readwrite', { durability })
  let held = true
  let awaited = expected.length
  const committed = new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () =>
      held ? reject(transaction.error ?? new DOMException('the connection is gone', 'InvalidStateError')) : resolve(),
    )
  })
  for (const { table, key, holds } of expected) {
    const request: IDBRequest<unknown> = transaction.objectStore(table).get(key)
    request.addEventListener('success', () => {
      if (!held) return
      awaited -= 1
      // The rows of a table have that table's type.
      held = holds(request.result as undefined)
      if (!held) transaction.abort()
      // All requests are made: the commit need not wait for the answer to each of them.
      else if (awaited === 0) transaction.commit()
    })
  }
  try {
    for (const { table, key, row } of changes) {
      const store = transaction.objectStore(table)
      if (row === null) store.delete(key)
      else store.put(row)
    }
    if (awaited === 0) transaction.commit()
  } catch (thrown) {
    // The requests that were made before must not be written without the rest.
    if (transaction.error === null) transaction.abort()
    await committed.catch(() => undefined)
    throw transaction.error ?? thrown
  }
  await committed
  // Watchers are told a little later anyway (offline/db/watch.ts); the writer, who waits, goes on first.
  if (held) setTimeout(() => tell(work, changes))
  return held
}

/**
 * Tells watchers of tables in all tabs which keys were added, changed or removed, as Dexie does after its own
 * transactions. The former rows are not known here, so any place of an index may have changed.
 */
function tell(work: WorkDb, changes: readonly Change[]): void {
  const parts: Record<string, IntervalTree> = {}
  for (const [table, ofTable] of Map.groupBy(changes, (change) => change.table)) {
    const at = `idb://${work.name}/${table}/`
    const keys = ofTable.map(({ key }): IndexableType => key)
    parts[at] = new RangeSet().addKeys(keys)
    parts[`${at}:dels`] = new RangeSet().addKeys(keys)
    for (const { name } of work.table(table).schema.indexes) {
      parts[`${at}${name}`] = new RangeSet(Dexie.minKey, Dexie.maxKey)
    }
  }
  Dexie.on.storagemutated.fire(parts)
}
