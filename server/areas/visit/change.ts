import type { VisitResult } from '#core/api/calls/visit.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import { day } from '#core/wire/shapes.ts'
import { FIRST_REPEAT, visitId } from '#core/derivedIds.ts'
import { isId } from '#core/ids.ts'
import { visitOutcomes } from '#core/study/visits/schedule.ts'
import type { Precedence } from '#core/sync/merge.ts'
import { mayBeMade } from '#core/study/visits/visitPlan.ts'
import { isForeignVersion } from '#server/areas/entry/reading/pages.ts'
import { orderOfFacts } from '#server/operations/lostPlace.ts'
import { patientHold } from '#server/areas/patient/hold.ts'
import { lockPatientForWrite } from '#server/areas/patient/store.ts'
import type { VisitAct } from '#server/operations/act.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import type { Hold } from '#server/operations/standing.ts'
import { holdOfEarlier, standingOf } from '#server/operations/standing.ts'
import { visitAnswer } from '#server/areas/visit/answer.ts'
import {
  controlOf,
  findVisit,
  folderEverWas,
  folderOf,
  holdsSubmitted,
  loadVisitRows,
  putVisit,
} from '#server/areas/visit/store.ts'
import type { StoredVisit } from '#server/areas/visit/store.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import { commitAct } from '#server/operations/commitAct.ts'

type Field = Exclude<keyof StoredVisit, 'id'>

/** One fact that changes, with the value that the person saw. */
interface FactChange {
  readonly field: Field
  readonly to: string | null
  readonly base: string | null
}

const NOTHING_SAID: Omit<StoredVisit, 'id'> = {
  actualDate: null,
  outcome: null,
  outcomeReason: null,
  deviationReason: null,
  removed: null,
  applies: null,
  order: null,
}

/**
 * Takes in what a person says about a visit, field by field, and makes the visit where nobody has said anything about
 * it yet. A field that somebody else has changed since keeps their value. The other value is in the audit trail
 * (`visit.conflict`), so that nothing is lost and a person can set it again. A change of a visit that somebody else
 * took back is kept in the visit. If a page of the visit is frozen or locked, the change needs a decision.
 */
export async function applyVisitAct(transaction: Queryable, act: VisitAct): Promise<OperationEffect<VisitResult>> {
  const place = readVisitPlace(act)
  const standing = await standingOf(transaction, act, 'visit_edit')
  const changes = changesOf(act)
  const problems = changes.flatMap((change) => structureOf(change, changes))
  if (problems.length > 0) throw fail('invalid', { fields: problems })
  const definition = await holdOfDefinition(transaction, act, place)
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const patient = await lockPatientForWrite(transaction, act.projectId, place.patientId)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const control = await controlOf(transaction, place)
  const hold =
    standing.hold ??
    earlier ??
    definition ??
    placeHold ??
    (control === null ? null : { outcome: 'inbox' as const, reason: control })
  if (hold !== null) {
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId: null }
    return holdAct(transaction, act, standing, hold, subject, visitAnswer(act.projectId, null))
  }
  if (patient === null) throw fail('not_found')
  const stored = await findVisit(transaction, act.projectId, act.entityId)
  // A visit that a person makes exists once the operation that makes it is applied.
  if (stored === null && act.call !== 'visit.save' && place.folderRepeat !== FIRST_REPEAT) throw fail('not_found')
  if (act.call === 'folder.remove' && (await holdsSubmitted(transaction, place)))
    throw fail('invalid', { fields: [{ path: 'body.folderId', code: 'holds_submitted' }] })

  const merged = mergeFacts(
    stored,
    changes,
    await orderOfFacts(transaction, act, { patientId: patient.id, subject: act.entityId, changes }),
  )
  const { applied, collided } = merged
  const isChanged = stored === null || applied.length > 0
  if (isChanged) {
    const next = { ...(stored ?? NOTHING_SAID), ...Object.fromEntries(applied.map(({ field, to }) => [field, to])) }
    await putVisit(transaction, {
      ...next,
      id: act.entityId,
      projectId: act.projectId,
      ...place,
      by: act.author.userId,
      at: act.receivedAt,
    })
  }
  const row =
    standing.member === null ? null : ((await loadVisitRows(transaction, standing.member, [act.entityId]))[0] ?? null)
  const { centerId } = patient
  const committed = await commitAct(transaction, act, standing.member, {
    audit: auditOfFacts(act, place, centerId, stored, merged),
    changes: isChanged ? [{ kind: 'visit', rowId: act.entityId, centerId, pass: null }] : [],
  })
  return {
    outcome: collided.length > 0 ? 'conflict' : 'applied',
    reason: null,
    centerId,
    committed,
    result: visitAnswer(act.projectId, row, collided),
  }
}

/** The audit rows: one for each changed fact, or one that says that nothing changed. */
function auditOfFacts(
  act: VisitAct,
  { patientId, folderId, folderRepeat }: VisitKey,
  centerId: string,
  stored: StoredVisit | null,
  { applied, collided, overtaken }: MergedFacts,
): readonly NewAuditRow[] {
  const reason = act.body.reason === null ? {} : { reasonCode: act.body.reason.code, reasonText: act.body.reason.text }
  const about = { centerId, patientId, rid: act.entityId }
  const old = stored ?? NOTHING_SAID
  const factRow = ({ field, to }: FactChange, action: string): NewAuditRow => ({
    ...about,
    action,
    prop: field,
    old: old[field],
    new: to,
    ...reason,
  })
  const audit: readonly NewAuditRow[] = [
    ...(stored === null ? [{ ...about, action: 'visit.make', new: { folderId, folderRepeat }, ...reason }] : []),
    ...applied.map((change) => factRow(change, actionOf(change.field, change.to))),
    ...collided.map((change) => factRow(change, 'visit.conflict')),
    ...overtaken.map((change) => factRow(change, 'visit.overtaken')),
  ]
  return audit.length > 0 ? audit : [{ ...about, action: 'visit.unchanged', ...reason }]
}

interface VisitKey {
  readonly patientId: string
  readonly folderId: string
  readonly folderRepeat: string
}

/**
 * @throws ApiFailure invalid for a forged id, another project than the operation's, or the removal of a visit that
 *   the schedule defines
 */
function readVisitPlace({ call, body, projectId, entityId }: VisitAct): VisitKey {
  const { patientId, folderId } = body
  const folderRepeat = 'folderRepeat' in body ? body.folderRepeat : FIRST_REPEAT
  const sound = folderRepeat === FIRST_REPEAT || isId(folderRepeat)
  if (
    body.projectId !== projectId ||
    body.id !== entityId ||
    !sound ||
    visitId({ patientId, folderId, folderRepeat }) !== entityId
  ) {
    throw fail('invalid', { fields: [{ path: 'body.id', code: 'forged' }] })
  }
  if (call === 'visit.remove' && folderRepeat === FIRST_REPEAT)
    throw fail('invalid', { fields: [{ path: 'body.folderRepeat', code: 'planned_visit' }] })
  return { patientId, folderId, folderRepeat }
}

function changesOf(act: VisitAct): readonly FactChange[] {
  switch (act.call) {
    case 'visit.remove':
      return [{ field: 'removed', base: null, to: 'true' }]
    case 'folder.remove':
      return [{ field: 'applies', base: null, to: 'no' }]
    case 'visit.save':
    case 'visit.update':
    case 'folder.config':
      return act.body.fields
  }
}

function structureOf({ field, to }: FactChange, all: readonly FactChange[]): readonly FieldError[] {
  const path = `body.fields.${field}`
  const wrong: readonly FieldError[] = [{ path, code: 'type' }]
  if (to === null) return []
  switch (field) {
    case 'actualDate':
      return day.safeParse(to).success ? [] : wrong
    case 'outcome': {
      if (!visitOutcomes.some((outcome) => outcome === to)) return wrong
      // If a visit did not take place, a reason must be given.
      const why = all.find((one) => one.field === 'outcomeReason')?.to ?? ''
      return why.trim() === '' ? [{ path: 'body.fields.outcomeReason', code: 'required' }] : []
    }
    case 'applies':
      return to === 'no' ? [] : wrong
    case 'removed':
      return to === 'true' ? [] : wrong
    case 'order':
      return /^\d{1,6}$/.test(to) ? [] : wrong
    case 'outcomeReason':
    case 'deviationReason':
      return []
  }
}

/**
 * Why the definition has no place for the visit.
 *
 * @throws ApiFailure invalid for a version that is not released or is another project's, for a folder that the
 *   project never had, or for a folder of which nobody can make another visit
 */
async function holdOfDefinition(
  transaction: Queryable,
  act: VisitAct,
  { folderId, folderRepeat }: VisitKey,
): Promise<Hold | null> {
  if (act.crfVersionId === null) throw fail('invalid', { fields: [{ path: 'crfId', code: 'required' }] })
  const folder = await folderOf(transaction, act.projectId, act.crfVersionId, folderId)
  if (folder === null) {
    if (await isForeignVersion(transaction, act.projectId, act.crfVersionId))
      throw fail('invalid', { fields: [{ path: 'crfId', code: 'unknown_version' }] })
    if (await folderEverWas(transaction, act.projectId, folderId))
      return { outcome: 'inbox', reason: 'no_place_in_version' }
    throw fail('invalid', { fields: [{ path: 'body.folderId', code: 'unknown_folder' }] })
  }
  if (!folder.released) throw fail('invalid', { fields: [{ path: 'crfId', code: 'not_released' }] })
  if (
    act.call === 'visit.save' &&
    folderRepeat !== FIRST_REPEAT &&
    !mayBeMade({ schedule: folder.plan ?? undefined })
  ) {
    throw fail('invalid', { fields: [{ path: 'body.folderRepeat', code: 'not_repeatable' }] })
  }
  return null
}

interface MergedFacts {
  readonly applied: readonly FactChange[]
  readonly collided: readonly FactChange[]
  /**
   * Fields that change nothing, because a later writer who knew of this change has set the current value. This
   * happens when operations come again after a restore.
   */
  readonly overtaken: readonly FactChange[]
}

/**
 * The fields of the change that are applied, and those that met somebody else's value. For a visit about which nobody
 * has said anything all are applied, except those that met another value before a restore.
 */
function mergeFacts(
  stored: StoredVisit | null,
  changes: readonly FactChange[],
  orderOf: (field: string) => Precedence,
): MergedFacts {
  if (stored === null) {
    const said = changes.filter(({ to }) => to !== null)
    const met = new Set(said.filter(({ field }) => orderOf(field) === 'collide'))
    return { applied: said.filter((change) => !met.has(change)), collided: [...met], overtaken: [] }
  }
  const overtaken: FactChange[] = []
  const applied: FactChange[] = []
  const collided: FactChange[] = []
  for (const change of changes) {
    const current = stored[change.field]
    if (current === change.to) continue
    const order = orderOf(change.field)
    if (order === 'theirs') overtaken.push(change)
    else if (order !== 'collide' && (order === 'mine' || current === change.base)) applied.push(change)
    else collided.push(change)
  }
  return { applied, collided, overtaken }
}

function actionOf(field: Field, to: string | null): string {
  if (field === 'removed') return to === null ? 'visit.restore' : 'visit.remove'
  if (field === 'applies') return to === null ? 'folder.restore' : 'folder.remove'
  return field === 'order' ? 'folder.order' : 'visit.update'
}
