import { newId } from '#core/ids.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import type { QueryRights } from '#core/review/query.ts'
import { MEMBER_IN_FORCE, STUDY_TIME_ZONE } from '#server/access.ts'
import { SEES, rolesWith } from '#server/areas/notice/sight.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notices of queries: a site is told that something waits for its answer, those who review that an answer or a
 * candidate waits for them. One notice is about all queries of a patient, so that fifty checks that ask tell once.
 */

export const QUERY_NOTICES = ['query_site', 'query_review'] as const
export type QueryNotice = (typeof QUERY_NOTICES)[number]

/** SQL: the roles that may do something with queries. */
function rolesThat(may: (rights: QueryRights) => boolean): string {
  return rolesWith((permissions) => may(queryRightsOf(permissions)))
}

const ANSWERS = rolesThat(({ answers }) => answers)
const CLOSES = rolesThat(({ closes }) => closes)
const MANAGES = rolesThat(({ manages, closes }) => manages && closes)

/**
 * SQL: whether a query `q` asks something of a member `m`. As `waitsForPerson` (core/review/query.ts), but an answer
 * is told to the monitor who asked, and to the others only once that monitor is not there any more. What is given to
 * somebody is told to them alone, as long as they are there.
 */
export function asksOf(kind: QueryNotice): string {
  if (kind === 'query_site')
    return `(q.state = 'open' AND m.role IN ${ANSWERS} AND ${IN_PASS} AND ${givenToOr(`m.role IN ${ANSWERS} AND ${IN_PASS}`)})`
  const closes = `m.role IN ${CLOSES} AND (q.source = 'monitor' OR q.raised_by = m.user_id OR m.role IN ${MANAGES})`
  return `(
    (q.state = 'candidate' AND m.role IN ${MANAGES})
    OR (q.state = 'answered' AND m.role IN ${CLOSES} AND ${givenToOr(
      closes,
      `
      q.raised_by = m.user_id OR (q.source <> 'monitor' AND m.role IN ${MANAGES})
      OR (q.source = 'monitor' AND NOT EXISTS (
        SELECT FROM member o WHERE o.project_id = q.project_id AND o.user_id = q.raised_by AND ${inForce('o')}))`,
    )}))`
}

/**
 * SQL: whether a query is given to a member `m`; where nobody who is there and can do it has it, whether `others`
 * holds.
 *
 * @param can whether a member `m` can do what it waits for
 */
function givenToOr(can: string, others = 'true'): string {
  const holder = `${MEMBER_IN_FORCE} AND ${SEES} AND ${can}`.replaceAll(/\bm\./g, 'g.')
  return `CASE WHEN q.assignee IS NOT NULL AND EXISTS (
    SELECT FROM member g JOIN app_user u ON u.id = g.user_id JOIN patient p ON p.id = q.patient_id
    WHERE g.project_id = q.project_id AND g.user_id = q.assignee AND u.status = 'active' AND ${holder})
    THEN q.assignee = m.user_id ELSE (${others}) END`
}

/** A site sees and answers what is asked about its own pass. */
const IN_PASS = `(q.pass IS NULL OR q.pass = m.entry_pass)`

function inForce(alias: string): string {
  return MEMBER_IN_FORCE.replaceAll('m.', `${alias}.`)
}

/** SQL: whether a query `q` of a patient `p` is overdue today and asks something of a member `m` who sees them. */
export const OVERDUE = `(
  q.due_on < (now() AT TIME ZONE '${STUDY_TIME_ZONE}')::date AND q.state IN ('candidate', 'open', 'answered') AND NOT p.deleted
  AND ${SEES} AND (${asksOf('query_site')} OR ${asksOf('query_review')}))`

interface Moved {
  readonly projectId: string
  readonly patientId: string
  /** Queries that wait for somebody now and did not before: asked, asked again, answered. */
  readonly queryIds: readonly string[]
  /** Who did it, or whose save made a check ask. */
  readonly by: string
  /** Whether a check asked: then its author is told too, for they have to answer as others do. */
  readonly isByRule: boolean
  readonly at: string
}

/**
 * Tells those for whom queries wait now, and ends the notices of a patient behind which nothing waits any more. The
 * caller holds the project's row (`commitProject`), so that two writers of one patient do not wait for each other.
 */
export async function noteQueries(transaction: Queryable, moved: Moved): Promise<void> {
  for (const kind of QUERY_NOTICES) await settle(transaction, kind, moved)
  await settleOverdue(transaction, moved)
  if (moved.queryIds.length > 0) for (const kind of QUERY_NOTICES) await tell(transaction, kind, moved)
}

async function settle(transaction: Queryable, kind: QueryNotice, { patientId, at }: Moved): Promise<void> {
  await transaction.query({
    name: `notice_settle_${kind}`,
    text: `
      UPDATE notice n SET ended_at = $2
      WHERE n.patient_id = $1 AND n.kind = '${kind}' AND n.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM query q JOIN member m ON m.project_id = q.project_id AND m.user_id = n.user_id
        WHERE q.patient_id = n.patient_id AND ${asksOf(kind)})`,
    values: [patientId, at],
  })
}

/** Ends the day's notices of those for whom none of the project's queries is overdue any more. */
async function settleOverdue(transaction: Queryable, { projectId, at }: Moved): Promise<void> {
  await transaction.query({
    name: 'notice_settle_overdue',
    text: `
      UPDATE notice n SET ended_at = $2
      WHERE n.project_id = $1 AND n.kind = 'query_overdue' AND n.patient_id IS NULL AND n.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM query q JOIN patient p ON p.id = q.patient_id JOIN member m ON m.project_id = q.project_id AND m.user_id = n.user_id
        WHERE q.project_id = n.project_id AND ${OVERDUE})`,
    values: [projectId, at],
  })
}

async function tell(transaction: Queryable, kind: QueryNotice, moved: Moved): Promise<void> {
  const { projectId, queryIds, by, isByRule, at } = moved
  const { rows } = await transaction.query<{ userId: string; patientId: string }>({
    name: `notice_who_${kind}`,
    text: `
      SELECT DISTINCT m.user_id AS "userId", p.id AS "patientId"
      FROM query q JOIN patient p ON p.id = q.patient_id JOIN member m ON m.project_id = q.project_id
      WHERE q.id = ANY ($2) AND q.project_id = $1 AND NOT p.deleted AND m.user_id IS DISTINCT FROM $3::uuid
        AND ${MEMBER_IN_FORCE} AND ${SEES} AND ${asksOf(kind)}
      ORDER BY m.user_id, p.id`,
    values: [projectId, queryIds, isByRule ? null : by],
  })
  if (rows.length === 0) return
  await transaction.query({
    name: 'notice_queries',
    text: `
      INSERT INTO notice (id, user_id, project_id, patient_id, kind, created_by, created_at)
      SELECT n.id, n.user_id, $4, n.patient_id, $5, $6, $7
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n (id, user_id, patient_id)
      ON CONFLICT (user_id, patient_id, kind)
        WHERE kind IN ('query_site', 'query_review') AND ended_at IS NULL AND read_at IS NULL
        DO UPDATE SET created_at = excluded.created_at, created_by = excluded.created_by`,
    values: [
      rows.map(() => newId()),
      rows.map(({ userId }) => userId),
      rows.map(({ patientId }) => patientId),
      projectId,
      kind,
      by,
      at,
    ],
  })
}
