import { newId } from '#core/ids.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import { MOST_COUNTED, rolesWith } from '#server/areas/notice/sight.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notices of the inbox: whoever decides is told that work waits there. One notice is about all that a person may decide
 * in a project; it ends with the last of it.
 */

/** The patient that an operation is about, known to the server or not. */
export const PATIENT_OF_OPERATION = `coalesce((o.body->'target'->>'patientId')::uuid, (o.body->'place'->>'patientId')::uuid, (o.body->>'patientId')::uuid, o.entity_id)`

const DECIDES = rolesWith((held) => held.has('data_review'))
const BOTH_PASSES = rolesWith((held) => held.has('double_merge'))

/**
 * SQL: whether an operation `o` in the inbox, row `i`, is a member `m`'s to decide (server/areas/sync/inbox.ts). Nobody
 * decides their own.
 */
const IS_THEIRS = `(
  i.state = 'open' AND o.author <> m.user_id AND m.role IN ${DECIDES} AND (m.role IN ${BOTH_PASSES} OR o.pass = m.entry_pass)
  AND (m.data_scope = 'all' OR EXISTS (
    SELECT FROM member_center mc WHERE mc.member_id = m.id AND mc.center_id = i.center_id AND NOT mc.removed))
  AND ((m.type <> 'expert' AND m.data_scope <> 'self') OR EXISTS (
    SELECT FROM patient own WHERE own.id = ${PATIENT_OF_OPERATION} AND ((m.type <> 'expert' AND own.created_by = m.user_id) OR EXISTS (
      SELECT FROM patient_member pm WHERE pm.patient_id = own.id AND pm.member_id = m.id AND NOT pm.removed)))))`

/** SQL: how much waits in the inbox for the member `m` of a notice `n`, without what waits for a paused project. */
export const WAITING_IN_INBOX = `
  SELECT count(*)::integer AS count FROM (
    SELECT FROM inbox i JOIN operation o ON o.key = i.op_key
    WHERE n.kind = 'inbox' AND n.ended_at IS NULL AND i.project_id = n.project_id AND o.outcome = 'inbox' AND ${IS_THEIRS}
    LIMIT ${MOST_COUNTED}) AS waiting`

interface Arrived {
  readonly projectId: string
  /** Key of the operation. */
  readonly key: string
  readonly by: string
  readonly at: string
}

/** Tells who decides that an operation has come into the inbox. The caller holds the project's row. */
export async function noteInbox(transaction: Queryable, { projectId, key, by, at }: Arrived): Promise<void> {
  const { rows } = await transaction.query<{ userId: string }>({
    name: 'notice_inbox_who',
    text: `
      SELECT m.user_id AS "userId" FROM inbox i JOIN operation o ON o.key = i.op_key JOIN member m ON m.project_id = i.project_id
      WHERE i.op_key = $1 AND ${MEMBER_IN_FORCE} AND ${IS_THEIRS} ORDER BY m.user_id`,
    values: [key],
  })
  if (rows.length === 0) return
  await transaction.query({
    name: 'notice_inbox_tell',
    text: `
      INSERT INTO notice (id, user_id, project_id, kind, created_by, created_at)
      SELECT n.id, n.user_id, $3, 'inbox', $4, $5 FROM unnest($1::uuid[], $2::uuid[]) AS n (id, user_id)
      ON CONFLICT (user_id, project_id) WHERE kind = 'inbox' AND ended_at IS NULL AND read_at IS NULL
        DO UPDATE SET created_at = excluded.created_at, created_by = excluded.created_by`,
    values: [rows.map(() => newId()), rows.map(({ userId }) => userId), projectId, by, at],
  })
}

/** Ends the notices of those for whom nothing waits in the inbox of a project any more. The caller holds its row. */
export async function settleInbox(transaction: Queryable, projectId: string, at: string): Promise<void> {
  await transaction.query({
    name: 'notice_inbox_settle',
    text: `
      UPDATE notice n SET ended_at = $2
      WHERE n.project_id = $1 AND n.kind = 'inbox' AND n.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM inbox i JOIN operation o ON o.key = i.op_key JOIN member m ON m.project_id = i.project_id AND m.user_id = n.user_id
        WHERE i.project_id = n.project_id AND o.outcome = 'inbox' AND ${IS_THEIRS})`,
    values: [projectId, at],
  })
}
