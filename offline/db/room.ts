import { Dexie } from 'dexie'
import type { Table } from 'dexie'

import { RESERVE_PIECES } from './spaceReserve.ts'
import type { SpaceReserve } from './spaceReserve.ts'
import { dropSent } from '#offline/files/drop.ts'
import type { CacheDb, Databases } from './databases.ts'
import { indexKeys } from './indexKeys.ts'
import type { KindParentKey } from './indexKeys.ts'
import type { EvictedRow, Sealed } from './rows.ts'
import { storageError } from './storageError.ts'
import { idInView, viewOf } from './view.ts'

/**
 * Making room on a full disk. Contents of sent files give way first, then entries of patients that are not due, in the
 * order of their enrolment. Unsent work, definitions and patients that are due never give way.
 *
 * What goes is written down before it goes: a patient whose entries are not here must never look like one for whom
 * nothing was entered. A full disk refuses even these few bytes; then a piece of the reserve is given up first
 * (offline/db/spaceReserve.ts).
 */

/**
 * What the room is for. People's work may take all of the reserve, fetched data half of it, and data that come back by
 * themselves nothing.
 */
export type Need = 'work' | 'cache' | 'spare'

/**
 * A patient who was opened or written for here within this time is due. Until visits are scheduled, this is the best
 * guess.
 */
const DUE_MS = 7 * 24 * 3_600_000
/** How many of the patients that may go are evicted at once: one in so many, and at least so many. */
const PORTION = 4
const PORTION_LEAST = 10
/** How many rows are measured to estimate the size of all. */
const SAMPLED = 50
/** Pieces of the reserve that only people's work may take. */
const KEPT_FOR_WORK = RESERVE_PIECES / 2

/** The databases in which rows can give way, and the reserve that may be given up to write down which rows went. */
export interface Crowded extends Databases {
  readonly reserve: SpaceReserve
}

/**
 * Frees room in the cache.
 *
 * @param now ms since the epoch
 * @returns whether anything was freed, so that it makes sense to try again
 */
export async function makeRoom(storage: Crowded, need: Need, now: number): Promise<boolean> {
  if (need === 'spare') return false
  // Old attachments go first: the server has them, and they are fetched again when somebody looks at them.
  if (await dropSent(storage)) return true
  const going = await portionToGo(storage, now)
  if (going.length === 0) return false
  await evict(storage, going, need, now)
  return true
}

type Key = [string, string, string]
/** Keys of a patient's entries that are stored by themselves, and of the patient's packs. */
type Going = Pick<EvictedRow, 'scope' | 'patientId' | 'view'> & { readonly keys: Key[]; readonly packs: Key[] }

async function portionToGo({ work, cache }: Databases, now: number): Promise<readonly Going[]> {
  const due = await duePatients({ work, cache }, now)
  const byPatient = new Map<string, Going>()
  const goingOf = (scope: string, patientId: string, id: string): Going => {
    const view = viewOf(id)
    const name = `${patientId} ${scope} ${view}`
    const known = byPatient.get(name) ?? { scope, patientId, view, keys: [], packs: [] }
    byPatient.set(name, known)
    return known
  }
  // Only keys are read: the rows of a full cache would not fit in memory.
  const ofEntries = cache.rows.where('[kind+parent]').between(['entry', Dexie.minKey], ['entry', Dexie.maxKey])
  await ofEntries.eachKey((key, { primaryKey }) => {
    const [, patientId] = key as KindParentKey
    if (due.has(patientId)) return
    const [scope, , id] = primaryKey
    goingOf(scope, patientId, id).keys.push(primaryKey)
  })
  await cache.packs.toCollection().eachPrimaryKey((key) => {
    const [scope, patientId, id] = key
    if (!due.has(patientId)) goingOf(scope, patientId, id).packs.push(key)
  })
  const all = [...byPatient.values()].toSorted((a, b) => (a.patientId < b.patientId ? -1 : 1))
  return all.slice(0, Math.max(PORTION_LEAST, Math.ceil(all.length / PORTION)))
}

/**
 * Patients that stay: those with unsent work or with something that waits for a person, and those opened or written for
 * here within the last days.
 */
async function duePatients({ work, cache }: Databases, now: number): Promise<ReadonlySet<string>> {
  const due = new Set<string>()
  const add = (patientId: unknown): void => void due.add(String(patientId))
  for (const table of [work.outbox, work.drafts, work.bounced])
    (await table.orderBy('patientId').uniqueKeys()).forEach(add)
  await work.receipts
    .where('receivedAt')
    .aboveOrEqual(new Date(now - DUE_MS).toISOString())
    .each(({ patientId }) => add(patientId))
  await work.receipts
    .where('outcome')
    .anyOf('held', 'inbox')
    .each(({ patientId }) => add(patientId))
  await cache.touched
    .where('at')
    .aboveOrEqual(now - DUE_MS)
    .each(({ patientId }) => add(patientId))
  const conflicts = await indexKeys<KindParentKey>(
    cache.rows.where('[kind+parent]').between(['conflict', Dexie.minKey], ['conflict', Dexie.maxKey]),
  )
  const inConflict = new Set(
    conflicts.flatMap(([, entryId]) => [idInView(entryId, 'whole'), idInView(entryId, 'masked')]),
  )
  await cache.rows
    .where('[kind+id]')
    .anyOf([...inConflict].map((id) => ['entry', id]))
    .each(({ parent }) => add(parent))
  if (inConflict.size > 0)
    await cache.casebooks.each(
      ({ patientId, marks }) => void (marks.some(({ id }) => inConflict.has(id)) && add(patientId)),
    )
  return due
}

/**
 * Evicts in two transactions. A crash between them leaves rows that nobody reads, but never lets rows be missing
 * without a note.
 */
async function evict({ cache, reserve }: Crowded, going: readonly Going[], need: Need, now: number): Promise<void> {
  const bytes = averageOf(
    await sampleRows(
      cache.rows,
      going.flatMap(({ keys }) => keys),
    ),
    ({ row }) => row,
  )
  const packBytes = averageOf(
    await sampleRows(
      cache.packs,
      going.flatMap(({ packs }) => packs),
    ),
    ({ rows }) => rows,
  )
  const marks = going.map(({ scope, patientId, view, keys, packs }): EvictedRow => ({
    scope,
    patientId,
    view,
    bytes: bytes * keys.length + packBytes * packs.length,
    at: now,
  }))
  try {
    await cache.evicted.bulkPut(marks)
  } catch (thrown) {
    if (storageError(thrown)?.code !== 'storage_full' || !(await reserve.giveUp(need === 'work' ? 0 : KEPT_FOR_WORK)))
      throw thrown
    await cache.evicted.bulkPut(marks)
  }
  await cache.transaction('rw', cache.rows, cache.packs, cache.evicted, async () => {
    // A patient who was brought back meanwhile, in another tab or thread, stays.
    const marked = await cache.evicted.bulkGet(
      going.map(({ scope, patientId, view }): [string, string, string] => [scope, patientId, view]),
    )
    const gone = going.filter((_, at) => marked[at] !== undefined)
    await cache.rows.bulkDelete(gone.flatMap(({ keys }) => keys))
    await cache.packs.bulkDelete(gone.flatMap(({ packs }) => packs))
  })
  await cache.touched
    .where('at')
    .below(now - DUE_MS)
    .delete()
}

async function sampleRows<Row>(table: Table<Row, Key>, keys: Key[]): Promise<readonly Row[]> {
  return (await table.bulkGet(keys.slice(0, SAMPLED))).filter((row) => row !== undefined)
}

function averageOf<Row>(rows: readonly Row[], sealedIn: (row: Row) => Sealed): number {
  const sum = rows.reduce((total, row) => total + sealedIn(row).data.byteLength, 0)
  return rows.length === 0 ? 0 : Math.round(sum / rows.length)
}

/** When this running app noted each patient as opened; one note a day is enough. */
const noted = new WeakMap<CacheDb, Map<string, number>>()
const DAY_MS = 24 * 3_600_000

/** Notes that a patient was opened, so that they stay on the device. */
export async function touchPatient(cache: CacheDb, patientId: string, now: number): Promise<void> {
  const known = noted.get(cache) ?? new Map<string, number>()
  noted.set(cache, known)
  if (Math.abs(now - (known.get(patientId) ?? 0)) < DAY_MS) return
  await cache.touched.put({ patientId, at: now })
  known.set(patientId, now)
}
