import { newId } from '#core/ids.ts'
import type { NoticeKind } from '#core/api/calls/notice.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { MEMBER_IN_FORCE, STUDY_TIME_ZONE } from '#server/access.ts'
import { asksOf } from '#server/areas/notice/queries.ts'
import type { QueryNotice } from '#server/areas/notice/queries.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Notices in the app: written together with the change that they are about, read by the member they are for. */

export interface StoredNotice {
  readonly id: string
  readonly kind: NoticeKind
  readonly projectId: string
  readonly projectName: string
  readonly patientId: string | null
  /** What it is about: the subject number, or the mark of a subject that has no number yet; or the version. */
  readonly subject: string
  readonly at: string
  readonly read: boolean
  readonly ended: boolean
  /** How many queries of the patient wait for the user now; null for other kinds. */
  readonly count: number | null
  readonly overdue: number | null
  /** Where the only one of them is; null where there are several, and where it is about no page. */
  readonly entryId: string | null
  readonly field: string | null
}

interface NewNotices {
  readonly kind: Exclude<NoticeKind, 'approval' | QueryNotice>
  /** Members who are to be told. The member who made the change is not told. */
  readonly memberIds: readonly string[]
  readonly projectId: string
  readonly patientId: string
  readonly by: string
  readonly at: string
}

export async function addNotices(
  transaction: Queryable,
  { kind, memberIds, projectId, patientId, by, at }: NewNotices,
): Promise<void> {
  await transaction.query({
    name: 'notice_add',
    text: `
      INSERT INTO notice (id, user_id, project_id, patient_id, kind, created_by, created_at)
      SELECT n.id, m.user_id, $3, $4, $5, $6, $7
      FROM unnest($1::uuid[], $2::uuid[]) AS n (id, member_id) JOIN member m ON m.id = n.member_id
      WHERE m.user_id <> $6`,
    values: [memberIds.map(() => newId()), memberIds, projectId, patientId, kind, by, at],
  })
}

interface Asked {
  readonly projectId: string
  readonly versionId: string
  /** Everybody who is to review it today. */
  readonly userIds: readonly string[]
  readonly by: string
  readonly at: string
}

/** Asks everybody who is to review a version and was not asked yet; for everybody else the asking ends. */
export async function askForApproval(transaction: Queryable, asked: Asked): Promise<void> {
  const { projectId, versionId, userIds, by, at } = asked
  await transaction.query({
    name: 'notice_settle',
    text: `
      UPDATE notice SET ended_at = $3
      WHERE version_id = $1 AND kind = 'approval' AND ended_at IS NULL AND NOT (user_id = ANY ($2))`,
    values: [versionId, userIds, at],
  })
  await transaction.query({
    name: 'notice_ask',
    text: `
      INSERT INTO notice (id, user_id, project_id, version_id, kind, created_by, created_at)
      SELECT n.id, n.user_id, $3, $4, 'approval', $5, $6 FROM unnest($1::uuid[], $2::uuid[]) AS n (id, user_id)
      ON CONFLICT (version_id, user_id) WHERE kind = 'approval' AND ended_at IS NULL DO NOTHING`,
    values: [userIds.map(() => newId()), userIds, projectId, versionId, by, at],
  })
}

/**
 * SQL: the queries of a patient that wait for a member `m`, for a notice `n` about them. A query that is about a row
 * leads to its page.
 */
const WAITING = `
  SELECT count(*)::integer AS count, count(*) FILTER (WHERE q.due_on < (now() AT TIME ZONE '${STUDY_TIME_ZONE}')::date)::integer AS overdue,
    CASE WHEN count(*) = 1 THEN min(q.entry_id::text) END AS "entryId",
    CASE WHEN count(*) = 1 THEN min(CASE WHEN q.table_prop IS NULL THEN q.prop WHEN q.prop <> '${WHOLE_ROW}' THEN concat_ws('.', q.table_prop, q.rid, q.prop) END) END AS field
  FROM query q
  WHERE n.kind IN ('query_site', 'query_review') AND n.ended_at IS NULL AND NOT s.deleted AND q.patient_id = n.patient_id
    AND CASE n.kind WHEN 'query_site' THEN ${asksOf('query_site')} ELSE ${asksOf('query_review')} END`

/**
 * A user's notices, the latest first, and how many there are. Notices of projects and centers that the user has left
 * are not shown.
 */
export async function listNotices(
  connection: Queryable,
  userId: string,
  unread: boolean,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ readonly rows: readonly StoredNotice[]; readonly total: number }> {
  const { rows } = await connection.query<StoredNotice & { readonly total: number }>({
    name: 'notice_list',
    text: `
      SELECT
        n.id, n.kind, n.project_id AS "projectId", p.name AS "projectName", n.patient_id AS "patientId",
        coalesce(s.no, s.mark, 'V' || v.version_no || '.0') AS subject, n.created_at AS at, n.read_at IS NOT NULL AS read, n.ended_at IS NOT NULL AS ended,
        CASE WHEN n.kind IN ('query_site', 'query_review') THEN w.count END AS count, w.overdue, w."entryId", w.field,
        count(*) OVER ()::integer AS total
      FROM notice n JOIN project p ON p.id = n.project_id LEFT JOIN patient s ON s.id = n.patient_id LEFT JOIN crf_version v ON v.id = n.version_id
        LEFT JOIN member m ON m.user_id = n.user_id AND m.project_id = n.project_id LEFT JOIN LATERAL (${WAITING}) w ON true
      WHERE n.user_id = $1 AND ($2 = false OR (n.read_at IS NULL AND n.ended_at IS NULL AND (n.kind NOT IN ('query_site', 'query_review') OR w.count > 0)))
        AND NOT p.deleted AND EXISTS (
          SELECT FROM member m WHERE m.user_id = n.user_id AND m.project_id = n.project_id AND ${MEMBER_IN_FORCE}
            AND (n.patient_id IS NULL OR m.data_scope = 'all' OR EXISTS (SELECT FROM member_center c WHERE c.member_id = m.id AND c.center_id = s.center_id AND NOT c.removed)))
      ORDER BY n.created_at DESC, n.id DESC LIMIT $3 OFFSET $4`,
    values: [userId, unread, size, (current - 1) * size],
  })
  return { rows, total: rows[0]?.total ?? 0 }
}

/** Notes that a user has read their notices; other users' notices do not change. */
export async function readNotices(
  connection: Queryable,
  userId: string,
  ids: readonly string[],
  at: string,
): Promise<void> {
  await connection.query({
    name: 'notice_read',
    text: 'UPDATE notice SET read_at = $3 WHERE user_id = $1 AND id = ANY ($2) AND read_at IS NULL',
    values: [userId, ids, at],
  })
}
