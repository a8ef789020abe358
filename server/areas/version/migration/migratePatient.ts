import { SUBMITTED } from '#core/sync/submitted.ts'
import { carryIgnoredGaps } from '#server/areas/doubleEntry/ignoredAfter.ts'
import { changeRows } from '#server/areas/entry/book.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { readOtherPages } from '#server/areas/entry/judgement/crossing.ts'
import { changedItems } from '#server/areas/entry/judgement/recalculate.ts'
import {
  fatesOf,
  MIGRATION,
  moveQueries,
  NO_QUERIES_MOVED,
  releaseFor,
} from '#server/areas/entry/queries/moveQueries.ts'
import type { MovedQueries } from '#server/areas/entry/queries/moveQueries.ts'
import { noteRuleQueries, planRuleQueries, writePagesQueries } from '#server/areas/entry/queries/ruleQueries.ts'
import type { PageQueries } from '#server/areas/entry/queries/ruleQueries.ts'
import { earlierQueriesOf } from '#server/areas/entry/queries/store.ts'
import { compiledPage, findPage } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import { masksOf } from '#server/areas/entry/reading/pageMasks.ts'
import { lockEntriesOfPatient, writeEntries } from '#server/areas/entry/store.ts'
import type { EntryOfPatient } from '#server/areas/entry/store.ts'
import { besideOf, bringEntry } from '#server/areas/entry/versions/migratedEntry.ts'
import { pageSteps, wasThereBefore } from '#server/areas/entry/versions/migrationSteps.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow, Stamp } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { reportArchived, reportEntry, reportQueries, sum, withoutValues } from './migrationReport.ts'
import type { PagePart, ReportedNames } from './migrationReport.ts'
import { setMigratedTo } from './migrationStore.ts'
import type { MigrationTask, PatientTurn } from './migrationStore.ts'
import { asksQueries, settle, wasSubmitted } from './settle.ts'
import type { Settled, Turning, TurnPages } from './settle.ts'

/**
 * One patient's turn in a migration (docs/adr/0028-migration.md): all their entries, in one transaction. Nobody else
 * writes to them meanwhile.
 */

/** An entry that is being migrated, or one that was saved under the version before the patient's turn. */
interface Brought extends Turning {
  readonly page: DefinedPage
  readonly place: EntryPlace
  readonly audit: readonly NewAuditRow[]
  readonly conflicts: readonly string[]
}

/**
 * Brings a locked patient's entries to a version. Entered data, status and submissions stay; a value without a place
 * is kept beside the data. Rules run again for visibility and progress, and calculate what the new version calculates
 * otherwise. A frozen, locked or deleted page is migrated too, but no rule changes it.
 *
 * @returns the report of what became of the data
 */
export async function migratePatient(
  transaction: Queryable,
  task: MigrationTask,
  patient: PatientTurn,
  stamp: Stamp,
): Promise<PagePart> {
  const turns: Turn[] = []
  const beside = await besideOf(transaction, patient.id)
  const masks = masksOf(transaction, task.projectId)
  const entries = await lockEntriesOfPatient(transaction, patient.id)
  for (const before of entries)
    turns.push(await turnEntry(transaction, { task, patient, stamp, beside, masks }, before))
  const followed = await followQueries(transaction, { task, patient, stamp }, entries)
  const brought = turns.flatMap(({ one }) => (one?.early === false ? [one] : []))
  const early = turns.flatMap(({ one }) => (one?.early === true ? [one] : []))
  const gaps = await carryIgnoredGaps(
    transaction,
    task.projectId,
    { centerId: patient.centerId, patientId: patient.id, versionId: task.versionId },
    null,
  )
  const settled = await settle(pagesIn(transaction), [...brought, ...early], stamp.occurredAt)
  const judged = settled.pages.filter((one) => !early.includes(one))
  const marks = await writeEntries(transaction, judged.map(writeOf))
  await setMigratedTo(
    transaction,
    patient.id,
    task.versionId,
    brought.map(({ before }) => before.id),
  )
  const asked = await planQueries(transaction, patient, settled)
  const report = sum([...turns.flatMap(({ part }) => part ?? []), reportQueries(asked, followed.ended.audit.length)])
  // It takes the project's row: only the commit may follow.
  const queries = await writePagesQueries(transaction, asked, {
    projectId: task.projectId,
    actedAt: stamp.occurredAt,
    receivedAt: stamp.occurredAt,
    reasonCode: MIGRATION,
  })
  const ended = { audit: [], changes: [...followed.ended.changes, ...queries.changes] }
  await commitProject(transaction, {
    projectId: task.projectId,
    statuses: ['start', 'process'],
    stamp,
    audit: [
      {
        action: 'patient.migrate',
        centerId: patient.centerId,
        patientId: patient.id,
        versionId: task.versionId,
        old: null,
        new: { ...versionName(task), ...report.counts },
        reasonCode: MIGRATION,
      },
      ...turns.flatMap(({ archived }) => archived ?? []),
      ...gaps,
      ...judged.flatMap((one) => [...one.audit, ...ruleRows(one), ...(marks.get(one.before.id) ?? [])]),
      ...followed.audit,
      ...followed.ended.audit,
      ...queries.audit,
    ],
    changes: [
      ...judged.flatMap((one) => changesOf(one)),
      ...followed.changes,
      ...followed.ended.changes,
      ...queries.changes,
    ],
  })
  const by = { projectId: task.projectId, receivedAt: stamp.occurredAt, author: { userId: task.userId } }
  await noteRuleQueries(transaction, by, patient.id, ended)
  return report
}

function changesOf({ before, place, conflicts }: Brought): readonly NewChange[] {
  const where = { centerId: place.centerId, pass: before.pass }
  return [
    { kind: 'entry', rowId: before.id, ...where },
    ...conflicts.map((rowId) => ({ kind: 'conflict' as const, rowId, ...where })),
  ]
}

/** Brings all of the patient's queries along, also those of pages that nobody has begun, and ends what is gone. */
async function followQueries(
  transaction: Queryable,
  { task, patient, stamp }: Pick<TurnOf, 'task' | 'patient' | 'stamp'>,
  entries: readonly EntryOfPatient[],
): Promise<MovedQueries> {
  const earlier = await earlierQueriesOf(transaction, [patient.id], task.versionNo)
  if (earlier.length === 0) return NO_QUERIES_MOVED
  const release = { versionId: task.versionId, profile: 'formal' } as const
  const fates = await fatesOf(earlier, await releaseFor(transaction, task.projectId, release))
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  return moveQueries(transaction, fates, {
    centerId: patient.centerId,
    versionId: task.versionId,
    at: stamp.occurredAt,
    dataBefore: (entryId) => known.get(entryId) ?? null,
  })
}

/** What checks ask of the patient's pages, and what they end. Of a patient who was removed nobody is asked anything. */
async function planQueries(
  transaction: Queryable,
  patient: PatientTurn,
  settled: Settled<Brought>,
): Promise<readonly PageQueries[]> {
  const asked: PageQueries[] = []
  for (const one of settled.pages) {
    const { before, page, place } = one
    const { id: entryId, hasQueries } = before
    if (!hasQueries && !asksQueries((await compiledPage(transaction, page)).page)) continue
    const judgement = await settled.judge(one)
    if (judgement === null) continue
    const asks = !patient.deleted && wasSubmitted(before)
    const queries = await planRuleQueries(transaction, { entryId, judgement, deleted: false, hasQueries, asks })
    asked.push({ target: { ...before, patientId: patient.id }, place, queries })
  }
  return asked
}

function pagesIn(transaction: Queryable): TurnPages {
  return {
    compiled: (page) => compiledPage(transaction, page),
    readOthers: (page, reader, unwritten) => readOtherPages(transaction, page, reader, unwritten),
  }
}

/** The result of one entry's turn. */
interface Turn {
  /** Null where the entry is archived already, or archived by this turn. */
  readonly one: Brought | null
  /** The audit row where this turn archives the entry; else null. */
  readonly archived: NewAuditRow | null
  /** The entry's part of the report. */
  readonly part: PagePart | null
}

interface TurnOf {
  readonly task: MigrationTask
  readonly patient: PatientTurn
  readonly stamp: Stamp
  readonly beside: Awaited<ReturnType<typeof besideOf>>
  readonly masks: ReturnType<typeof masksOf>
}

/**
 * Brings one entry to the version. An entry under a later version stays as it is. An entry whose page is gone is
 * archived.
 */
async function turnEntry(
  transaction: Queryable,
  { task, patient, stamp, beside, masks }: TurnOf,
  before: EntryOfPatient,
): Promise<Turn> {
  const at = { folderId: before.folderId, pageId: before.pageId }
  const page = await findPage(transaction, task.projectId, { versionId: task.versionId, ...at })
  const own = await findPage(transaction, task.projectId, { versionId: before.versionId, ...at })
  if (page !== null && own !== null && own.versionNo >= page.versionNo) {
    const place = entryPlace(patient, before, own.versionId)
    const { values, hidden, progress } = before
    const stays = { early: true, patientId: patient.id, before, page: own, place, steps: [], stored: before }
    return { one: { ...stays, audit: [], conflicts: [], values, hidden, progress }, archived: null, part: null }
  }
  if (page === null) {
    // An entry is archived once: if an earlier release already lacked the page, the entry was archived then.
    if (!(await wasThereBefore(transaction, task.versionId, before))) return { one: null, archived: null, part: null }
    const archived = {
      ...entryPlace(patient, before, before.versionId),
      action: 'entry.archive',
      reasonCode: MIGRATION,
      old: null,
      new: versionName(task),
    }
    return { one: null, archived, part: reportArchived(namesOf(own), before.values) }
  }
  const place = entryPlace(patient, before, page.versionId)
  const steps = await pageSteps(transaction, task.projectId, before.versionId, page.versionId, page)
  const result = await bringEntry(transaction, before, place, {
    projectId: task.projectId,
    receivedAt: stamp.occurredAt,
    steps,
    by: { userId: task.userId, at: stamp.occurredAt, opKey: null },
    beside: beside(before.id),
  })
  const { entry, migration } = result
  const { audit, conflicts } = migration
  const { values, hidden, progress } = entry
  const stored = { ...before, ...entry }
  const part = reportEntry(namesOf(page), result, steps, await masks(before.pageId))
  const comes = { early: false, patientId: patient.id, before, page, place, steps, stored, audit, conflicts }
  return {
    one: { ...comes, values, hidden, progress },
    archived: null,
    // The passes of double entry must not see each other, in a log neither.
    part: before.pass === 2 ? withoutValues(part) : part,
  }
}

function entryPlace(patient: PatientTurn, { id, pass }: EntryOfPatient, versionId: string): EntryPlace {
  return { centerId: patient.centerId, patientId: patient.id, entryId: id, versionId, pass }
}

function namesOf(page: DefinedPage | null): ReportedNames {
  return {
    folderName: page?.folderName ?? '',
    folderNameEn: page?.folderNameEn ?? null,
    pageName: page?.name ?? '',
    pageNameEn: page?.nameEn ?? null,
  }
}

function versionName({ versionNo }: Pick<MigrationTask, 'versionNo'>): { readonly version: string } {
  return { version: `V${String(versionNo)}.0` }
}

function ruleRows(one: Brought): readonly NewAuditRow[] {
  const calculated = changedItems(one.stored.values, one.values)
  const status = statusOf(one)
  return [
    ...changeRows(one.place, [], { items: [], rows: [] }, calculated),
    ...(status === one.before.status
      ? []
      : [{ ...one.place, action: 'entry.status', old: one.before.status, new: status }]),
  ]
}

/** A submitted page whose data change has to be submitted again, as after every change. */
function statusOf(one: Brought): EntryOfPatient['status'] {
  return one.before.status === SUBMITTED && changedItems(one.stored.values, one.values).length > 0
    ? 'process'
    : one.before.status
}

function writeOf(one: Brought) {
  const { before, page, stored, values, hidden, progress } = one
  return {
    id: before.id,
    versionId: page.versionId,
    status: statusOf(one),
    data: { values, missing: stored.missing },
    hidden: [...hidden],
    progress,
    retired: stored.retired,
    deleted: before.deleted,
    // The last author and time stay, because a migration enters nothing.
    userId: before.updatedBy,
    at: before.updatedAt,
    submittedHash: null,
    unexplained: stored.unexplained,
    confirmed: stored.confirmed,
  }
}
