import type { PatientIdentity, PatientRow } from '#core/api/sync/rows.ts'
import { centerParameter, isTheirs, ownParameter, seesAllPatients } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Patients in SQL. Every read is limited to what the reader may see. */

const PATIENT_ROW = `
  SELECT
    p.id, p.center_id AS "centerId", p.no, p.mark, p.initials, p.sex, p.enrolled_on AS "enrolledOn",
    jsonb_build_object('name', p.name, 'mobile', p.mobile, 'email', p.email, 'birthDate', p.birth_date) AS identity,
    coalesce((SELECT nullif(d.state, 'destroyed') FROM double_entry d WHERE d.patient_id = p.id), 'none') AS "secondPass",
    ARRAY (
      SELECT a.member_id::text FROM patient_member a JOIN member m ON m.id = a.member_id
      WHERE a.patient_id = p.id AND NOT a.removed AND NOT m.removed AND m.type = 'expert' ORDER BY 1) AS "expertIds",
    ARRAY (
      SELECT a.member_id::text FROM patient_member a JOIN member m ON m.id = a.member_id
      WHERE a.patient_id = p.id AND NOT a.removed AND NOT m.removed AND m.type <> 'expert' ORDER BY 1) AS "memIds",
    p.rev, p.deleted, p.created_by AS "createdBy", p.created_at AS "createdAt", p.updated_at AS "updatedAt"
  FROM patient p`

/**
 * What a reader may see. The parameters are project, centers (null: all) and whose patients are visible (`isTheirs`).
 */
export const PATIENT_VISIBLE = `
  p.project_id = $1 AND ($2::uuid[] IS NULL OR p.center_id = ANY ($2)) AND ${isTheirs('p', '$3')}`

/** The parameters of `PATIENT_VISIBLE`. */
export function visibleTo(
  member: Membership,
): readonly [string, readonly string[] | null, readonly (string | null)[] | null] {
  return [member.projectId, centerParameter(member), ownParameter(member)]
}

/** Whether the member may see and work on a patient of their centers. */
export async function isOwnPatient(
  transaction: Queryable,
  member: Pick<Membership, 'dataScope' | 'memberId' | 'userId'>,
  patient: { readonly id: string; readonly createdBy: string },
): Promise<boolean> {
  if (seesAllPatients(member) || (member.dataScope === 'self' && patient.createdBy === member.userId)) return true
  const { rowCount } = await transaction.query({
    name: 'patient_is_own',
    text: `SELECT 1 FROM patient p WHERE p.id = $1 AND ${isTheirs('p', '$2')}`,
    values: [patient.id, ownParameter(member)],
  })
  return rowCount === 1
}

/** Whether a patient was ever assigned to a member. */
export async function wasAssigned(transaction: Queryable, memberId: string, patientId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'patient_was_assigned',
    text: 'SELECT 1 FROM patient_member WHERE patient_id = $1 AND member_id = $2',
    values: [patientId, memberId],
  })
  return rowCount === 1
}

/**
 * The patients with these ids that the member may see. `identity` is null without the right to it, or where it is not
 * requested.
 */
export async function loadPatientRows(
  transaction: Queryable,
  member: Membership,
  ids: readonly string[],
  withIdentity = true,
): Promise<readonly PatientRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<PatientRow & { readonly identity: PatientIdentity }>({
    name: 'patient_rows',
    text: `${PATIENT_ROW} WHERE ${PATIENT_VISIBLE} AND p.id = ANY ($4)`,
    values: [...visibleTo(member), ids],
  })
  const masked = !member.sensitive || !withIdentity
  return rows.map((row) => ({ ...row, identity: masked ? null : row.identity, masked }))
}

/**
 * The project that a patient is in; null where the patient does not exist. It does not check who may see the patient.
 */
export async function projectOfPatient(transaction: Queryable, patientId: string): Promise<string | null> {
  const { rows } = await transaction.query<{ readonly projectId: string }>({
    name: 'patient_project',
    text: 'SELECT project_id AS "projectId" FROM patient WHERE id = $1',
    values: [patientId],
  })
  return rows[0]?.projectId ?? null
}

/** A patient as it is stored, locked. */
export interface StoredPatient {
  readonly id: string
  readonly centerId: string
  readonly no: string | null
  readonly initials: string | null
  readonly sex: 'F' | 'M' | null
  readonly enrolledOn: string | null
  readonly name: string | null
  readonly mobile: string | null
  readonly email: string | null
  readonly birthDate: string | null
  readonly rev: number
  readonly deleted: boolean
  readonly createdBy: string
}

/** The patient, locked for writing until the transaction ends. */
export async function lockPatientForWrite(
  transaction: Queryable,
  projectId: string,
  id: string,
): Promise<StoredPatient | null> {
  const { rows } = await transaction.query<StoredPatient>({
    name: 'patient_lock_write',
    text: `
      SELECT
        id, center_id AS "centerId", no, initials, sex, enrolled_on AS "enrolledOn", name, mobile, email, birth_date AS "birthDate", rev,
        deleted, created_by AS "createdBy"
      FROM patient WHERE id = $1 AND project_id = $2 FOR NO KEY UPDATE`,
    values: [id, projectId],
  })
  return rows[0] ?? null
}
