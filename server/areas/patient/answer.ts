import type { PatientResult } from '#core/api/calls/patient.ts'
import type { PatientRow } from '#core/api/sync/rows.ts'
import { loadPatientRows } from '#server/areas/patient/store.ts'
import type { Standing } from '#server/operations/standing.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { StoredReceipt } from '#server/http/idempotency.ts'

/**
 * The answer to an operation on a patient; the patient is null while the operation is held. `collided`: fields
 * where somebody else's value stayed.
 */
export function patientAnswer(
  projectId: string,
  patient: PatientRow | null,
  collided: readonly { readonly field: string }[] = [],
): (receipt: StoredReceipt) => PatientResult {
  return (receipt) => ({
    patient,
    receipt: { ...receipt, projectId },
    ...(collided.length === 0 ? {} : { collided: collided.map(({ field }) => field) }),
  })
}

/** The patient as the author may see them after the act. */
export async function patientFor(transaction: Queryable, standing: Standing, id: string): Promise<PatientRow | null> {
  if (standing.member === null) return null
  const [row] = await loadPatientRows(transaction, standing.member, [id])
  return row ?? null
}
