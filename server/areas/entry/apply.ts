import { fail } from '#core/api/errors.ts'
import type { SaveResult } from '#core/api/calls.entry.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryStatus } from '#core/sync/rows.ts'
import type { Merged } from '#core/sync/merge.ts'
import { collideWithDeleted, mergeEntry, missingKey } from '#core/sync/merge.ts'
import { effectItems, emptySaveResult, ruleErrors, savedItems, saveResult } from '#server/areas/entry/answer.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { changeRows, conflictRows } from '#server/areas/entry/book.ts'
import type { Judgement } from '#server/areas/entry/judge.ts'
import { isCalculatedOn, judge } from '#server/areas/entry/judge.ts'
import type { DefinedPage } from '#server/areas/entry/pages.ts'
import { allDefinitions, compiledPage, findPage } from '#server/areas/entry/pages.ts'
import { loadConflictRows, loadEntryRows } from '#server/areas/entry/rows.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { dataHash, isEntryOf, lockEntry, lockPatient, makeEntry, nameAuthors, putConflicts, writeEntry } from '#server/areas/entry/store.ts'
import { pathOf, placeChange } from '#server/areas/entry/structure.ts'
import type { PlacedChange } from '#server/areas/entry/structure.ts'
import { checkTarget, pageOfAct, patientHold } from '#server/areas/entry/target.ts'
import type { EntryChangeAct } from '#server/areas/sync/act.ts'
import { stampOf } from '#server/areas/sync/act.ts'
import { setAside } from '#server/areas/sync/setAside.ts'
import type { Standing } from '#server/areas/sync/standing.ts'
import { holdOfEarlier, standingOf } from '#server/areas/sync/standing.ts'
import { commitProject } from '#server/database/commit.ts'
import type { AuditDraft } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'

/**
 * Saves a change of an entry, whichever call brought it. Refused only for structure or without a right that ever was; what is right but
 * cannot be applied is set aside; what collides stands as a conflict. A save sets the status to process, after a submit too: the page
 * then waits to be submitted again, and the audit trail has the reasons that were given.
 */
export async function applyEntryChange(transaction: Queryable, act: EntryChangeAct): Promise<OperationEffect<JsonValue>> {
  const { body: change } = act
  const standing = await standingOf(transaction, act, 'database_submit_page')
  checkTarget(act, change.target)
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const found = await pageOfAct(transaction, act, change.target)
  const patient = await lockPatient(transaction, act.projectId, change.target.patientId)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const hold = standing.hold ?? earlier ?? (found.page === null ? found.hold : null) ?? placeHold
  // Whatever is set aside must still be sound, or nobody could ever apply it.
  if (found.page !== null) await checkStructure(transaction, act, found.page, found.page)
  if (hold !== null || found.page === null || patient === null) {
    if (hold === null) throw fail('not_found')
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId: null }
    return setAside(transaction, act, standing, hold, subject, emptySaveResult(act.projectId))
  }

  const { target } = change
  if (target.parentEntryId !== null && !(await isEntryOf(transaction, target.parentEntryId, patient.id))) throw fail('not_found')
  const made = await makeEntry(transaction, {
    id: act.entityId,
    projectId: act.projectId,
    centerId: patient.centerId,
    target,
    versionId: found.page.versionId,
    userId: act.author.userId,
  })
  const entry = await lockEntry(transaction, act.projectId, act.entityId)
  if (entry === null) throw fail('not_found')
  if (entry.control !== 'open') {
    const subject = { centerId: patient.centerId, patientId: patient.id, entryId: entry.id }
    return setAside(transaction, act, standing, { outcome: 'inbox', reason: entry.control }, subject, emptySaveResult(act.projectId))
  }
  return writeChange(transaction, act, standing, { entry, made, centerId: patient.centerId, patientDeleted: patient.deleted }, found.page)
}

interface Locked {
  readonly entry: StoredEntry
  readonly made: boolean
  readonly centerId: string
  readonly patientDeleted: boolean
}

async function writeChange(
  transaction: Queryable,
  act: EntryChangeAct,
  standing: Standing,
  { entry, made, centerId, patientDeleted }: Locked,
  ownPage: DefinedPage,
): Promise<OperationEffect<JsonValue>> {
  const page = await laterPage(transaction, act, entry, ownPage)
  const placed = await checkStructure(transaction, act, ownPage, page)
  const compiled = await compiledPage(transaction, page)
  const gone = entry.deleted || patientDeleted
  const merged = (gone ? collideWithDeleted : mergeEntry)(entry, placed, isCalculatedOn(compiled))
  refuseMisplaced(merged)
  const judged = judge(compiled, merged.data, act.acted)
  const judgement = gone ? { ...judged, data: merged.data, calculated: [] } : judged
  const conflicts = await nameAuthors(transaction, entry, merged.collisions)
  const verdict = act.call === 'entry.submit' ? await submitVerdict(transaction, act, gone, merged, judgement) : null

  const place: EntryPlace = {
    centerId,
    patientId: act.body.target.patientId,
    entryId: entry.id,
    versionId: page.versionId,
    pass: act.pass,
  }
  const audit: AuditDraft[] = [
    ...(made ? [{ ...place, action: 'entry.create' }] : []),
    ...changeRows(place, act.body.journal, merged, judgement.calculated, placed.retired),
    ...conflictRows(place, conflicts),
  ]
  const changed = merged.items.length > 0 || merged.rows.length > 0 || judgement.calculated.length > 0
  const status = verdict?.done === true ? 'other' : changed || made ? 'process' : entry.status
  audit.push(...statusRows(place, entry.status, status, verdict?.done === true))
  const stays = !changed && !made && status === entry.status && verdict?.done !== true && placed.retired.length === 0
  if (!stays) {
    await writeEntry(transaction, entry.id, {
      versionId: page.versionId,
      status,
      data: judgement.data,
      hidden: judgement.hidden,
      retired: withRetired(entry.retired, placed, act),
      deleted: entry.deleted,
      userId: act.author.userId,
      at: act.receivedAt,
      submittedHash: verdict?.done === true ? dataHash(judgement.data) : null,
    })
  }
  const common = { projectId: act.projectId, entryId: entry.id, mineBy: act.author.userId, mineAt: act.acted.at, opKey: act.key }
  await putConflicts(transaction, common, conflicts)
  const answer = await makeAnswer(transaction, act, standing, compiled.page, placed, judgement, conflicts.map(({ id }) => id), verdict)
  const committed = await commitProject(transaction, {
    projectId: act.projectId,
    statuses: ['process'],
    stamp: stampOf(act, standing.member?.role ?? null),
    audit: audit.length > 0 ? audit : [{ ...place, action: 'entry.unchanged' }],
    changes: [
      ...(stays && conflicts.length === 0 ? [] : [{ kind: 'entry' as const, rowId: entry.id, centerId, pass: act.pass }]),
      ...conflicts.map(({ id }) => ({ kind: 'conflict' as const, rowId: id, centerId, pass: act.pass })),
    ],
  })
  return { outcome: conflicts.length > 0 ? 'conflict' : 'applied', reason: null, centerId, committed, result: answer }
}

async function checkStructure(
  transaction: Queryable,
  act: EntryChangeAct,
  own: DefinedPage,
  target: DefinedPage,
): Promise<PlacedChange> {
  const { placed, problems } = await placeChange(act.body, {
    own: (await compiledPage(transaction, own)).page,
    target: (await compiledPage(transaction, target)).page,
    others: async () => (await allDefinitions(transaction, act.projectId, [own.pageId])).map(({ page }) => page),
  })
  if (problems.length > 0) throw fail('invalid', { fields: problems })
  return placed
}

/** The page under the version that the entry stands under from now on: the later of its own and the operation's. */
async function laterPage(transaction: Queryable, act: EntryChangeAct, entry: StoredEntry, own: DefinedPage): Promise<DefinedPage> {
  if (entry.versionId === own.versionId) return own
  const standing = await findPage(transaction, act.projectId, { versionId: entry.versionId, folderId: own.folderId, pageId: own.pageId })
  return standing !== null && standing.versionNo > own.versionNo ? standing : own
}

function refuseMisplaced(merged: Merged): void {
  if (merged.misplaced.length === 0) return
  throw fail('invalid', { fields: merged.misplaced.map((place) => ({ path: pathOf(place), code: place.why })) })
}

type Verdict = NonNullable<SaveResult['submitted']>

/** Whether the page can be submitted as the person saw it. */
async function submitVerdict(
  transaction: Queryable,
  act: EntryChangeAct,
  gone: boolean,
  merged: Merged,
  judgement: Judgement,
): Promise<Verdict> {
  if (merged.collisions.length > 0 || (await hasOpenConflict(transaction, act.entityId))) return { done: false, why: 'conflict' }
  const { seen } = act.body
  if (gone || (seen !== null && seen !== dataHash(judgement.data))) return { done: false, why: 'changed' }
  if (Object.keys(ruleErrors(judgement, act.language, true)).length > 0) return { done: false, why: 'invalid' }
  return { done: true, why: null }
}

async function hasOpenConflict(transaction: Queryable, entryId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'conflict_any',
    text: `SELECT 1 FROM conflict WHERE entry_id = $1 AND state = 'open' LIMIT 1`,
    values: [entryId],
  })
  return rowCount === 1
}

function statusRows(place: EntryPlace, from: EntryStatus, to: EntryStatus, submitted: boolean): readonly AuditDraft[] {
  if (submitted) return [{ ...place, action: 'entry.submit', old: from, new: to }]
  return from === to ? [] : [{ ...place, action: 'entry.status', old: from, new: to }]
}

/** What was retired before, and what comes to it now: by item, the last word. Earlier words are in the audit trail. */
function withRetired(before: StoredEntry['retired'], placed: PlacedChange, act: EntryChangeAct): StoredEntry['retired'] {
  const added = placed.retired.map((item): [string, JsonValue] => [
    missingKey(item),
    { table: item.table, value: item.to.value, missing: item.to.missing, by: act.author.userId, at: act.acted.at, opKey: act.key },
  ])
  return { ...before, ...Object.fromEntries(added) }
}

async function makeAnswer(
  transaction: Queryable,
  act: EntryChangeAct,
  standing: Standing,
  page: Parameters<typeof savedItems>[1],
  placed: PlacedChange,
  judgement: Judgement,
  conflictIds: readonly string[],
  submitted: Verdict | null,
): Promise<OperationEffect<JsonValue>['result']> {
  const reader = { projectId: act.projectId, sensitive: standing.member?.sensitive ?? false }
  const [entry] = await loadEntryRows(transaction, reader, [act.entityId])
  const smart = act.call === 'entry.smartSave' || act.call === 'entry.smartInsert' || act.call === 'entry.submit'
  return saveResult(
    {
      savedDataList: savedItems(act.entityId, page, placed.items, judgement),
      effect: smart ? effectItems(act.entityId, judgement) : [],
      error: smart ? ruleErrors(judgement, act.language, act.call === 'entry.submit') : {},
      entry: entry ?? null,
      conflicts: [...(await loadConflictRows(transaction, reader, conflictIds))],
      submitted,
    },
    act.projectId,
  )
}

