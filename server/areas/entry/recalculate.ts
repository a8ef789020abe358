import { calculatedFromElsewhere } from '#core/form/elsewhere.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { changeRows } from '#server/areas/entry/book.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import type { Casebook } from '#server/areas/entry/crossing.ts'
import { dataElsewhere, isReadByOthers } from '#server/areas/entry/crossing.ts'
import { judge } from '#server/areas/entry/judge.ts'
import type { Judgement } from '#server/areas/entry/judge.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { lockEntry, writeEntries } from '#server/areas/entry/store.ts'
import type { PageIds, VersionName } from '#server/areas/entry/versionEngine.ts'
import { idKey, versionEngine } from '#server/areas/entry/versionEngine.ts'
import type { AnyAct } from '#server/areas/sync/act.ts'
import type { ChangeDraft } from '#server/database/commit.ts'
import type { AuditDraft } from '#server/database/seal.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** What a page that was written does to the pages whose rules read it. */

/** Audit rows and changed rows that the write of a page adds to its own. */
export interface Recalculated {
  readonly audit: readonly AuditDraft[]
  readonly changes: readonly ChangeDraft[]
}

export const NOTHING_RECALCULATED: Recalculated = { audit: [], changes: [] }

type ReaderPage = PageIds & VersionName & { readonly id: string }

/** Most times that one entry is run again after one write. Fields never wait for themselves, so that far fewer are needed. */
const MAX_RUNS = 100

/**
 * Runs the rules of the patient's other pages that read one that has just been written, and of those that read these in turn. What they
 * calculate becomes their data, with an audit row each that names the cause; what a person entered stays as it is. A frozen or locked
 * page does not change.
 */
export async function recalculateReaders(
  transaction: Queryable,
  act: Pick<AnyAct, 'projectId' | 'acted' | 'author' | 'receivedAt'>,
  cause: EntryPlace,
  target: EntryTarget,
): Promise<Recalculated> {
  const audit: AuditDraft[] = []
  const changed = new Set<string>()
  const runs = new Map<string, number>()
  const waiting: PageIds[] = isReadByOthers(target) ? [target] : []
  for (let written = waiting.shift(); written !== undefined; written = waiting.shift()) {
    for (const reader of await readersOf(transaction, target, written)) {
      const run = (runs.get(reader.id) ?? 0) + 1
      if (reader.id === cause.entryId || run > MAX_RUNS) continue
      runs.set(reader.id, run)
      const rows = await recalculate(transaction, act, cause, { reader, casebook: target })
      if (rows === null) continue
      audit.push(...rows)
      changed.add(reader.id)
      if (!waiting.some((place) => idKey(place) === idKey(reader))) waiting.push(reader)
    }
  }
  const changes = [...changed].map((rowId): ChangeDraft => ({ kind: 'entry', rowId, centerId: cause.centerId, pass: cause.pass }))
  return { audit, changes }
}

/** Entries of the patient whose rules, of the version that each stands under, read the page. In the order of their ids. */
async function readersOf(transaction: Queryable, { patientId, pass }: Casebook, written: PageIds): Promise<readonly ReaderPage[]> {
  const { rows } = await transaction.query<ReaderPage>({
    name: 'crossing_entries',
    text: `
      SELECT e.id, e.folder_id AS "folderId", e.page_id AS "pageId", e.version_id AS "versionId", v.profile
      FROM entry e JOIN crf_version v ON v.id = e.version_id
      WHERE e.patient_id = $1 AND e.pass = $2 AND NOT e.deleted AND e.control = 'open' ORDER BY e.id`,
    values: [patientId, pass],
  })
  const readers: ReaderPage[] = []
  for (const row of rows) {
    const engine = await versionEngine(transaction, row)
    if (engine.readersOf(written).some((reader) => idKey(reader) === idKey(row))) readers.push(row)
  }
  return readers
}

/** The audit rows of one entry whose rules ran again; null where nothing of it is another than before. */
async function recalculate(
  transaction: Queryable,
  act: Pick<AnyAct, 'projectId' | 'acted' | 'author' | 'receivedAt'>,
  cause: EntryPlace,
  { reader, casebook }: { readonly reader: ReaderPage; readonly casebook: Casebook },
): Promise<readonly AuditDraft[] | null> {
  const page = (await versionEngine(transaction, reader)).page(reader)
  const entry = await lockEntry(transaction, act.projectId, reader.id)
  if (!page.ok || entry === null || entry.deleted || entry.control !== 'open') return null
  const judgement = judge(page.compiled, entry, act.acted, await dataElsewhere(transaction, reader, casebook))
  const touched = calculatedFromElsewhere(page.compiled)
  const calculated = judgement.calculated.filter(({ code }) => touched.has(code))
  if (calculated.length === 0 && sameSet(entry.hidden, judgement.hidden)) return null

  const status = calculated.length > 0 && entry.status === 'other' ? 'process' : entry.status
  const { id, versionId, retired } = entry
  const data = { values: valuesWith(entry, calculated), missing: entry.missing }
  const by = { userId: act.author.userId, at: act.receivedAt }
  await writeEntries(transaction, [{ id, versionId, status, data, hidden: judgement.hidden, retired, deleted: false, ...by, submittedHash: null }])
  const place = { ...cause, entryId: id, versionId }
  return [
    { ...place, action: 'entry.recalculate', old: null, new: { entry: cause.entryId } },
    ...changeRows(place, [], { items: [], rows: [] }, calculated, []),
    ...(status === entry.status ? [] : [{ ...place, action: 'entry.status', old: entry.status, new: status }]),
  ]
}

function valuesWith(entry: StoredEntry, calculated: Judgement['calculated']): StoredEntry['values'] {
  const kept = Object.entries(entry.values).filter(([code]) => !calculated.some((item) => item.code === code))
  const now = calculated.flatMap(({ code, to }) => (to === null ? [] : [[code, to] as const]))
  return Object.fromEntries([...kept, ...now])
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  const all = new Set([...a, ...b])
  return all.size === a.length && all.size === b.length
}
