import { Dexie } from 'dexie'
import type { EntryTodo } from '#core/sync/entryMark.ts'

import type { CacheDb } from './databases.ts'
import { noteUnlisted } from './listed.ts'
import type { CacheRow, MarkRow, RowView } from './rows.ts'
import { idInView } from './view.ts'

/**
 * Marks of entries lie beside their rows, in the same transactions: how far each is, in the clear and without what was entered. A matrix
 * of thousands of patients is read from them alone. What gives way on a full disk leaves its marks behind, which are small.
 */

/** A sealed row, with the mark of an entry that is to lie beside it. */
export interface MarkedRow extends CacheRow {
  readonly mark?: MarkRow
}

/** The tables that change with cached rows: every transaction that puts or takes away rows goes over all of them. */
export function cachedTables(cache: CacheDb) {
  return [cache.rows, cache.marks, cache.unlisted]
}

/** Puts rows and the marks beside them. In the caller's transaction, over `cachedTables`. */
export async function putMarked(cache: CacheDb, rows: readonly MarkedRow[]): Promise<void> {
  await Promise.all([cache.rows.bulkPut(rows.map(withoutMark)), putMarks(cache, rows), noteUnlisted(cache, rows)])
}

/** Puts the marks of entries whose rows are kept away from this device. */
export async function putMarks(cache: CacheDb, rows: readonly MarkedRow[]): Promise<void> {
  const marks = rows.flatMap(({ mark }) => (mark === undefined ? [] : [mark]))
  if (marks.length > 0) await cache.marks.bulkPut(marks)
}

/** Takes rows away, and the marks beside them. */
export async function deleteMarked(cache: CacheDb, keys: readonly (readonly [string, string, string])[]): Promise<void> {
  const marks = keys.flatMap(([scope, kind, id]): [string, string][] => (kind === 'entry' ? [[scope, id]] : []))
  await Promise.all([
    cache.rows.bulkDelete(keys.map(([scope, kind, id]) => [scope, kind, id])),
    ...(marks.length === 0 ? [] : [cache.marks.bulkDelete(marks)]),
    noteUnlisted(cache, keys.map(([scope, kind, id]) => ({ scope, kind, id }))),
  ])
}

/** Patients whose marks are read in one go: more would keep the thread that draws for too long. */
const PATIENTS_AT_ONCE = 10
/** Marks that so many patients may have; where there are more in the range of their ids, it holds others as well. */
const IN_RANGE = 400

/**
 * Marks of the entries of some patients of a scope, in every view, by patient. Those who stand beside each other in a list were mostly enrolled
 * one after the other, so that their marks are one range: a request costs a tablet more than the rows that it brings.
 */
export async function marksOfPatients(cache: CacheDb, scope: string, patientIds: readonly string[]): Promise<ReadonlyMap<string, readonly MarkRow[]>> {
  const sorted = patientIds.toSorted()
  const all = new Map<string, readonly MarkRow[]>()
  for (let at = 0; at < sorted.length; at += PATIENTS_AT_ONCE) {
    const some = sorted.slice(at, at + PATIENTS_AT_ONCE)
    const range = cache.marks.where('[scope+patientId]').between([scope, some.at(0)], [scope, some.at(-1)], true, true)
    const rows = await range.limit(IN_RANGE).toArray()
    const found = Map.groupBy(rows, ({ patientId }) => patientId)
    for (const id of some) all.set(id, rows.length < IN_RANGE ? (found.get(id) ?? []) : await marksOfPatient(cache, scope, id))
  }
  return all
}

/** Marks of a patient's entries in a scope, in every view. */
export function marksOfPatient(cache: CacheDb, scope: string, patientId: string): Promise<MarkRow[]> {
  return cache.marks.where('[scope+patientId]').equals([scope, patientId]).toArray()
}

/** Marks that are read at once, so that no reading blocks its thread. */
const AT_ONCE = 250

/**
 * Marks of a scope that wait for somebody to go on, in a view, patient by patient: those enrolled first stand first.
 *
 * @param most so many are read; of more there is the count alone
 */
export async function marksToDo(cache: CacheDb, scope: string, todo: EntryTodo, view: RowView, most: number): Promise<{ readonly marks: readonly MarkRow[]; readonly count: number }> {
  const found = toDo(cache, scope, todo, view)
  const count = await found.count()
  const marks: MarkRow[] = []
  for (let at = 0; at < Math.min(count, most); at += AT_ONCE) marks.push(...(await found.clone().offset(at).limit(Math.min(AT_ONCE, most - at)).toArray()))
  return { marks, count }
}

/** Patients of a scope with a page that waits for somebody to go on, in a view. */
export async function patientsToDo(cache: CacheDb, scope: string, todo: EntryTodo, view: RowView): Promise<readonly string[]> {
  const keys = (await toDo(cache, scope, todo, view).keys()) as unknown as readonly [string, string, string][]
  return [...new Set(keys.map(([, , patientId]) => patientId))]
}

function toDo(cache: CacheDb, scope: string, todo: EntryTodo, view: RowView) {
  const place = idInView(todo, view)
  return cache.marks.where('[scope+todo+patientId]').between([scope, place, Dexie.minKey], [scope, place, Dexie.maxKey])
}

function withoutMark({ mark: _mark, ...row }: MarkedRow): CacheRow {
  return row
}
