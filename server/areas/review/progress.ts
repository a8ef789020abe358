import type { CenterProgress } from '#core/api/calls/review/check.ts'
import { NO_PROGRESS } from '#core/review/verification.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { centerParameter, passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { PATIENT_VISIBLE, visibleTo } from '#server/areas/patient/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** How far each center is checked, of what the member may see. */

/** The centers that the member sees, by name. */
export async function centersOf(
  connection: Queryable,
  member: Membership,
): Promise<readonly Pick<CenterProgress, 'centerId' | 'centerName'>[]> {
  const { rows } = await connection.query<Pick<CenterProgress, 'centerId' | 'centerName'>>({
    name: 'review_centers',
    text: `
      SELECT id AS "centerId", name AS "centerName" FROM center
      WHERE project_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2)) ORDER BY name, id`,
    values: [member.projectId, centerParameter(member)],
  })
  return rows
}

export async function progressOf(
  connection: Queryable,
  member: Membership,
  track: ReviewTrack,
): Promise<readonly CenterProgress[]> {
  const { rows } = await connection.query<Omit<CenterProgress, 'centerName'>>({
    name: 'review_progress',
    text: `
      SELECT
        s.center_id AS "centerId", count(*)::integer AS patients,
        count(*) FILTER (WHERE s.ready > 0 AND s.ready = s.complete)::integer AS "patientsDone",
        sum(s.pages)::integer AS pages, sum(s.ready)::integer AS "pagesReady", sum(s.complete)::integer AS "pagesDone",
        sum(s.due)::integer AS due, sum(s.done)::integer AS done, sum(s.changed)::integer AS changed
      FROM (
        SELECT
          p.id, p.center_id, count(*) AS pages, count(*) FILTER (WHERE c.ready) AS ready,
          count(*) FILTER (WHERE c.ready AND c.done = c.due) AS complete,
          coalesce(sum(c.due) FILTER (WHERE c.ready), 0) AS due, coalesce(sum(c.done) FILTER (WHERE c.ready), 0) AS done,
          coalesce(sum(c.changed) FILTER (WHERE c.ready), 0) AS changed
        FROM review_count c JOIN patient p ON p.id = c.patient_id
        WHERE ${PATIENT_VISIBLE} AND NOT p.deleted AND c.project_id = $1 AND c.track = $4 AND c.due > 0
          AND coalesce($5::smallint, 1) = 1
        GROUP BY p.id
      ) s GROUP BY s.center_id`,
    values: [...visibleTo(member), track, passParameter(member)],
  })
  const byCenter = new Map(rows.map((row) => [row.centerId, row]))
  return (await centersOf(connection, member)).map((center) => ({
    ...NO_PROGRESS,
    ...byCenter.get(center.centerId),
    ...center,
  }))
}
