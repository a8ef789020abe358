import { calculatedFromOtherPages } from '#core/form/engine/otherPages.ts'
import { jsonEqual } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { rowsOf } from '#core/sync/merge.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { changeRows } from '#server/areas/entry/book.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { lockEntry, writeEntries } from '#server/areas/entry/store.ts'
import type { EntryIds, PageIds, VersionName } from '#server/areas/entry/versions/versionEngine.ts'
import { idKey, versionEngine } from '#server/areas/entry/versions/versionEngine.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { AnyAct } from '#server/operations/act.ts'

import { planRuleQueries } from '#server/areas/entry/queries/ruleQueries.ts'
import type { PageQueries } from '#server/areas/entry/queries/ruleQueries.ts'

import type { PatientPass } from './crossing.ts'
import { readOtherPages } from './crossing.ts'
import { judge, withCalculated } from './judge.ts'
import type { CalculatedItem, Judgement } from './judge.ts'

/** The effects of a written page on the pages whose rules read it. */

/** What the write of a page adds to its own: audit rows, changed rows, and what checks of other pages ask and end. */
export interface Recalculated {
  readonly audit: readonly NewAuditRow[]
  readonly changes: readonly NewChange[]
  readonly queries: readonly PageQueries[]
}

export const NOTHING_RECALCULATED: Recalculated = { audit: [], changes: [], queries: [] }

type ReaderPage = EntryIds & VersionName & { readonly id: string; readonly parentEntryId: string | null }

/** An entry whose rules run again: as it is stored, and what the rules have made of it so far. */
interface Reader {
  readonly page: ReaderPage
  readonly stored: StoredEntry
  readonly values: StoredEntry['values']
  readonly hidden: StoredEntry['hidden']
  readonly progress: StoredEntry['progress']
  /** Of the last run; null before the first, and where the page cannot be read. */
  readonly judgement: Judgement | null
}

type Cause = Pick<AnyAct, 'projectId' | 'acted' | 'author' | 'receivedAt'>

/**
 * The most times that the rules of one entry run again after one write. Fields never depend on themselves, so far
 * fewer runs are needed.
 */
const MAX_RUNS = 100

/**
 * Runs the rules of the patient's pages that read the page just written, and then of the pages that read those. The
 * written page may be among them. The final calculated values become the pages' data, each with an audit row that
 * names the cause. What a person entered stays as it is. A frozen or locked page does not change.
 */
export async function recalculateReaders(
  transaction: Queryable,
  act: Cause,
  cause: EntryPlace,
  target: EntryTarget,
): Promise<Recalculated> {
  const audit: NewAuditRow[] = []
  const changes: NewChange[] = []
  const queries: PageQueries[] = []
  for (const reader of (await settledReaders(transaction, act, target)).values()) {
    const rows = await writeReader(transaction, act, cause, reader)
    queries.push(...(await queriesOfReader(transaction, cause, target, reader)))
    if (rows === null) continue
    audit.push(...rows)
    changes.push({ kind: 'entry', rowId: reader.stored.id, centerId: cause.centerId, pass: cause.pass })
  }
  return { audit, changes, queries }
}

/** What the checks of a reader ask now, and what they have asked and are satisfied with. */
async function queriesOfReader(
  transaction: Queryable,
  cause: EntryPlace,
  { patientId, pass }: PatientPass,
  reader: Reader,
): Promise<readonly PageQueries[]> {
  const { page, stored, judgement } = reader
  if (judgement === null) return []
  const { id: entryId, hasQueries, submittedOnce: asks } = stored
  const { folderId, folderRepeat, pageId, pageRepeat, parentEntryId } = page
  return [
    {
      target: { patientId, pass, folderId, folderRepeat, pageId, pageRepeat, parentEntryId },
      place: entryPlaceOf(cause, reader),
      queries: await planRuleQueries(transaction, { entryId, judgement, deleted: false, hasQueries, asks }),
    },
  ]
}

function entryPlaceOf(cause: EntryPlace, { stored }: Reader): EntryPlace {
  return { ...cause, entryId: stored.id, versionId: stored.versionId }
}

/**
 * The entries whose rules ran, by id, with their final values. Nothing is written before all of them are final. So
 * nobody sees a value that a page has only while another page that it reads is still to be calculated.
 */
async function settledReaders(
  transaction: Queryable,
  act: Cause,
  target: EntryTarget,
): Promise<ReadonlyMap<string, Reader>> {
  const settled = new Map<string, Reader>()
  const unwritten = new Map<string, EntryData>()
  const runs = new Map<string, number>()
  // No rule reads the child of an entry.
  const waiting: PageIds[] = target.parentEntryId === null ? [target] : []
  for (let written = waiting.shift(); written !== undefined; written = waiting.shift()) {
    for (const page of await readersOf(transaction, target, written)) {
      const run = (runs.get(page.id) ?? 0) + 1
      if (run > MAX_RUNS) continue
      runs.set(page.id, run)
      const before = settled.get(page.id) ?? (await readerAt(transaction, act.projectId, page))
      if (before === null) continue
      const after = await runAgain(transaction, act, before, { casebook: target, unwritten })
      settled.set(page.id, after)
      if (isSame(before, after)) continue
      unwritten.set(page.id, { values: after.values, missing: after.stored.missing })
      if (!waiting.some((place) => idKey(place) === idKey(page))) waiting.push(page)
    }
  }
  return settled
}

async function readerAt(transaction: Queryable, projectId: string, page: ReaderPage): Promise<Reader | null> {
  const stored = await lockEntry(transaction, projectId, page.id)
  if (stored === null || stored.deleted || stored.control !== 'open') return null
  return { page, stored, values: stored.values, hidden: stored.hidden, progress: stored.progress, judgement: null }
}

/** Whether a run has changed nothing. */
function isSame(before: Reader, after: Reader): boolean {
  return before.values === after.values && before.hidden === after.hidden && before.progress === after.progress
}

/**
 * What the rules make of an entry now. Its values, what is hidden and progress are the same objects where nothing
 * changes.
 */
async function runAgain(
  transaction: Queryable,
  act: Cause,
  before: Reader,
  { casebook, unwritten }: { readonly casebook: PatientPass; readonly unwritten: ReadonlyMap<string, EntryData> },
): Promise<Reader> {
  const page = (await versionEngine(transaction, before.page)).page(before.page)
  if (!page.ok) return before
  const data = { values: before.values, missing: before.stored.missing }
  const judgement = judge(
    page.compiled,
    data,
    act.acted,
    await readOtherPages(
      transaction,
      before.page,
      { ...before.page, patientId: casebook.patientId, pass: casebook.pass },
      unwritten,
    ),
  )
  const touched = calculatedFromOtherPages(page.compiled)
  const calculated = judgement.calculated.filter(({ table, code }) => touched.has(table ?? code))
  if (
    calculated.length === 0 &&
    sameSet(before.hidden, judgement.hidden) &&
    isAsFull(before.progress, judgement.progress)
  )
    return { ...before, judgement }
  return {
    ...before,
    judgement,
    values: withCalculated(data, calculated).values,
    hidden: judgement.hidden,
    progress: judgement.progress,
  }
}

/**
 * The patient's entries whose rules read the page, by the version that each stands under. They are in the order of
 * the casebook, because each may depend on the one before.
 */
async function readersOf(
  transaction: Queryable,
  { patientId, pass }: PatientPass,
  written: PageIds,
): Promise<readonly ReaderPage[]> {
  const { rows } = await transaction.query<ReaderPage>({
    name: 'crossing_entries',
    text: `
      SELECT
        e.id, e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", e.page_id AS "pageId", e.page_repeat AS "pageRepeat",
        e.parent_entry_id AS "parentEntryId", e.version_id AS "versionId", v.profile
      FROM entry e JOIN crf_version v ON v.id = e.version_id LEFT JOIN crf_folder f ON f.version_id = e.version_id AND f.folder_id = e.folder_id
      WHERE e.patient_id = $1 AND e.pass = $2 AND NOT e.deleted AND e.control = 'open'
      ORDER BY f.sort, e.folder_repeat COLLATE "C", e.page_repeat COLLATE "C", e.id`,
    values: [patientId, pass],
  })
  const readers: ReaderPage[] = []
  for (const row of rows) {
    const engine = await versionEngine(transaction, row)
    if (engine.readersOf(written).some((reader) => idKey(reader) === idKey(row))) readers.push(row)
  }
  return readers
}

/** Writes what the rules have made of an entry. Returns its audit rows; null where nothing changes. */
async function writeReader(
  transaction: Queryable,
  act: Cause,
  cause: EntryPlace,
  reader: Reader,
): Promise<readonly NewAuditRow[] | null> {
  const { stored, values, hidden, progress } = reader
  const calculated = changedItems(stored.values, values)
  if (calculated.length === 0 && sameSet(stored.hidden, hidden) && isAsFull(stored.progress, progress)) return null

  const status = calculated.length > 0 && stored.status === SUBMITTED ? 'process' : stored.status
  const { id, versionId, retired } = stored
  const data = { values, missing: stored.missing }
  const by = { userId: act.author.userId, at: act.receivedAt }
  const marks = await writeEntries(transaction, [
    { id, versionId, status, data, hidden, progress, retired, deleted: false, ...by, submittedHash: null },
  ])
  const place = entryPlaceOf(cause, reader)
  return [
    { ...place, action: 'entry.recalculate', old: null, new: { entry: cause.entryId } },
    ...changeRows(place, [], { items: [], rows: [] }, calculated),
    ...(marks.get(id) ?? []),
    ...(status === stored.status ? [] : [{ ...place, action: 'entry.status', old: stored.status, new: status }]),
  ]
}

/** The items that differ between two data of an entry; both have the same rows. */
export function changedItems(before: StoredEntry['values'], after: StoredEntry['values']): readonly CalculatedItem[] {
  const codes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return codes.flatMap((code): readonly CalculatedItem[] => {
    const [from, to] = [before[code] ?? null, after[code] ?? null]
    if (jsonEqual(from, to)) return []
    const [old, now] = [rowsOf(from), rowsOf(to)]
    if (old === null || now === null || old.length === 0) return [{ table: null, rid: null, code, from, to }]
    return now.flatMap((row) => {
      const rid = row['_rid']
      const known = old.find((one) => one['_rid'] === rid)
      if (typeof rid !== 'string' || known === undefined) return []
      return changedItems(known, row).map((item) => ({ ...item, table: code, rid }))
    })
  })
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const all = new Set([...a, ...b])
  return all.size === a.length && all.size === b.length
}

/** Progress that was never counted is counted with the next change. */
function isAsFull(before: StoredEntry['progress'], now: StoredEntry['progress']): boolean {
  return before === null || jsonEqual(before, now)
}
