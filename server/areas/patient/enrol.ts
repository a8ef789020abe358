import type { PatientResult } from '#core/api/calls/patient.ts'
import { fail } from '#core/api/errors.ts'
import { missingAtEnrolment } from '#core/study/enrolment.ts'
import type { EnrolField } from '#core/study/enrolment.ts'
import { patientAnswer, patientFor } from '#server/areas/patient/answer.ts'
import {
  claimForgotten,
  countsIn,
  isGiven,
  leasedCount,
  nextNumber,
  numberingOfCenter,
} from '#server/areas/patient/numbers.ts'
import type { Numbering, SubjectNumber } from '#server/areas/patient/numbers.ts'
import type { Act } from '#server/operations/act.ts'
import { checkSubject } from '#server/operations/act.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import type { Hold, Standing } from '#server/operations/standing.ts'
import { centerHold, holdOfEarlier, standingOf } from '#server/operations/standing.ts'
import type { NewAuditRow } from '#server/database/auditDigest.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import { commitAct } from '#server/operations/commitAct.ts'

interface CenterFacts {
  readonly id: string
  readonly status: 'active' | 'disabled'
}

/**
 * Enrols a patient. The number comes from a block that the device leased, or from the server when there is none. If a
 * number comes twice (a device restored from a copy), the second patient gets the next number, and both numbers are
 * in the audit trail. A number that was shown before the server was restored from a backup is given to the patient
 * again.
 *
 * A disabled center accepts no enrolment that is made online. A patient who was enrolled on a tablet exists already,
 * and goes to the inbox as `center_changed`.
 */
export async function applyEnrolment(
  transaction: Queryable,
  act: Act<'patient.save'>,
): Promise<OperationEffect<PatientResult>> {
  const { body } = act
  checkSubject(act)
  const standing = await standingOf(transaction, act, 'patient_enrol')
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const center = await lockCenter(transaction, act.projectId, body.centerId)
  if (center === null) throw fail('not_found')
  const placeHold = await centerHold(transaction, act, standing, center.id)
  await requireFacts(transaction, act, standing)
  const numbering = await numberingOfCenter(transaction, center.id)
  const shown = await numberShown(transaction, act, numbering)
  const hold = standing.hold ?? earlier ?? placeHold ?? disabledHold(center, act)
  if (hold !== null) {
    const subject = { centerId: center.id, patientId: null, entryId: null }
    return holdAct(transaction, act, standing, hold, subject, patientAnswer(act.projectId, null))
  }

  const taken = shown !== null && (!shown.free || (await isGiven(transaction, act.projectId, shown.no)))
  const given = shown === null || taken ? await nextNumber(transaction, numbering) : { no: shown.no, seq: shown.seq }
  await insertPatient(transaction, act, given)
  const place = { centerId: center.id, patientId: body.id }
  const { identity, ...facts } = body
  const audit: NewAuditRow[] = [
    { ...place, action: 'patient.enrol', new: { ...facts, no: given.no } },
    // Identity has its own row, because only people with the right to it may see what identifies the patient.
    { ...place, action: 'patient.identify', prop: 'identity', new: identity },
    ...(taken ? [{ ...place, action: 'patient.number_taken', prop: 'no', old: shown.no, new: given.no }] : []),
  ]
  const answer = patientAnswer(act.projectId, await patientFor(transaction, standing, body.id))
  const committed = await commitAct(transaction, act, standing.member, {
    audit,
    changes: [{ kind: 'patient', rowId: body.id, centerId: center.id, pass: null }],
  })
  return { outcome: taken ? 'conflict' : 'applied', reason: null, centerId: center.id, committed, result: answer }
}

/**
 * Requires the facts that the project asks for, where the caller is online and can give them. A patient who was
 * enrolled on a tablet has a number and pages already, and is taken in.
 *
 * @throws ApiFailure invalid, for each missing fact
 */
async function requireFacts(transaction: Queryable, act: Act<'patient.save'>, { member }: Standing): Promise<void> {
  if (act.deviceSeq !== null || act.admission !== 'usual') return
  const { rows } = await transaction.query<{ fields: readonly EnrolField[] | null }>({
    name: 'enrol_fields',
    text: `SELECT config->'enrolFields' AS fields FROM project WHERE id = $1`,
    values: [act.projectId],
  })
  const missing = missingAtEnrolment(act.body, rows[0]?.fields ?? [], member?.sensitive === true)
  if (missing.length > 0)
    throw fail('invalid', { fields: missing.map((field) => ({ path: `body.${field}`, code: 'required' })) })
}

/** The center, protected from changes until the transaction ends; enrolments in it do not wait for each other. */
async function lockCenter(transaction: Queryable, projectId: string, id: string): Promise<CenterFacts | null> {
  const { rows } = await transaction.query<CenterFacts>({
    name: 'center_of_enrolment',
    text: 'SELECT id, status FROM center WHERE id = $1 AND project_id = $2 FOR KEY SHARE',
    values: [id, projectId],
  })
  return rows[0] ?? null
}

/** A number that a person was shown, and whether it was promised to nobody else. */
interface ShownNumber extends SubjectNumber {
  readonly free: boolean
}

/** @throws ApiFailure invalid for a number that the device was never leased */
async function numberShown(
  transaction: Queryable,
  act: Act<'patient.save'>,
  numbering: Numbering,
): Promise<ShownNumber | null> {
  const { no } = act.body
  const text = no ?? act.numberHint
  if (text === null) return null
  const { deviceId } = act.acted
  const leased = no === null || deviceId === null ? null : await leasedCount(transaction, numbering, deviceId, no)
  if (leased !== null) return { no: text, seq: leased, free: true }
  for (const seq of deviceId === null ? [] : countsIn(numbering, text)) {
    const claim = await claimForgotten(transaction, numbering.centerId, seq)
    if (claim !== 'unknown') return { no: text, seq, free: claim === 'free' }
  }
  // A number that the device only remembers from an answer is no reason to refuse.
  if (no === null) return null
  throw fail('invalid', { fields: [{ path: 'body.no', code: 'not_leased' }] })
}

function disabledHold(center: CenterFacts, act: Act<'patient.save'>): Hold | null {
  if (center.status === 'active' || act.admission === 'released') return null
  if (act.deviceSeq === null) throw fail('center_disabled')
  return { outcome: 'inbox', reason: 'center_changed' }
}

interface Enrolled {
  readonly act: Act<'patient.save'>
  readonly number: SubjectNumber
}

const INSERT = prepare<Enrolled>('patient_insert', (parameter) => {
  const projectId = ({ act }: Enrolled) => act.body.projectId
  const centerId = ({ act }: Enrolled) => act.body.centerId
  const at = ({ act }: Enrolled) => act.receivedAt
  const patient = columns<Enrolled>(parameter, {
    id: ({ act }) => act.body.id,
    project_id: projectId,
    center_id: centerId,
    no: ({ number }) => number.no,
    no_seq: ({ number }) => number.seq,
    mark: ({ act }) => act.body.mark,
    initials: ({ act }) => act.body.initials,
    sex: ({ act }) => act.body.sex,
    enrolled_on: ({ act }) => act.body.enrolledOn,
    name: ({ act }) => act.body.identity.name,
    mobile: ({ act }) => act.body.identity.mobile,
    email: ({ act }) => act.body.identity.email,
    birth_date: ({ act }) => act.body.identity.birthDate,
    created_by: ({ act }) => act.author.userId,
    created_at: at,
    updated_at: at,
  })
  // The place in the center is counted at the center, so that it never moves, whoever enrols at the same time.
  return `
      WITH counted AS (UPDATE center SET enrolled = enrolled + 1 WHERE id = ${parameter(centerId)} RETURNING enrolled)
      INSERT INTO patient (${patient.names}, center_rank, migrated_to)
      VALUES (${patient.places}, (SELECT enrolled FROM counted), (
        SELECT m.version_id FROM version_migration m JOIN crf_version v ON v.id = m.version_id
        WHERE m.project_id = ${parameter(projectId)} ORDER BY v.version_no DESC LIMIT 1))
      ON CONFLICT (id) DO NOTHING`
})

async function insertPatient(transaction: Queryable, act: Act<'patient.save'>, number: SubjectNumber): Promise<void> {
  const { rowCount } = await transaction.query(INSERT({ act, number }))
  if (rowCount !== 1) throw fail('already_exists')
}
