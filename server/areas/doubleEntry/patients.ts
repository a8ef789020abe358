import { fail } from '#core/api/errors.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { ListedIds } from '#server/areas/patient/list.ts'
import { pageOfPatients } from '#server/areas/patient/list.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Patients by entry pass. The first pass has all patients. The second has those whose second pass was opened, entered
 * or merged.
 */

/**
 * SQL over `p`: whether the patient has the pass.
 *
 * @param pass as `$4`
 */
function hasPass(pass: string): string {
  return `(${pass}::smallint = 1
    OR EXISTS (SELECT FROM double_entry d WHERE d.patient_id = p.id AND d.state <> 'destroyed')
    OR EXISTS (SELECT FROM entry e WHERE e.patient_id = p.id AND e.pass = 2 AND e.status <> 'init' AND NOT e.deleted))`
}

/** Whether the reader may see a pass: their own, or either for a reader who compares the two. */
function readsPass(member: Membership, pass: 1 | 2): boolean {
  const own = passParameter(member)
  return own === null || own === pass
}

/**
 * @throws ApiFailure not_found for a patient or a pass that the reader may not see, or a pass that the patient does
 *   not have
 */
export async function requirePatientInPass(
  transaction: Queryable,
  member: Membership,
  patientId: string,
  pass: 1 | 2,
): Promise<void> {
  if (!readsPass(member, pass)) throw fail('not_found')
  const { rowCount } = await transaction.query({
    name: 'pass_patient',
    text: `SELECT 1 FROM patient p WHERE ${PATIENT_VISIBLE} AND ${hasPass('$4')} AND p.id = $5`,
    values: [...visibleTo(member), pass, patientId],
  })
  if (rowCount !== 1) throw fail('not_found')
}

export interface PassFilter {
  /** Part of a subject number or of the mark of an unnumbered patient. */
  readonly no: string
  readonly current: number
  readonly size: number
}

/** One page of the patients who have the pass; none in a pass that the reader may not see. */
export async function patientsInPass(
  transaction: Queryable,
  member: Membership,
  pass: 1 | 2,
  { no, ...paging }: PassFilter,
): Promise<ListedIds> {
  if (!readsPass(member, pass)) return { ids: [], total: 0, totalIsLeast: false }
  const holds = `${hasPass('$4')} AND ($5::text = '' OR strpos(lower(p.no), lower($5)) > 0 OR (p.no IS NULL AND strpos(p.mark, upper($5)) > 0))`
  return pageOfPatients(transaction, member, { name: 'pass_patients', holds, values: [pass, no.trim()] }, paging)
}
