import { folderSchedule } from '#core/study/visits/visitPlan.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import type { VisitOutcome } from '#core/study/visits/schedule.ts'
import type { VisitRow } from '#core/api/sync/rows.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Visits in SQL. Every read is limited to what the reader may see. */

const VISIT_ROW = `
  SELECT
    v.id, v.patient_id AS "patientId", p.center_id AS "centerId", v.folder_id AS "folderId", v.folder_repeat AS "folderRepeat",
    v.actual_date AS "actualDate", v.outcome, v.outcome_reason AS "outcomeReason", v.deviation_reason AS "deviationReason",
    v.removed, v.applies, v.sort AS "order", v.rev, v.updated_at AS "updatedAt"
  FROM visit v JOIN patient p ON p.id = v.patient_id`

/** The visits with these ids that the member may see. */
export async function loadVisitRows(
  transaction: Queryable,
  member: Membership,
  ids: readonly string[],
): Promise<readonly VisitRow[]> {
  if (ids.length === 0) return []
  const { rows } = await transaction.query<VisitRow>({
    name: 'visit_rows',
    text: `${VISIT_ROW} WHERE ${PATIENT_VISIBLE} AND v.id = ANY ($4)`,
    values: [...visibleTo(member), ids],
  })
  return rows
}

/** Everything that was said about the visits of these patients. */
export async function visitsOfPatients(
  transaction: Queryable,
  member: Membership,
  patientIds: readonly string[],
): Promise<readonly VisitRow[]> {
  const { rows } = await transaction.query<VisitRow>({
    name: 'visit_of_patients',
    text: `${VISIT_ROW} WHERE ${PATIENT_VISIBLE} AND v.patient_id = ANY ($4)`,
    values: [...visibleTo(member), patientIds],
  })
  return rows
}

/**
 * Everything that was said about visits in a project, without a check of rights: the caller decides who may see it.
 *
 * @param patientIds null for all patients
 */
export async function visitsInProject(
  transaction: Queryable,
  projectId: string,
  patientIds: readonly string[] | null,
): Promise<readonly VisitRow[]> {
  const { rows } = await transaction.query<VisitRow>({
    name: 'visit_in_project',
    text: `${VISIT_ROW} WHERE p.project_id = $1 AND ($2::uuid[] IS NULL OR v.patient_id = ANY ($2))`,
    values: [projectId, patientIds],
  })
  return rows
}

/** A visit as it is stored, with every fact as text, the form in which changes name facts. */
export interface StoredVisit {
  readonly id: string
  readonly actualDate: string | null
  readonly outcome: VisitOutcome | null
  readonly outcomeReason: string | null
  readonly deviationReason: string | null
  /** `true`, or null. */
  readonly removed: string | null
  /** `no`, or null. */
  readonly applies: string | null
  readonly order: string | null
}

/** The visit; null where nobody has said anything about it. The writer holds the lock of its patient. */
export async function findVisit(transaction: Queryable, projectId: string, id: string): Promise<StoredVisit | null> {
  const { rows } = await transaction.query<StoredVisit>({
    name: 'visit_find',
    text: `
      SELECT
        id, actual_date AS "actualDate", outcome, outcome_reason AS "outcomeReason", deviation_reason AS "deviationReason",
        CASE WHEN removed THEN 'true' END AS removed, CASE WHEN NOT applies THEN 'no' END AS applies, sort::text AS "order"
      FROM visit WHERE id = $1 AND project_id = $2`,
    values: [id, projectId],
  })
  return rows[0] ?? null
}

/** Whether a person has made the visit, also where it was taken back. */
export async function isVisit(transaction: Queryable, projectId: string, id: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'visit_there',
    text: 'SELECT 1 FROM visit WHERE id = $1 AND project_id = $2',
    values: [id, projectId],
  })
  return rowCount === 1
}

export interface VisitWrite extends Omit<StoredVisit, 'id'> {
  readonly id: string
  readonly projectId: string
  readonly patientId: string
  readonly folderId: string
  readonly folderRepeat: string
  readonly by: string
  readonly at: string
}

const PUT = prepare<VisitWrite>('visit_put', (parameter) => {
  const now = ({ at }: VisitWrite) => at
  const visit = columns<VisitWrite>(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    patient_id: ({ patientId }) => patientId,
    folder_id: ({ folderId }) => folderId,
    folder_repeat: ({ folderRepeat }) => folderRepeat,
    actual_date: ({ actualDate }) => actualDate,
    outcome: ({ outcome }) => outcome,
    outcome_reason: ({ outcomeReason }) => outcomeReason,
    deviation_reason: ({ deviationReason }) => deviationReason,
    removed: ({ removed }) => removed === 'true',
    applies: ({ applies }) => applies !== 'no',
    sort: ({ order }) => (order === null ? null : Number(order)),
    created_by: ({ by }) => by,
    created_at: now,
    updated_at: now,
  })
  return `
      INSERT INTO visit (${visit.names}) VALUES (${visit.places})
      ON CONFLICT (id) DO UPDATE SET
        actual_date = excluded.actual_date, outcome = excluded.outcome, outcome_reason = excluded.outcome_reason,
        deviation_reason = excluded.deviation_reason, removed = excluded.removed, applies = excluded.applies, sort = excluded.sort,
        rev = visit.rev + 1, updated_at = excluded.updated_at`
})

/** Writes a visit in its new state. */
export async function putVisit(transaction: Queryable, visit: VisitWrite): Promise<void> {
  await transaction.query(PUT(visit))
}

/**
 * A folder under a version of the project: its plan, where it has one, and whether the version is released. Null where
 * that version has no such folder.
 */
export async function folderOf(
  transaction: Queryable,
  projectId: string,
  versionId: string,
  folderId: string,
): Promise<{ readonly plan: FolderSchedule | null; readonly released: boolean } | null> {
  const { rows } = await transaction.query<{ schedule: unknown; released: boolean }>({
    name: 'folder_plan',
    text: `
      SELECT f.schedule, v.profile = 'formal' AS released FROM crf_folder f JOIN crf_version v ON v.id = f.version_id
      WHERE v.id = $1 AND v.project_id = $2 AND NOT v.deleted AND f.folder_id = $3`,
    values: [versionId, projectId, folderId],
  })
  const row = rows[0]
  return row === undefined
    ? null
    : { plan: folderSchedule.safeParse(row.schedule).data ?? null, released: row.released }
}

/** Whether any version of the project ever had the folder. */
export async function folderEverWas(transaction: Queryable, projectId: string, folderId: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'folder_ever',
    text: 'SELECT 1 FROM crf_version v JOIN crf_folder f ON f.version_id = v.id WHERE v.project_id = $1 AND f.folder_id = $2 LIMIT 1',
    values: [projectId, folderId],
  })
  return (rowCount ?? 0) > 0
}

interface VisitKey {
  readonly patientId: string
  readonly folderId: string
  readonly folderRepeat: string
}

/** Whether a page of the visit is locked or frozen; null where none is. */
export async function controlOf(
  transaction: Queryable,
  { patientId, folderId, folderRepeat }: VisitKey,
): Promise<'frozen' | 'locked' | null> {
  const { rows } = await transaction.query<{ control: 'frozen' | 'locked' }>({
    name: 'visit_control',
    text: `
      SELECT control FROM entry WHERE patient_id = $1 AND folder_id = $2 AND folder_repeat = $3 AND control <> 'open'
      ORDER BY control DESC LIMIT 1`,
    values: [patientId, folderId, folderRepeat],
  })
  return rows[0]?.control ?? null
}

/** Whether the folder holds a submitted page of the patient, in any visit and pass. */
export async function holdsSubmitted(
  transaction: Queryable,
  { patientId, folderId }: Omit<VisitKey, 'folderRepeat'>,
): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'visit_submitted',
    text: `SELECT 1 FROM entry WHERE patient_id = $1 AND folder_id = $2 AND status = 'other' AND NOT deleted LIMIT 1`,
    values: [patientId, folderId],
  })
  return rowCount === 1
}
