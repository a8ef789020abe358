import { Dexie, RangeSet } from 'dexie'
import type { IndexableType, IntervalTree } from 'dexie'

import type { WorkDb } from './databases.ts'
import type { BouncedRow, DraftRow, FileRow, MetaRow, OutboxRow, ReceiptRow } from './rows.ts'

/**
 * The writes that are worth it, on the bare IndexedDB: the save, for which a person waits, and what a drain does a
 * thousand times. The library's own transaction takes about as long as the disk does
 * (`npm run bench -- sync --only=save`). All requests set out at once, and what the write relies on is looked at in the
 * same transaction.
 */

interface Tables {
  readonly outbox: OutboxRow
  readonly drafts: DraftRow
  readonly receipts: ReceiptRow
  readonly bounced: BouncedRow
  readonly files: FileRow
  readonly meta: MetaRow
}

/** What must be in a row, or the write has no effect. */
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
 * @param durability `strict`: on the disk when it resolves. `relaxed`: all of it or nothing after a pulled battery
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
      // The rows of a table have its type.
      held = holds(request.result as undefined)
      if (!held) transaction.abort()
      // All is said: the disk need not wait until each single change has been answered.
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
    // What was asked for before must not be written without the rest.
    if (transaction.error === null) transaction.abort()
    await committed.catch(() => undefined)
    throw transaction.error ?? thrown
  }
  await committed
  // Who watches hears of it a little later anyway (offline/db/watch.ts); who waits for the write goes on first.
  if (held) setTimeout(() => tell(work, changes))
  return held
}

/**
 * Tells those who watch tables, in all tabs, as the library does after transactions of its own: which keys have come,
 * changed or gone. What the rows were is not known here, so any place of an index may have changed.
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
