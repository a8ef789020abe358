import type { PatientResult } from '#core/api/calls/patient.ts'
import { fail } from '#core/api/errors.ts'
import { patientAnswer, patientFor } from '#server/areas/patient/answer.ts'
import { lockPatientForWrite } from '#server/areas/patient/store.ts'
import { patientHold } from '#server/areas/patient/hold.ts'
import type { Act } from '#server/operations/act.ts'
import { checkSubject } from '#server/operations/act.ts'
import { holdAct } from '#server/operations/holdAct.ts'
import { holdOfEarlier, standingOf } from '#server/operations/standing.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'
import { commitAct } from '#server/operations/commitAct.ts'

/** Removes a patient: a mark with a reason. Their data and number stay; later edits of them become conflicts. */
export async function applyPatientRemoval(
  transaction: Queryable,
  act: Act<'patient.remove'>,
): Promise<OperationEffect<PatientResult>> {
  checkSubject(act)
  const standing = await standingOf(transaction, act, 'patient_remove')
  const earlier = await holdOfEarlier(transaction, act, standing.status)
  const patient = await lockPatientForWrite(transaction, act.projectId, act.entityId)
  const placeHold = patient === null ? null : await patientHold(transaction, act, standing, patient)
  const hold = standing.hold ?? earlier ?? placeHold
  if (hold !== null) {
    const subject = { centerId: patient?.centerId ?? null, patientId: patient?.id ?? null, entryId: null }
    return holdAct(transaction, act, standing, hold, subject, patientAnswer(act.projectId, null))
  }
  if (patient === null) throw fail('not_found')

  const { centerId } = patient
  if (!patient.deleted) {
    await transaction.query({
      name: 'patient_remove',
      text: 'UPDATE patient SET deleted = true, rev = rev + 1, updated_at = $2 WHERE id = $1',
      values: [patient.id, act.receivedAt],
    })
  }
  const { reason } = act.body
  const answer = patientAnswer(act.projectId, await patientFor(transaction, standing, patient.id))
  const committed = await commitAct(transaction, act, standing.member, {
    audit: [
      {
        action: patient.deleted ? 'patient.unchanged' : 'patient.remove',
        centerId,
        patientId: patient.id,
        old: patient.deleted,
        new: true,
        reasonCode: reason.code,
        reasonText: reason.text,
      },
    ],
    changes: patient.deleted ? [] : [{ kind: 'patient', rowId: patient.id, centerId, pass: null }],
  })
  return { outcome: 'applied', reason: null, centerId, committed, result: answer }
}
