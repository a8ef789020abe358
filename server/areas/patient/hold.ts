import { fail } from '#core/api/errors.ts'
import { formerMembership, seesAllPatients, seesCenter } from '#server/access.ts'
import { isOwnPatient, wasAssigned } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { AnyAct } from '#server/operations/act.ts'
import type { Hold, Standing } from '#server/operations/standing.ts'
import { centerHold } from '#server/operations/standing.ts'

/**
 * Whether the author may write to the patient's center. Late work on a patient who was moved out of the author's
 * centers needs a decision.
 *
 * @throws ApiFailure not_found where patient or center was never the author's
 */
export async function patientHold(
  transaction: Queryable,
  act: AnyAct,
  standing: Standing,
  patient: { readonly id: string; readonly centerId: string; readonly createdBy: string },
): Promise<Hold | null> {
  if (act.admission === 'released') return null
  const own = standing.member === null || (await isOwnPatient(transaction, standing.member, patient))
  if (!own) {
    const former = await formerMembership(transaction, act.author.userId, act.projectId)
    const sawAll = former?.dataScopes.some((dataScope) => seesAllPatients({ dataScope })) === true
    if (!sawAll && (former === null || !(await wasAssigned(transaction, former.memberId, patient.id))))
      throw fail('not_found')
    return { outcome: 'inbox', reason: 'right_withdrawn' }
  }
  const seen = standing.member !== null && seesCenter(standing.member, patient.centerId)
  if (!seen && (await wasInTheirs(transaction, act, patient.id))) return { outcome: 'inbox', reason: 'center_changed' }
  return centerHold(transaction, act, standing, patient.centerId)
}

/** Whether the patient was ever in a center that is, or was, the author's. */
async function wasInTheirs(transaction: Queryable, { author, projectId }: AnyAct, patientId: string): Promise<boolean> {
  const former = await formerMembership(transaction, author.userId, projectId)
  if (former === null || former.centers === 'all') return false
  const { rowCount } = await transaction.query({
    name: 'patient_was_in',
    text: 'SELECT 1 FROM audit WHERE patient_id = $1 AND center_id = ANY ($2) LIMIT 1',
    values: [patientId, former.centers],
  })
  return rowCount === 1
}
