import { newId } from '#core/ids.ts'
import { MEMBER_IN_FORCE, STUDY_TIME_ZONE } from '#server/access.ts'
import { OVERDUE } from '#server/areas/notice/queries.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Notices that the passing of time writes, once a day: queries that are overdue, and visits that are due. One of a kind
 * for a person and a project: one for each subject would bury the rest, and the list behind it has them all.
 */

/** From this hour on a day's notices are written: before the first round on the ward, and before the daily e-mail. */
const FROM_HOUR = 6

const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: STUDY_TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short',
})

/** The day and the hour in the time zone of studies. */
export function studyTime(now: string): { readonly day: string; readonly hour: number } {
  const [day = '', time = ''] = clock.format(new Date(now)).split(' ')
  return { day, hour: Number(time.slice(0, 2)) }
}

/** The day whose notices are to be written by now; null while it is too early. */
export function morningOf(now: string): string | null {
  const { day, hour } = studyTime(now)
  return hour >= FROM_HOUR ? day : null
}

/** Ends what earlier days told, in all projects. */
export async function endEarlierDays(connection: Queryable, day: string, at: string): Promise<void> {
  await connection.query({
    name: 'notice_days_end',
    text: 'UPDATE notice SET ended_at = $2 WHERE day < $1 AND ended_at IS NULL',
    values: [day, at],
  })
}

/** Projects under way that have not had the notices of a day. */
export async function projectsBefore(connection: Queryable, day: string): Promise<readonly string[]> {
  const { rows } = await connection.query<{ id: string }>({
    name: 'notice_round_due',
    text: `
      SELECT p.id FROM project p LEFT JOIN notice_round r ON r.project_id = p.id
      WHERE p.status = 'process' AND NOT p.deleted AND (r.day IS NULL OR r.day < $1) ORDER BY p.id`,
    values: [day],
  })
  return rows.map(({ id }) => id)
}

/**
 * Takes the day of a project for this transaction. Another server waits for its end, and then finds it taken.
 *
 * @returns whether nobody had it
 */
export async function takeDay(transaction: Queryable, projectId: string, day: string): Promise<boolean> {
  const { rowCount } = await transaction.query({
    name: 'notice_round_take',
    text: `
      INSERT INTO notice_round AS r (project_id, day) VALUES ($1, $2)
      ON CONFLICT (project_id) DO UPDATE SET day = excluded.day WHERE r.day < excluded.day`,
    values: [projectId, day],
  })
  return rowCount === 1
}

interface Morning {
  readonly projectId: string
  readonly day: string
  readonly at: string
}

/** Tells those for whom overdue queries wait. */
export async function tellOverdue(transaction: Queryable, { projectId, day, at }: Morning): Promise<void> {
  const { rows } = await transaction.query<{ userId: string }>({
    name: 'notice_overdue_who',
    text: `
      SELECT m.user_id AS "userId" FROM member m
      WHERE m.project_id = $1 AND ${MEMBER_IN_FORCE} AND EXISTS (
        SELECT FROM query q JOIN patient p ON p.id = q.patient_id WHERE q.project_id = m.project_id AND ${OVERDUE})
      ORDER BY m.user_id`,
    values: [projectId],
  })
  await transaction.query({
    name: 'notice_overdue_tell',
    text: `
      INSERT INTO notice (id, user_id, project_id, kind, day, created_at)
      SELECT n.id, n.user_id, $3, 'query_overdue', $4, $5 FROM unnest($1::uuid[], $2::uuid[]) AS n (id, user_id)
      ON CONFLICT (user_id, project_id, kind, day) WHERE day IS NOT NULL DO NOTHING`,
    values: [rows.map(() => newId()), rows.map(({ userId }) => userId), projectId, day, at],
  })
}

/** How many visits of a person's subjects are due on a day, and how many of their windows end soon. */
export interface VisitsDue {
  readonly userId: string
  readonly due: number
  readonly ending: number
}

/** Tells people how many visits are due. */
export async function tellVisits(
  transaction: Queryable,
  { projectId, day, at }: Morning,
  visits: readonly VisitsDue[],
): Promise<void> {
  await transaction.query({
    name: 'notice_visits_tell',
    text: `
      INSERT INTO notice (id, user_id, project_id, kind, day, due, ending, created_at)
      SELECT n.id, n.user_id, $5, 'visit_due', $6, n.due, n.ending, $7
      FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[]) AS n (id, user_id, due, ending)
      ON CONFLICT (user_id, project_id, kind, day) WHERE day IS NOT NULL DO NOTHING`,
    values: [
      visits.map(() => newId()),
      visits.map(({ userId }) => userId),
      visits.map(({ due }) => due),
      visits.map(({ ending }) => ending),
      projectId,
      day,
      at,
    ],
  })
}
