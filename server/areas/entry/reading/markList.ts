import type { DataOf, QueryOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import { fail } from '#core/api/errors.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { ENTRY_TO_DO } from '#server/areas/patient/toDo.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { readIds } from '#server/http/runOnce.ts'

/** The progress of entries, for a matrix or a work list: within the reader's project, centers, pass and data scope. */

type MarkLine = DataOf<CallOf<'entry.marks'>>

const FROM = 'FROM entry e JOIN patient p ON p.id = e.patient_id'

const LISTED = `
  e.project_id = $1 AND ${PATIENT_VISIBLE} AND ($4::smallint IS NULL OR e.pass = $4) AND NOT e.deleted AND NOT p.deleted
    AND ($5::uuid[] IS NULL OR e.patient_id = ANY ($5)) AND ($6::uuid IS NULL OR e.center_id = $6)
    AND ($7::text IS NULL OR (${ENTRY_TO_DO}
      AND $7 = CASE WHEN (e.progress->>'missing')::integer > 0 THEN 'missing' ELSE 'process' END))`

/** Totals are counted up to here. */
const MAX_COUNT = 10_000
/** The most patients in one request. */
const MAX_PATIENTS = 200

/**
 * One page of the marks that the member may see, the latest first.
 *
 * @throws ApiFailure invalid where `patientIds` are no ids, or too many
 */
export async function listMarks(
  transaction: Queryable,
  member: Membership,
  { patientIds, centerId, todo, current, size }: QueryOf<CallOf<'entry.marks'>>,
): Promise<{ readonly rows: readonly MarkLine[]; readonly total: number; readonly totalIsLeast: boolean }> {
  const patients = patientIds === undefined ? null : readIds(patientIds)
  if (patientIds !== undefined && (patients === null || patients.length > MAX_PATIENTS)) {
    throw fail('invalid', { fields: [{ path: 'patientIds', code: 'format' }] })
  }
  const where = [...visibleTo(member), passParameter(member), patients, centerId ?? null, todo ?? null]
  const { rows } = await transaction.query<MarkLine>({
    name: 'mark_list',
    text: `
      SELECT
        e.id, e.patient_id AS "patientId", e.folder_id AS "folderId", e.folder_repeat AS "folderRepeat", e.page_id AS "pageId",
        e.page_repeat AS "pageRepeat", e.parent_entry_id AS "parentEntryId", e.pass, e.status, e.progress,
        (SELECT count(*)::integer FROM conflict c WHERE c.entry_id = e.id AND c.state = 'open') AS conflicts,
        e.updated_at AS "updatedAt", p.no AS "patientNo", p.mark AS "patientMark", p.initials
      ${FROM} WHERE ${LISTED} ORDER BY e.updated_at DESC, e.id LIMIT $8 OFFSET $9`,
    values: [...where, size, (current - 1) * size],
  })
  const count = await transaction.query<{ total: number }>({
    name: 'mark_count',
    text: `SELECT count(*) AS total FROM (SELECT 1 ${FROM} WHERE ${LISTED} LIMIT ${MAX_COUNT + 1}) AS counted`,
    values: where,
  })
  const total = count.rows[0]?.total ?? 0
  return { rows, total: Math.min(total, MAX_COUNT), totalIsLeast: total > MAX_COUNT }
}
