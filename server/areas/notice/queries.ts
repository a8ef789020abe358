import { newId } from '#core/ids.ts'
import { defaultPermissions, projectRoles } from '#core/access/permissions.ts'
import { queryRightsOf } from '#core/access/queryRights.ts'
import type { QueryRights } from '#core/review/query.ts'
import { MEMBER_IN_FORCE } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notices of queries: a site is told that something waits for its answer, those who review that an answer or a
 * candidate waits for them. One notice is about all queries of a patient, so that fifty checks that ask tell once.
 */

export const QUERY_NOTICES = ['query_site', 'query_review'] as const
export type QueryNotice = (typeof QUERY_NOTICES)[number]

/** The roles that may do something with queries, as SQL has them: none is typed by a person. */
function rolesThat(may: (rights: QueryRights) => boolean): string {
  const roles = projectRoles.filter((role) => may(queryRightsOf(new Set(defaultPermissions(role)))))
  return `('${roles.join("', '")}')`
}

const ANSWERS = rolesThat(({ answers }) => answers)
const CLOSES = rolesThat(({ closes }) => closes)
const MANAGES = rolesThat(({ manages, closes }) => manages && closes)

/**
 * SQL: whether a query `q` asks something of a member `m`. As `waitsForPerson` (core/review/query.ts), but an answer
 * is told to the monitor who asked, and to the others only once that monitor is not there any more.
 */
export function asksOf(kind: QueryNotice): string {
  if (kind === 'query_site') return `(q.state = 'open' AND m.role IN ${ANSWERS} AND ${IN_PASS})`
  return `(
    (q.state = 'candidate' AND m.role IN ${MANAGES})
    OR (q.state = 'answered' AND m.role IN ${CLOSES} AND (
      q.raised_by = m.user_id OR (q.source <> 'monitor' AND m.role IN ${MANAGES})
      OR (q.source = 'monitor' AND NOT EXISTS (
        SELECT FROM member o WHERE o.project_id = q.project_id AND o.user_id = q.raised_by AND ${inForce('o')})))))`
}

/** A site sees and answers what is asked about its own pass. */
const IN_PASS = `(q.pass IS NULL OR q.pass = m.entry_pass)`

function inForce(alias: string): string {
  return MEMBER_IN_FORCE.replaceAll('m.', `${alias}.`)
}

/** SQL: whether a member `m` may see a patient `p`. */
const SEES = `(
  (m.data_scope = 'all' OR m.type = 'expert' OR EXISTS (
    SELECT FROM member_center c WHERE c.member_id = m.id AND c.center_id = p.center_id AND NOT c.removed))
  AND ((m.type <> 'expert' AND m.data_scope <> 'self') OR (m.type <> 'expert' AND p.created_by = m.user_id) OR EXISTS (
    SELECT FROM patient_member pm WHERE pm.patient_id = p.id AND pm.member_id = m.id AND NOT pm.removed)))`

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
