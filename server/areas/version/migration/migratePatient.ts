import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { jsonEqual } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { SUBMITTED } from '#core/sync/submitted.ts'
import { carryIgnoredGaps } from '#server/areas/doubleEntry/ignoredAfter.ts'
import { changeRows } from '#server/areas/entry/book.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { readOtherPages } from '#server/areas/entry/judgement/crossing.ts'
import { judge, withCalculated } from '#server/areas/entry/judgement/judge.ts'
import { changedItems } from '#server/areas/entry/judgement/recalculate.ts'
import { compiledPage, findPage } from '#server/areas/entry/reading/pages.ts'
import type { DefinedPage } from '#server/areas/entry/reading/pages.ts'
import { masksOf } from '#server/areas/entry/reading/pageMasks.ts'
import { lockEntriesOfPatient, writeEntries } from '#server/areas/entry/store.ts'
import type { EntryOfPatient } from '#server/areas/entry/store.ts'
import { besideOf, bringEntry } from '#server/areas/entry/versions/migratedEntry.ts'
import { pageSteps } from '#server/areas/entry/versions/migrationSteps.ts'
import type { PageStep } from '#server/areas/entry/versions/migrationSteps.ts'
import { commitProject } from '#server/database/commit.ts'
import type { NewChange } from '#server/database/commit.ts'
import type { NewAuditRow, Stamp } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { reportArchived, reportEntry, sum, withoutValues } from './migrationReport.ts'
import type { PagePart, ReportedNames } from './migrationReport.ts'
import { setMigratedTo } from './migrationStore.ts'
import type { MigrationTask, PatientTurn } from './migrationStore.ts'
import { calculatedAnew, calculatedInTurn, withCrossing } from './turnCalculations.ts'

/**
 * One patient's turn in a migration (docs/adr/0028-migration.md): all their entries, in one transaction. Nobody else
 * writes to them meanwhile.
 */

/** An entry that is being migrated, or one that was saved under the version before the patient's turn. */
interface Brought {
  /** Whether the entry was already saved under the version. */
  readonly early: boolean
  readonly before: EntryOfPatient
  readonly page: DefinedPage
  readonly place: EntryPlace
  readonly steps: readonly PageStep[]
  readonly stored: EntryOfPatient
  readonly audit: readonly NewAuditRow[]
  readonly conflicts: readonly string[]
  readonly values: EntryData['values']
  readonly hidden: readonly string[]
  readonly progress: EntryOfPatient['progress']
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
  for (const before of await lockEntriesOfPatient(transaction, patient.id))
    turns.push(await turnEntry(transaction, { task, patient, stamp, beside, masks }, before))
  const brought = turns.flatMap(({ one }) => (one?.early === false ? [one] : []))
  const early = turns.flatMap(({ one }) => (one?.early === true ? [one] : []))
  const gaps = await carryIgnoredGaps(
    transaction,
    task.projectId,
    { centerId: patient.centerId, patientId: patient.id, versionId: task.versionId },
    null,
  )
  const settled = await settle(transaction, [...brought, ...early], stamp)
  const judged = settled.filter((one) => !early.includes(one))
  const marks = await writeEntries(transaction, judged.map(writeOf))
  await setMigratedTo(
    transaction,
    patient.id,
    task.versionId,
    brought.map(({ before }) => before.id),
  )
  const report = sum(turns.flatMap(({ part }) => part ?? []))
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
        reasonCode: 'migration',
      },
      ...turns.flatMap(({ archived }) => archived ?? []),
      ...gaps,
      ...judged.flatMap((one) => [...one.audit, ...ruleRows(one), ...(marks.get(one.before.id) ?? [])]),
    ],
    changes: judged.flatMap(({ before, conflicts }): readonly NewChange[] => [
      { kind: 'entry', rowId: before.id, centerId: patient.centerId, pass: before.pass },
      ...conflicts.map((rowId) => ({
        kind: 'conflict' as const,
        rowId,
        centerId: patient.centerId,
        pass: before.pass,
      })),
    ]),
  })
  return report
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
    const stays = { early: true, before, page: own, place, steps: [], stored: before, audit: [], conflicts: [] }
    return { one: { ...stays, values, hidden, progress }, archived: null, part: null }
  }
  if (page === null) {
    // An entry is archived once: if an earlier release already lacked the page, the entry was archived then.
    if (!(await wasThere(transaction, task, before))) return { one: null, archived: null, part: null }
    const archived = {
      ...entryPlace(patient, before, before.versionId),
      action: 'entry.archive',
      reasonCode: 'migration',
      old: null,
      new: versionName(task),
    }
    return { one: null, archived, part: reportArchived(namesOf(own), before.values) }
  }
  const place = entryPlace(patient, before, page.versionId)
  const steps = await pageSteps(transaction, task.projectId, before.versionId, page.versionId, page)
  const result = await bringEntry(transaction, before, place, {
    steps,
    by: { userId: task.userId, at: stamp.occurredAt, opKey: null },
    beside: beside(before.id),
  })
  const { entry, migration } = result
  const { audit, conflicts } = migration
  const { values, hidden, progress } = entry
  const stored = { ...before, ...entry }
  const part = reportEntry(namesOf(page), result, steps, await masks(before.pageId))
  return {
    one: { early: false, before, page, place, steps, stored, audit, conflicts, values, hidden, progress },
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

/** Whether the release before the task's had the page of an entry. */
async function wasThere(
  transaction: Queryable,
  task: MigrationTask,
  { folderId, pageId }: EntryOfPatient,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'migration_was_there',
    text: `
      SELECT FROM version_migration m JOIN crf_page p ON p.version_id = m.from_version_id
      WHERE m.version_id = $1 AND p.folder_id = $2 AND p.page_id = $3`,
    values: [task.versionId, folderId, pageId],
  })
  return rowCount === 1
}

/** Most rounds in which the rules of a patient's pages may depend on each other. */
const MAX_ROUNDS = 20

/**
 * Runs the rules of the new version until no page changes any more, because each may read what another has
 * calculated.
 */
async function settle(transaction: Queryable, brought: readonly Brought[], stamp: Stamp): Promise<readonly Brought[]> {
  let now = brought
  const mixed = brought.some(({ early }) => early)
  const began = new Map<string, OtherPages>()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const unwritten = new Map(
      now
        .filter(({ before }) => !before.deleted)
        .map(({ before, stored, values }) => [before.id, { values, missing: stored.missing }]),
    )
    const next: Brought[] = []
    // A page that reads no other page needs no second round.
    for (const one of now)
      next.push(
        round > 0 && !(await readsOthers(transaction, one))
          ? one
          : await judgeBrought(transaction, one, { unwritten, mixed, began }, stamp),
      )
    const rests = next.every((one, at) => one === now[at])
    now = next
    if (rests) break
  }
  return now
}

async function readsOthers(transaction: Queryable, { page }: Brought): Promise<boolean> {
  return (await compiledPage(transaction, page)).otherPages.length > 0
}

/** The rest of the patient's data. */
interface Others {
  /** Data that are about to be written. */
  readonly unwritten: ReadonlyMap<string, EntryData>
  /** Whether some pages were saved under the version before this turn. */
  readonly mixed: boolean
  /** The data of the other pages that each page found before any rule ran. */
  readonly began: Map<string, OtherPages>
}

/** The entry with the results of its page's rules; the same object where nothing changes. */
async function judgeBrought(
  transaction: Queryable,
  one: Brought,
  { unwritten, mixed, began }: Others,
  { occurredAt: at }: Stamp,
): Promise<Brought> {
  const { before, page, stored, values, steps } = one
  if (before.control !== 'open' || before.deleted || before.status === 'init') return one
  const data = { values, missing: stored.missing }
  const compiled = await compiledPage(transaction, page)
  const acted = { at, offsetMinutes: null, driftMs: null, deviceId: null, appVersion: null }
  const otherPages = await readOtherPages(transaction, page, { ...before, patientId: one.place.patientId }, unwritten)
  const judgement = judge(compiled, data, acted, otherPages)
  const anew = one.early ? NOTHING : calculatedAnew(compiled, steps)
  const first = began.get(before.id) ?? otherPages
  began.set(before.id, first)
  const calculated = calculatedInTurn(
    { compiled, data, acted, otherPages: { before: first, now: otherPages } },
    judgement,
    mixed ? withCrossing(compiled, anew) : anew,
  )
  const { hidden, progress } = judgement
  if (
    calculated.length === 0 &&
    jsonEqual(hidden, one.hidden) &&
    jsonEqual({ ...progress }, one.progress === null ? null : { ...one.progress })
  )
    return one
  return { ...one, values: withCalculated(data, calculated).values, hidden, progress }
}

const NOTHING: ReadonlySet<string> = new Set()

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
