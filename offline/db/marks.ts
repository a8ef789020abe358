import { Dexie } from 'dexie'
import type { EntryTodo } from '#core/sync/entryMark.ts'

import { markRecordOf } from './markRecord.ts'
import type { CacheDb } from './databases.ts'
import { indexKeys } from './indexKeys.ts'
import { noteUnlisted } from './listed.ts'
import type { CacheRow, CasebookRow, MarkRow, PackRow, RowView, Sealed, TodoKey } from './rows.ts'
import { idInView, viewOf } from './view.ts'

/**
 * Marks of entries are stored beside their rows, in the same transactions: they say in the clear how far each entry is,
 * without what was entered. A matrix of thousands of patients is read from marks alone. Rows that give way on a full
 * disk leave their marks behind, which are small. A mark also says where its entry's row is: stored by itself, or in a
 * pack with others of the patient.
 */

/** A row as it is stored. `row` is null where the row is in a pack, which its mark names. */
export interface MarkedRow extends Omit<CacheRow, 'row'> {
  readonly row: Sealed | null
  readonly mark?: MarkRow
}

/** Sealed rows, ready to be put in one transaction. */
export interface SealedRows {
  readonly rows: readonly MarkedRow[]
  readonly packs: readonly PackRow[]
}

type Key = readonly [scope: string, kind: string, id: string]

/** The tables that change together with cached rows: every transaction that puts or removes rows covers all of them. */
export function cachedTables(cache: CacheDb) {
  return [cache.rows, cache.packs, cache.casebooks, cache.unlisted]
}

/** Puts rows and the marks beside them. In the caller's transaction, over `cachedTables`. */
export async function putMarked(cache: CacheDb, { rows, packs }: SealedRows): Promise<void> {
  await Promise.all([
    cache.rows.bulkPut(rows.flatMap(byItself)),
    // An empty write is left out, so that watchers of entries are not woken by other rows.
    ...(packs.length === 0 ? [] : [cache.packs.bulkPut(packs)]),
    putMarks(cache, rows),
    noteUnlisted(cache, rows),
  ])
}

function byItself({ mark: _mark, row, ...place }: MarkedRow): CacheRow[] {
  return row === null ? [] : [{ ...place, row }]
}

/**
 * Puts the marks of entries, also of entries whose rows are not stored on this device. The former rows of these entries
 * are removed.
 */
export async function putMarks(cache: CacheDb, rows: readonly MarkedRow[]): Promise<void> {
  await putMarkRows(
    cache,
    rows.flatMap(({ mark }) => (mark === undefined ? [] : [mark])),
  )
}

/** The same, for marks without rows. */
export async function putMarkRows(cache: CacheDb, marks: readonly MarkRow[]): Promise<void> {
  if (marks.length === 0) return
  const byPatient = [...Map.groupBy(marks, ({ scope, patientId }) => `${scope} ${patientId}`).values()]
  const keys = byPatient.flatMap(([first]): [string, string][] =>
    first === undefined ? [] : [[first.scope, first.patientId]],
  )
  const known = await cache.casebooks.bulkGet(keys)
  const changed = keys.map(([scope, patientId], at) => ({
    before: known[at],
    after: markRecordOf(scope, patientId, [...(known[at]?.marks ?? []), ...(byPatient[at] ?? [])]),
  }))
  await putCasebooks(cache, changed)
}

/** Replaces casebooks; packs and rows that they no longer name are removed with the old ones. */
async function putCasebooks(
  cache: CacheDb,
  changed: readonly { readonly before: CasebookRow | undefined; readonly after: CasebookRow }[],
): Promise<void> {
  const packs: [string, string, string][] = []
  const singles: [string, string, string][] = []
  for (const { before, after } of changed) {
    if (before === undefined) continue
    const { scope, patientId } = after
    const left = packsIn(after)
    for (const id of packsIn(before)) if (!left.has(id)) packs.push([scope, patientId, id])
    const packed = new Set(after.marks.flatMap(({ id, pack }) => (pack === undefined ? [] : [id])))
    for (const { id, pack } of before.marks)
      if (pack === undefined && packed.has(id)) singles.push([scope, 'entry', id])
  }
  const left = changed.flatMap(({ after }) => (after.marks.length > 0 ? [after] : []))
  const emptied = changed.flatMap(({ after: { marks, scope, patientId } }): [string, string][] =>
    marks.length > 0 ? [] : [[scope, patientId]],
  )
  // Empty requests are left out: a transaction that waits without a request may end.
  await Promise.all([
    ...(left.length === 0 ? [] : [cache.casebooks.bulkPut(left)]),
    ...(emptied.length === 0 ? [] : [cache.casebooks.bulkDelete(emptied)]),
    ...(packs.length === 0 ? [] : [cache.packs.bulkDelete(packs)]),
    ...(singles.length === 0 ? [] : [cache.rows.bulkDelete(singles)]),
  ])
}

function packsIn({ marks }: CasebookRow): ReadonlySet<string> {
  return new Set(marks.flatMap(({ pack }) => (pack === undefined ? [] : [pack])))
}

/** Removes rows, and the marks beside them. */
export async function deleteMarked(cache: CacheDb, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  const going = keys.filter(([, kind]) => kind === 'entry')
  // A transaction must not wait before it has made a request.
  const casebooks = going.length === 0 ? [] : await casebooksWith(cache, going)
  const gone = new Set(going.map(([scope, , id]) => `${scope} ${id}`))
  const changed = casebooks.map((before) => ({
    before,
    after: markRecordOf(
      before.scope,
      before.patientId,
      before.marks.filter(({ scope, id }) => !gone.has(`${scope} ${id}`)),
    ),
  }))
  await Promise.all([
    cache.rows.bulkDelete(keys.map(([scope, kind, id]) => [scope, kind, id])),
    putCasebooks(cache, changed),
    noteUnlisted(
      cache,
      keys.map(([scope, kind, id]) => ({ scope, kind, id })),
    ),
  ])
}

/** Removes a patient's entries in a view, with their marks. In the caller's transaction. */
export async function deletePatient(cache: CacheDb, scope: string, patientId: string, view: RowView): Promise<void> {
  const left = await cache.rows.where('[kind+parent]').equals(['entry', patientId]).primaryKeys()
  const packs = await packsOfScope(cache, scope, patientId).primaryKeys()
  const before = await cache.casebooks.get([scope, patientId])
  await cache.rows.bulkDelete(left.filter(([of, , id]) => of === scope && viewOf(id) === view))
  await cache.packs.bulkDelete(packs.filter(([, , id]) => viewOf(id) === view))
  if (before !== undefined)
    await putCasebooks(cache, [
      {
        before,
        after: markRecordOf(
          scope,
          patientId,
          before.marks.filter(({ id }) => viewOf(id) !== view),
        ),
      },
    ])
}

/** Removes the packs and all marks of a scope. In the caller's transaction. */
export async function deleteScope(cache: CacheDb, scope: string): Promise<void> {
  await packsOfScope(cache, scope).delete()
  await casebooksOfScope(cache, scope).delete()
}

/** Packs of a scope, or of one of its patients. */
function packsOfScope(cache: CacheDb, scope: string, patientId: string | null = null) {
  const from = patientId === null ? [scope] : [scope, patientId]
  return cache.packs.where('[scope+patientId+id]').between(from, [...from, Dexie.maxKey])
}

export function casebooksOfScope(cache: CacheDb, scope: string) {
  return cache.casebooks.where('[scope+patientId]').between([scope, Dexie.minKey], [scope, Dexie.maxKey])
}

/**
 * The casebooks that hold these entries. For rows stored by themselves, the row names its patient. For other entries
 * all casebooks of the scope are searched, which is rare: an entry leaves a device with its patient.
 */
async function casebooksWith(cache: CacheDb, keys: readonly Key[]): Promise<readonly CasebookRow[]> {
  if (keys.length === 0) return []
  const rows = await cache.rows.bulkGet(keys.map(([scope, kind, id]) => [scope, kind, id]))
  const places = new Map(
    rows.flatMap((row): [string, [string, string]][] =>
      row === undefined ? [] : [[`${row.scope} ${row.parent}`, [row.scope, row.parent]]],
    ),
  )
  const found =
    places.size === 0
      ? []
      : (await cache.casebooks.bulkGet([...places.values()])).filter((casebook) => casebook !== undefined)
  const unknown = keys.filter((_, at) => rows[at] === undefined)
  for (const [scope, ofScope] of Map.groupBy(unknown, ([of]) => of)) {
    const ids = new Set(ofScope.map(([, , id]) => id))
    await casebooksOfScope(cache, scope).each((casebook) => {
      if (!places.has(`${scope} ${casebook.patientId}`) && casebook.marks.some(({ id }) => ids.has(id)))
        found.push(casebook)
    })
  }
  return found
}

/** Marks of those of the entries that are in packs. */
export async function packedMarks(cache: CacheDb, keys: readonly Key[]): Promise<readonly MarkRow[]> {
  const entries = keys.filter(([, kind]) => kind === 'entry')
  const wanted = new Set(entries.map(([scope, , id]) => `${scope} ${id}`))
  return (await casebooksWith(cache, entries)).flatMap(({ marks }) =>
    marks.filter(({ scope, id, pack }) => pack !== undefined && wanted.has(`${scope} ${id}`)),
  )
}

/**
 * What is known of a row that is here: its change number, the epoch of that number, and the users from whom it is
 * withheld.
 */
export type Known = Pick<CacheRow, 'seq' | 'epoch' | 'notFor'>

/** The same for rows that are to be put, where they are here already. */
export async function knownOf(cache: CacheDb, rows: readonly MarkedRow[]): Promise<readonly (Known | undefined)[]> {
  const known = await cache.rows.bulkGet(rows.map(({ scope, kind, id }): [string, string, string] => [scope, kind, id]))
  const patients = new Map(
    rows.flatMap(({ scope, kind, parent }): [string, [string, string]][] =>
      kind === 'entry' ? [[`${scope} ${parent}`, [scope, parent]]] : [],
    ),
  )
  if (patients.size === 0) return known
  const casebooks = await cache.casebooks.bulkGet([...patients.values()])
  const packed = new Map(
    casebooks.flatMap((one) =>
      (one?.marks ?? []).flatMap((mark): [string, MarkRow][] =>
        mark.pack === undefined ? [] : [[`${mark.scope} ${mark.id}`, mark]],
      ),
    ),
  )
  return rows.map(({ scope, kind, id }, at) => {
    const mark = kind === 'entry' ? packed.get(`${scope} ${id}`) : undefined
    if (mark === undefined) return known[at]
    return {
      seq: mark.seq ?? 0,
      ...(mark.epoch === undefined ? {} : { epoch: mark.epoch }),
      ...(mark.notFor === undefined ? {} : { notFor: mark.notFor }),
    }
  })
}

/** The patient to whose entry an id of a cached row belongs; null where no entry here has that id. */
export async function patientOfEntry(cache: CacheDb, scope: string, id: string): Promise<string | null> {
  const [casebook] = await casebooksWith(cache, [[scope, 'entry', id]])
  return casebook?.patientId ?? null
}

/** Casebooks that are read at once: more would block the thread that draws for too long. */
const PATIENTS_AT_ONCE = 50

/** Marks of the entries of some patients of a scope, in every view, by patient. */
export async function marksOfPatients(
  cache: CacheDb,
  scope: string,
  patientIds: readonly string[],
): Promise<ReadonlyMap<string, readonly MarkRow[]>> {
  const all = new Map<string, readonly MarkRow[]>()
  for (let at = 0; at < patientIds.length; at += PATIENTS_AT_ONCE) {
    const some = patientIds.slice(at, at + PATIENTS_AT_ONCE)
    const found = await cache.casebooks.bulkGet(some.map((id): [string, string] => [scope, id]))
    some.forEach((id, place) => all.set(id, found[place]?.marks ?? []))
  }
  return all
}

/** Marks of a patient's entries in a scope, in every view. */
export async function marksOfPatient(cache: CacheDb, scope: string, patientId: string): Promise<readonly MarkRow[]> {
  return (await cache.casebooks.get([scope, patientId]))?.marks ?? []
}

/** Marks of a scope that a reader asks for, patient by patient. */
export async function marksOfScope(
  cache: CacheDb,
  scope: string,
  wanted: (mark: MarkRow) => boolean,
): Promise<readonly MarkRow[]> {
  const found: MarkRow[] = []
  for (let after: string | typeof Dexie.minKey | null = Dexie.minKey; after !== null;) {
    const batch: CasebookRow[] = await cache.casebooks
      .where('[scope+patientId]')
      .between([scope, after], [scope, Dexie.maxKey], false, true)
      .limit(PATIENTS_AT_ONCE)
      .toArray()
    for (const { marks } of batch) found.push(...marks.filter(wanted))
    after = batch.length < PATIENTS_AT_ONCE ? null : (batch.at(-1)?.patientId ?? null)
  }
  return found
}

/**
 * Marks of a scope that wait for somebody to go on, in a view, patient by patient; patients who were enrolled first
 * come first.
 *
 * @param most how many are read; of all others only the count
 */
export async function marksToDo(
  cache: CacheDb,
  scope: string,
  todo: EntryTodo,
  view: RowView,
  most: number,
): Promise<{ readonly marks: readonly MarkRow[]; readonly count: number }> {
  const found = toDo(cache, scope, todo, view)
  const count = await found.count()
  const keys = await indexKeys<TodoKey>(found.clone().limit(most))
  const ids = new Set(keys.map(([, , , id]) => id))
  const casebooks = await marksOfPatients(cache, scope, [...new Set(keys.map(([, , patientId]) => patientId))])
  return { marks: [...casebooks.values()].flatMap((marks) => marks.filter(({ id }) => ids.has(id))), count }
}

/** Patients of a scope with a page that waits for somebody to go on, in a view. */
export async function patientsToDo(
  cache: CacheDb,
  scope: string,
  todo: EntryTodo,
  view: RowView,
): Promise<readonly string[]> {
  const keys = await indexKeys<TodoKey>(toDo(cache, scope, todo, view))
  return [...new Set(keys.map(([, , patientId]) => patientId))]
}

function toDo(cache: CacheDb, scope: string, todo: EntryTodo, view: RowView) {
  const place = idInView(todo, view)
  return cache.casebooks.where('todo').between([scope, place], [scope, place, Dexie.maxKey])
}
