import type { PatientIdentity, PatientRow } from '#core/sync/rows.ts'
import { centerParameter, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { ENTRY_TO_DO } from '#server/areas/entry/toDo.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Patients in SQL. Every read carries what the reader may see. */

const PATIENT_ROW = `
  SELECT
    p.id, p.center_id AS "centerId", p.no, p.mark, p.initials, p.sex, p.enrolled_on AS "enrolledOn",
    jsonb_build_object('name', p.name, 'mobile', p.mobile, 'email', p.email, 'birthDate', p.birth_date) AS identity,
    p.rev, p.deleted, p.created_by AS "createdBy", p.created_at AS "createdAt", p.updated_at AS "updatedAt"
  FROM patient p`

/** What a reader may see: the parameters are project, centers (null: all) and, for a scope of one's own, the user. */
export const PATIENT_VISIBLE = `
  p.project_id = $1 AND ($2::uuid[] IS NULL OR p.center_id = ANY ($2)) AND ($3::uuid IS NULL OR p.created_by = $3)`

/** The parameters of `PATIENT_VISIBLE`. */
export function visibleTo(member: Membership): readonly [string, readonly string[] | null, string | null] {
  return [member.projectId, centerParameter(member), member.dataScope === 'self' ? member.userId : null]
}

/** The patients with these ids that the member may see; identity is null without the right to it, or where it is not asked for. */
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

export interface PatientFilter {
  readonly centerId: string | null
  /** Part of a subject number or of the mark of an unnumbered patient. */
  readonly no: string | null
  /** Only those with a page that waits for somebody to go on. */
  readonly todo: boolean
}

const LISTED = `${PATIENT_VISIBLE} AND NOT p.deleted
  AND ($4::uuid IS NULL OR p.center_id = $4)
  AND ($5::text IS NULL OR strpos(lower(p.no), lower($5)) > 0 OR (p.no IS NULL AND strpos(p.mark, upper($5)) > 0))
  AND (NOT $6 OR EXISTS (
    SELECT FROM entry e WHERE e.patient_id = p.id AND NOT e.deleted AND ($7::smallint IS NULL OR e.pass = $7) AND ${ENTRY_TO_DO}))`

/** Totals are counted up to here. */
const MAX_COUNT = 10_000

/** Ids of one page of the list, unnumbered patients first and then by center and number (999 before 1000), and how many there are. */
export async function listPatients(
  transaction: Queryable,
  member: Membership,
  filter: PatientFilter,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ readonly ids: readonly string[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const where = [...visibleTo(member), filter.centerId, filter.no === '' ? null : filter.no, filter.todo, passParameter(member)]
  const page = await transaction.query<{ id: string }>({
    name: 'patient_list',
    text: `
      SELECT p.id FROM patient p JOIN center c ON c.id = p.center_id
      WHERE ${LISTED} ORDER BY p.no IS NOT NULL, c.code, p.no_seq, p.id LIMIT $8 OFFSET $9`,
    values: [...where, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'patient_count',
    text: `SELECT count(*) AS total FROM (SELECT 1 FROM patient p WHERE ${LISTED} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: where,
  })
  const total = count.rows[0]?.total ?? 0
  return { ids: page.rows.map(({ id }) => id), total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
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
export async function lockPatientForWrite(transaction: Queryable, projectId: string, id: string): Promise<StoredPatient | null> {
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
