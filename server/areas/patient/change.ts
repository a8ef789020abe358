import type { PatientChange, PatientResult } from '#core/api/calls/patient.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import { day } from '#core/wire/shapes.ts'
import type { Precedence } from '#core/sync/merge.ts'
import { patientAnswer, patientFor } from '#server/areas/patient/answer.ts'
import { lockPatientForWrite } from '#server/areas/patient/store.ts'
import type { StoredPatient } from '#server/areas/patient/store.ts'
import { addNotices } from '#server/areas/notice/store.ts'
import { orderOfFacts } from '#server/operations/lostPlace.ts'
import { patientHold } from '#server/areas/patient/hold.ts'
import type { Act } from '#server/operations/act.ts'
import { checkSubject } from '#server/operations/act.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import { holdOfEarlier, standingOf } from '#server/operations/standing.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import { commitAct } from '#server/operations/commitAct.ts'

type FieldChange = PatientChange['fields'][number]
type FieldName = FieldChange['field']

/** Fields that identify a patient: changed and read only with the right to them. */
export const IDENTIFYING: ReadonlySet<string> = new Set<FieldName>(['name', 'mobile', 'email', 'birthDate'])

const LONGEST: Readonly<Record<FieldName, number>> = {
  initials: 20,
  sex: 1,
  enrolledOn: 10,
  name: 100,
  mobile: 40,
  email: 200,
  birthDate: 10,
}

/**
 * Changes the patient's facts, field by field. A field that somebody else has changed since keeps their value. The
 * other value is in the audit trail (`patient.conflict`), so that nothing is lost and a person can set it again.
 */
export async function applyPatientChange(
  transaction: Queryable,
  act: Act<'patient.update'>,
): Promise<OperationEffect<PatientResult>> {
  const { body } = act
  checkSubject(act)
  const standing = await standingOf(transaction, act, 'patient_edit')
  const problems = body.fields.flatMap(structureOf)
  if (problems.length > 0) throw fail('invalid', { fields: problems })
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const patient = await lockPatientForWrite(transaction, act.projectId, body.id)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const hold = standing.hold ?? earlier ?? placeHold
  if (hold !== null) {
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId: null }
    return holdAct(transaction, act, standing, hold, subject, patientAnswer(act.projectId, null))
  }
  if (patient === null) throw fail('not_found')
  // The former rights count only here, where somebody has released the act.
  const sensitive =
    standing.member?.sensitive === true || standing.former?.permissions.has('patient_sensitive') === true
  if (!sensitive && body.fields.some(({ field }) => IDENTIFYING.has(field))) throw fail('forbidden')

  const { applied, collided, overtaken } = mergeFields(
    patient,
    body.fields,
    await orderOfFacts(transaction, act, { patientId: patient.id, subject: patient.id, changes: body.fields }),
  )
  if (applied.length > 0) await writeFields(transaction, patient, applied, act.receivedAt)
  const place = { centerId: patient.centerId, patientId: patient.id }
  const reason = body.reason === null ? {} : { reasonCode: body.reason.code, reasonText: body.reason.text }
  const audit: NewAuditRow[] = [
    ...applied.map(({ field, to }) => ({
      ...place,
      action: 'patient.update',
      prop: field,
      old: patient[field],
      new: to,
      ...reason,
    })),
    ...collided.map(({ field, to }) => ({
      ...place,
      action: 'patient.conflict',
      prop: field,
      old: patient[field],
      new: to,
      ...reason,
    })),
    ...overtaken.map(({ field, to }) => ({
      ...place,
      action: 'patient.overtaken',
      prop: field,
      old: patient[field],
      new: to,
      ...reason,
    })),
  ]
  if (act.notify === true && applied.length > 0) {
    const memberIds = await tellAssigned(transaction, act)
    if (memberIds.length > 0) audit.push({ ...place, action: 'patient.notify', new: { members: memberIds } })
  }
  const answer = patientAnswer(act.projectId, await patientFor(transaction, standing, patient.id), collided)
  const committed = await commitAct(transaction, act, standing.member, {
    audit: audit.length > 0 ? audit : [{ ...place, action: 'patient.unchanged' }],
    changes: applied.length > 0 ? [{ kind: 'patient', rowId: patient.id, centerId: patient.centerId, pass: null }] : [],
  })
  const outcome = collided.length > 0 ? 'conflict' : 'applied'
  return { outcome, reason: null, centerId: patient.centerId, committed, result: answer }
}

/**
 * Puts a notice to the members to whom the patient is assigned, except the one who made the change. Returns their
 * member ids.
 */
async function tellAssigned(transaction: Queryable, act: Act<'patient.update'>): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ id: string }>({
    name: 'patient_assigned',
    text: `
      SELECT m.id FROM patient_member a JOIN member m ON m.id = a.member_id
      WHERE a.patient_id = $1 AND NOT a.removed AND NOT m.removed AND m.user_id <> $2 ORDER BY m.id::text`,
    values: [act.body.id, act.author.userId],
  })
  const memberIds = rows.map(({ id }) => id)
  await addNotices(transaction, {
    kind: 'changed',
    memberIds,
    projectId: act.projectId,
    patientId: act.body.id,
    by: act.author.userId,
    at: act.receivedAt,
  })
  return memberIds
}

function structureOf({ field, to }: FieldChange): readonly FieldError[] {
  const path = `body.fields.${field}`
  if (to === null) return []
  if (to.length > LONGEST[field]) return [{ path, code: 'too_long', params: { max: LONGEST[field] } }]
  if (field === 'sex' && to !== 'F' && to !== 'M') return [{ path, code: 'type' }]
  return field === 'enrolledOn' && !day.safeParse(to).success ? [{ path, code: 'type' }] : []
}

interface MergedFields {
  readonly applied: readonly FieldChange[]
  readonly collided: readonly FieldChange[]
  /**
   * Fields that change nothing, because a later writer who knew of this change has set the current value. This
   * happens when operations come again after a restore.
   */
  readonly overtaken: readonly FieldChange[]
}

/**
 * The fields of the change that are applied, and those that met somebody else's value. For a removed patient all of
 * them do.
 */
function mergeFields(
  patient: StoredPatient,
  fields: readonly FieldChange[],
  orderOf: (field: string) => Precedence,
): MergedFields {
  const applied: FieldChange[] = []
  const collided: FieldChange[] = []
  const overtaken: FieldChange[] = []
  for (const change of fields) {
    const current = patient[change.field]
    if (current === change.to) continue
    const order = orderOf(change.field)
    if (order === 'theirs') overtaken.push(change)
    else if (!patient.deleted && order !== 'collide' && (order === 'mine' || current === change.base))
      applied.push(change)
    else collided.push(change)
  }
  return { applied, collided, overtaken }
}

async function writeFields(
  transaction: Queryable,
  patient: StoredPatient,
  applied: readonly FieldChange[],
  at: string,
): Promise<void> {
  const next = { ...patient, ...Object.fromEntries(applied.map(({ field, to }) => [field, to])) }
  await transaction.query({
    name: 'patient_update',
    text: `
      UPDATE patient SET
        initials = $2, sex = $3, enrolled_on = $4, name = $5, mobile = $6, email = $7, birth_date = $8, rev = rev + 1, updated_at = $9
      WHERE id = $1`,
    values: [
      patient.id,
      next.initials,
      next.sex,
      next.enrolledOn,
      next.name,
      next.mobile,
      next.email,
      next.birthDate,
      at,
    ],
  })
}
