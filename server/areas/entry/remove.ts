import type { SaveResult } from '#core/api/calls/entry.ts'
import { fail } from '#core/api/errors.ts'
import { DELETED, deletion } from '#core/sync/merge.ts'
import { emptySaveResult, saveResult } from '#server/areas/entry/answer.ts'
import type { EntryPlace } from '#server/areas/entry/book.ts'
import { conflictRows } from '#server/areas/entry/book.ts'
import type { StoredEntry } from '#server/areas/entry/store.ts'
import { lockEntry, lockPatient, writeEntries } from '#server/areas/entry/store.ts'
import { checkTarget, claimPass, otherPassHold } from '#server/areas/entry/target.ts'
import { patientHold } from '#server/areas/patient/hold.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import type { Act } from '#server/operations/act.ts'
import { orderOfRemoval } from '#server/operations/lostPlace.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import { holdOfEarlier, standingOf } from '#server/operations/standing.ts'

import { noteConflicts } from '#server/areas/notice/conflicts.ts'
import { commitAct } from '#server/operations/commitAct.ts'
import { draftConflicts, putConflicts } from './disputes/conflicts.ts'
import type { NewConflict } from './disputes/conflicts.ts'
import { lockCrossing } from './judgement/crossing.ts'
import type { Recalculated } from './judgement/recalculate.ts'
import { NOTHING_RECALCULATED, recalculateReaders } from './judgement/recalculate.ts'
import { NOTHING_BOOKED, noteRuleQueries, planAllGone, writePagesQueries } from './queries/ruleQueries.ts'
import type { BookedQueries } from './queries/ruleQueries.ts'
import { loadConflictRows, loadEntryRows } from './reading/rows.ts'

/**
 * Deletes an entry: its state changes, with a reason, and the data stay. Where somebody wrote to it since the person
 * looked, the deletion becomes a conflict.
 */
export async function applyEntryRemoval(
  transaction: Queryable,
  act: Act<'entry.delete'>,
): Promise<OperationEffect<SaveResult>> {
  const { target, reason } = act.body
  const standing = await standingOf(transaction, act, 'database_submit_page')
  checkTarget(act, target)
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const patient = await lockPatient(transaction, act.projectId, target.patientId)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  await lockCrossing(transaction, target)
  const entry = await lockEntry(transaction, act.projectId, act.entityId)
  const controlHold =
    entry === null || entry.control === 'open' ? null : { outcome: 'inbox' as const, reason: entry.control }
  const both = patient === null ? null : otherPassHold(act, patient)
  const hold = standing.hold ?? earlier ?? placeHold ?? both ?? controlHold
  if (hold !== null) {
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId: entry?.id ?? null }
    return holdAct(transaction, act, standing, hold, subject, emptySaveResult(act.projectId))
  }
  if (patient === null || entry === null) throw fail('not_found')
  await claimPass(transaction, act, patient)

  const { centerId } = patient
  const place: EntryPlace = {
    centerId,
    patientId: patient.id,
    entryId: entry.id,
    versionId: entry.versionId,
    pass: act.pass,
  }
  const { removal, conflicts, marks } = await removeOrObject(transaction, act, entry, patient.id)
  const readers = removal === 'done' ? await recalculateReaders(transaction, act, place, target) : NOTHING_RECALCULATED
  const reader = { projectId: act.projectId, sensitive: standing.member?.sensitive ?? false }
  const [row] = await loadEntryRows(transaction, reader, [entry.id])
  const conflictsOut = await loadConflictRows(
    transaction,
    reader,
    conflicts.map(({ id }) => id),
  )
  const isChanged = removal === 'done' || removal === 'refused'
  const queries = removal === 'done' ? await endQueries(transaction, act, entry, place, readers) : NOTHING_BOOKED
  const committed = await commitAct(transaction, act, standing.member, {
    audit: [
      removalRow(act, place, removal, entry),
      ...marks,
      ...conflictRows(place, conflicts, () => reason),
      ...readers.audit,
      ...queries.audit,
    ],
    changes: [
      ...readers.changes,
      ...(isChanged ? [{ kind: 'entry' as const, rowId: entry.id, centerId, pass: act.pass }] : []),
      ...conflicts.map(({ id }) => ({ kind: 'conflict' as const, rowId: id, centerId, pass: act.pass })),
      ...queries.changes,
    ],
  })
  await noteRuleQueries(transaction, act, patient.id, queries)
  if (conflicts.length > 0) await noteRefused(transaction, act, place)
  const parts = {
    savedDataList: [],
    effect: [],
    error: {},
    entry: row ?? null,
    conflicts: [...conflictsOut],
    submitted: null,
  }
  return {
    outcome: removal === 'refused' ? 'conflict' : 'applied',
    reason: null,
    centerId,
    committed,
    result: saveResult(parts, act.projectId),
  }
}

/** Tells people of the conflict between a removal and what was written unseen. */
async function noteRefused(transaction: Queryable, act: Act<'entry.delete'>, place: EntryPlace): Promise<void> {
  const { projectId, receivedAt: at, author } = act
  const { patientId, entryId } = place
  await noteConflicts(transaction, { projectId, patientId, entryIds: [entryId], by: author.userId, at })
}

/** All that was asked about the entry ends with it; checks of pages that read it may ask. */
async function endQueries(
  transaction: Queryable,
  { projectId, body, acted, receivedAt }: Act<'entry.delete'>,
  entry: StoredEntry,
  place: EntryPlace,
  readers: Recalculated,
): Promise<BookedQueries> {
  const own = { target: body.target, place, queries: await planAllGone(transaction, entry) }
  return writePagesQueries(transaction, [own, ...readers.queries], { projectId, actedAt: acted.at, receivedAt })
}

function removalRow(
  { body: { reason } }: Act<'entry.delete'>,
  place: EntryPlace,
  removal: Removal,
  { deleted, rev }: StoredEntry,
): NewAuditRow {
  return {
    ...place,
    action: ACTIONS[removal],
    old: { deleted, rev },
    new: { deleted: removal !== 'refused' },
    reasonCode: reason.code,
    reasonText: reason.text,
  }
}

/**
 * The outcome of a removal: somebody wrote to the entry unseen; a later writer who knew of the removal wrote the
 * current data; or the entry was removed already.
 */
type Removal = 'done' | 'refused' | 'overtaken' | 'unchanged'

const ACTIONS: Readonly<Record<Removal, string>> = {
  done: 'entry.delete',
  refused: 'entry.delete_refused',
  overtaken: 'entry.overtaken',
  unchanged: 'entry.unchanged',
}

/** Removes the entry, or opens a conflict over what was written to it unseen. */
async function removeOrObject(
  transaction: Queryable,
  act: Act<'entry.delete'>,
  entry: StoredEntry,
  patientId: string,
): Promise<{
  readonly removal: Removal
  readonly conflicts: readonly NewConflict[]
  /** About marks of the entry. */
  readonly marks: readonly NewAuditRow[]
}> {
  const { seenRev } = act.body
  const order = await orderOfRemoval(transaction, act, seenRev >= entry.rev)
  if (entry.deleted) return { removal: 'unchanged', conflicts: [], marks: [] }
  if (order === 'theirs') return { removal: 'overtaken', conflicts: [], marks: [] }
  if (order !== 'mine' && (order === 'collide' || entry.rev !== seenRev)) {
    const conflicts = await draftConflicts(transaction, { ...entry, patientId }, act.key, [deletionCollision()])
    const common = {
      projectId: act.projectId,
      entryId: entry.id,
      mineBy: act.author.userId,
      mineAt: act.acted.at,
      opKey: act.key,
    }
    await putConflicts(transaction, common, conflicts)
    return { removal: 'refused', conflicts, marks: [] }
  }
  const { id, versionId, status, hidden, progress, retired } = entry
  const by = { userId: act.author.userId, at: act.receivedAt }
  const marks = await writeEntries(transaction, [
    { id, versionId, status, data: entry, hidden, progress, retired, deleted: true, ...by, submittedHash: null },
  ])
  return { removal: 'done', conflicts: [], marks: marks.get(id) ?? [] }
}

/** A deletion that met edits which the person had not seen, as a conflict record. */
function deletionCollision() {
  return { table: null, rid: null, code: DELETED, base: deletion(false), server: deletion(false), mine: deletion(true) }
}
