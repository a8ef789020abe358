import { newId } from '#core/ids.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import { rolesWith, SEES } from '#server/areas/notice/sight.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notices of conflicts: whoever enters a subject's data is told that two values wait for a decision. One notice is
 * about all open conflicts of a subject; it ends with the last of them.
 */

const DECIDES = rolesWith((held) => held.has('database_submit_page'))

/** SQL: whether an open conflict `c` of an entry `e` is a member `m`'s to decide. */
const IS_THEIRS = `(c.state = 'open' AND m.role IN ${DECIDES} AND e.pass = m.entry_pass)`

/** SQL: the open conflicts of the patient of a notice `n` that its member `m` decides, and the one to begin with. */
export const OPEN_CONFLICTS = `
  SELECT count(*)::integer AS count, (array_agg(c.entry_id ORDER BY c.created_at, c.id))[1] AS "entryId",
    (array_agg(c.id ORDER BY c.created_at, c.id))[1] AS id
  FROM entry e JOIN conflict c ON c.entry_id = e.id
  WHERE n.kind = 'conflict' AND n.ended_at IS NULL AND NOT s.deleted AND e.patient_id = n.patient_id AND ${IS_THEIRS}`

interface Moved {
  readonly projectId: string
  readonly patientId: string
  /** Entries in which a conflict was opened. */
  readonly entryIds: readonly string[]
  /** Whose act it was. They are told too, for they decide as others do, and their tablet may have sent it unseen. */
  readonly by: string
  readonly at: string
}

/**
 * Tells who may decide of new conflicts, and ends the notices behind which none is open any more. The caller holds the
 * project's row (`commitProject`), so that two writers of one patient do not wait for each other.
 */
export async function noteConflicts(transaction: Queryable, moved: Moved): Promise<void> {
  const { projectId, patientId, entryIds, by, at } = moved
  await transaction.query({
    name: 'notice_conflicts_settle',
    text: `
      UPDATE notice n SET ended_at = $2
      WHERE n.patient_id = $1 AND n.kind = 'conflict' AND n.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM entry e JOIN conflict c ON c.entry_id = e.id JOIN member m ON m.project_id = n.project_id AND m.user_id = n.user_id
        WHERE e.patient_id = n.patient_id AND ${IS_THEIRS})`,
    values: [patientId, at],
  })
  if (entryIds.length === 0) return
  const { rows } = await transaction.query<{ userId: string }>({
    name: 'notice_conflicts_who',
    text: `
      SELECT DISTINCT m.user_id AS "userId"
      FROM conflict c JOIN entry e ON e.id = c.entry_id JOIN patient p ON p.id = e.patient_id JOIN member m ON m.project_id = e.project_id
      WHERE c.entry_id = ANY ($1) AND NOT p.deleted AND ${MEMBER_IN_FORCE} AND ${SEES} AND ${IS_THEIRS}
      ORDER BY m.user_id`,
    values: [entryIds],
  })
  if (rows.length === 0) return
  await transaction.query({
    name: 'notice_conflicts_tell',
    text: `
      INSERT INTO notice (id, user_id, project_id, patient_id, kind, created_by, created_at)
      SELECT n.id, n.user_id, $3, $4, 'conflict', $5, $6 FROM unnest($1::uuid[], $2::uuid[]) AS n (id, user_id)
      ON CONFLICT (user_id, patient_id) WHERE kind = 'conflict' AND ended_at IS NULL AND read_at IS NULL
        DO UPDATE SET created_at = excluded.created_at, created_by = excluded.created_by`,
    values: [rows.map(() => newId()), rows.map(({ userId }) => userId), projectId, patientId, by, at],
  })
}
