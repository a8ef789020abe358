import { newId } from '#core/ids.ts'
import type { NoticeKind } from '#core/api/noticeKinds.ts'
import { WHOLE_ROW } from '#core/review/queryThread.ts'
import { MEMBER_IN_FORCE, STUDY_TIME_ZONE } from '#server/access.ts'
import { OPEN_CONFLICTS } from '#server/areas/notice/conflicts.ts'
import { WAITING_RUNS } from '#server/areas/notice/exports.ts'
import { WAITING_IN_INBOX } from '#server/areas/notice/inbox.ts'
import { asksOf, OVERDUE } from '#server/areas/notice/queries.ts'
import { MOST_COUNTED, rolesWith } from '#server/areas/notice/sight.ts'
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
  /** How much of what it is about waits for the user now, or was due on its day; null for what is not counted. */
  readonly count: number | null
  readonly overdue: number | null
  /** Of visits that are due: how many windows end soon. */
  readonly ending: number | null
  /** The day of a notice of the morning. */
  readonly day: string | null
  /** Where the only query is; null where there are several, and where it is about no page. */
  readonly entryId: string | null
  readonly field: string | null
  /** The conflict to begin with. */
  readonly conflictEntryId: string | null
  readonly conflictId: string | null
  /** The version that data are entered under; null before the first release. */
  readonly versionId: string | null
  /** Whether the user sees the history of versions. */
  readonly seesVersions: boolean
}

interface NewNotices {
  readonly kind: Extract<NoticeKind, 'assigned' | 'taken_back' | 'changed'>
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

/** Roles that enter or review data, and work under a release from its day on. */
const WORKS_WITH_DATA = rolesWith((held) =>
  (['database_submit_page', 'sdv_verify', 'query_close', 'data_review'] as const).some((code) => held.has(code)),
)

type Released = Omit<Asked, 'userIds'>

/** Tells the members of a release; what was told of earlier ones ends with it. */
export async function tellRelease(transaction: Queryable, { projectId, versionId, by, at }: Released): Promise<void> {
  await transaction.query({
    name: 'notice_release_settle',
    text: `
      UPDATE notice SET ended_at = $3
      WHERE project_id = $1 AND kind = 'release' AND patient_id IS NULL AND version_id <> $2 AND ended_at IS NULL`,
    values: [projectId, versionId, at],
  })
  const { rows } = await transaction.query<{ userId: string }>({
    name: 'notice_release_who',
    text: `
      SELECT m.user_id AS "userId" FROM member m
      WHERE m.project_id = $1 AND m.user_id <> $2 AND m.role IN ${WORKS_WITH_DATA} AND ${MEMBER_IN_FORCE} ORDER BY m.user_id`,
    values: [projectId, by],
  })
  await transaction.query({
    name: 'notice_release_tell',
    text: `
      INSERT INTO notice (id, user_id, project_id, version_id, kind, created_by, created_at)
      SELECT n.id, n.user_id, $3, $4, 'release', $5, $6 FROM unnest($1::uuid[], $2::uuid[]) AS n (id, user_id)
      ON CONFLICT (version_id, user_id) WHERE kind = 'release' DO NOTHING`,
    values: [rows.map(() => newId()), rows.map(({ userId }) => userId), projectId, versionId, by, at],
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

/** SQL: the queries of a project that are overdue and wait for the member `m` of a notice `n`. */
const OVERDUE_QUERIES = `
  SELECT count(*)::integer AS count FROM (
    SELECT FROM query q JOIN patient p ON p.id = q.patient_id
    WHERE n.kind = 'query_overdue' AND n.ended_at IS NULL AND q.project_id = n.project_id AND ${OVERDUE}
    LIMIT ${MOST_COUNTED}) AS late`

/** SQL: how much of what a notice is about waits now; null where that is not counted. */
export const COUNT = `CASE n.kind
  WHEN 'query_site' THEN w.count WHEN 'query_review' THEN w.count WHEN 'query_overdue' THEN o.count
  WHEN 'conflict' THEN c.count WHEN 'inbox' THEN i.count WHEN 'export_waits' THEN x.count WHEN 'visit_due' THEN n.due END`

/** SQL: whether a notice still tells or asks something: what nobody booked as ended may be settled nevertheless. */
export const STANDS = `(n.ended_at IS NULL AND ${COUNT} IS DISTINCT FROM 0)`

/**
 * SQL: notices `n` with what they are about, for `STANDS`; those alone that a user `m` may still see. What is counted
 * is counted as they see it today.
 */
export const NOTICES = `
  notice n JOIN project p ON p.id = n.project_id AND NOT p.deleted JOIN member m ON m.user_id = n.user_id AND m.project_id = n.project_id
    LEFT JOIN patient s ON s.id = n.patient_id LEFT JOIN crf_version v ON v.id = n.version_id
    LEFT JOIN LATERAL (${WAITING}) w ON true LEFT JOIN LATERAL (${OPEN_CONFLICTS}) c ON true
    LEFT JOIN LATERAL (${WAITING_IN_INBOX}) i ON true LEFT JOIN LATERAL (${OVERDUE_QUERIES}) o ON true
    LEFT JOIN LATERAL (${WAITING_RUNS}) x ON true
  WHERE ${MEMBER_IN_FORCE} AND (n.patient_id IS NULL OR m.data_scope = 'all' OR EXISTS (
    SELECT FROM member_center mc WHERE mc.member_id = m.id AND mc.center_id = s.center_id AND NOT mc.removed))`

/** SQL: whether the user of a notice `n` wants none of its kind in the app: it is only in the list of all. */
const SILENCED = `EXISTS (
  SELECT FROM notice_setting ns WHERE ns.user_id = n.user_id AND ns.app = 'never'
    AND ns.topic = CASE WHEN n.kind IN ('taken_back', 'changed') THEN 'assigned' ELSE n.kind END)`

/** As in the menu of a project (src/frame/shell/adminAreas.ts); testers come to a version by their review of it. */
const SEES_VERSIONS = rolesWith((held) =>
  (['project_crf_new', 'design_edit', 'project_crf_draft_publish', 'project_crf_test_publish'] as const).some((code) =>
    held.has(code),
  ),
)

/**
 * A user's notices, the latest first, and how many there are. Notices of projects and centers that the user has left
 * are not shown.
 */
export async function listNotices(
  connection: Queryable,
  userId: string,
  { unread, kinds }: { readonly unread: boolean; readonly kinds: readonly string[] },
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ readonly rows: readonly StoredNotice[]; readonly total: number }> {
  const { rows } = await connection.query<StoredNotice & { readonly total: number }>({
    name: 'notice_list',
    text: `
      SELECT
        n.id, n.kind, n.project_id AS "projectId", p.name AS "projectName", n.patient_id AS "patientId",
        coalesce(s.no, s.mark, 'V' || v.version_no || '.0') AS subject, n.created_at AS at, (n.read_at IS NOT NULL OR ${SILENCED}) AS read,
        NOT ${STANDS} AS ended, ${COUNT} AS count, w.overdue, n.ending, n.day, w."entryId", w.field,
        c."entryId" AS "conflictEntryId", c.id AS "conflictId", m.role IN ${SEES_VERSIONS} AS "seesVersions",
        (SELECT f.id FROM crf_version f WHERE f.project_id = n.project_id AND f.profile = 'formal' AND NOT f.deleted
          ORDER BY f.version_no DESC LIMIT 1) AS "versionId",
        count(*) OVER ()::integer AS total
      FROM ${NOTICES}
        AND n.user_id = $1 AND n.kind = ANY ($5) AND ($2 = false OR (n.read_at IS NULL AND ${STANDS} AND NOT ${SILENCED}))
      ORDER BY n.created_at DESC, n.id DESC LIMIT $3 OFFSET $4`,
    values: [userId, unread, size, (current - 1) * size, kinds],
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
