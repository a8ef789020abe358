import type { PauseReason, ReportSchedule, UnsentReason } from '#core/api/reportSchedule.ts'
import type { Rhythm } from '#core/report/rhythm.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Schedules of reports by e-mail, in SQL. */

/** A schedule as its person wants it. */
export interface Schedule extends Pick<ReportSchedule, 'id' | 'kind' | 'centerId' | 'language' | 'rhythm'> {
  readonly projectId: string
  readonly userId: string
}

interface RhythmColumns {
  readonly every: Rhythm['every']
  readonly weekday: number | null
  readonly monthDay: number | null
}

/** A row of the table, with its rhythm in columns. */
export type Row<Of extends { readonly rhythm: Rhythm }> = Omit<Of, 'rhythm'> & RhythmColumns

/** SQL: what a person wants of a schedule `s`. */
export const WANTED = `s.id, s.project_id AS "projectId", s.user_id AS "userId", s.kind, s.center_id AS "centerId", s.language,
  s.rhythm AS every, s.weekday, s.month_day AS "monthDay"`

export function rhythmIn({ every, weekday, monthDay }: RhythmColumns): Rhythm {
  if (every === 'week') return { every, weekday: weekday ?? 1 }
  return every === 'month' ? { every, day: monthDay ?? 1 } : { every: 'day' }
}

interface Told extends Schedule, Pick<ReportSchedule, 'centerName' | 'paused'> {
  readonly nextDay: string
  readonly lastDay: string | null
  readonly lastWhy: UnsentReason | null
}

/** A person's schedules of a project, in the order in which they were made. */
export async function listSchedules(
  connection: Queryable,
  { userId, projectId }: Pick<Schedule, 'userId' | 'projectId'>,
): Promise<ReportSchedule[]> {
  const { rows } = await connection.query<Row<Told>>({
    name: 'report_schedule_list',
    text: `
      SELECT ${WANTED}, c.name AS "centerName", s.paused, s.next_day AS "nextDay", s.last_day AS "lastDay", s.last_why AS "lastWhy"
      FROM report_schedule s LEFT JOIN center c ON c.id = s.center_id
      WHERE s.user_id = $1 AND s.project_id = $2 AND NOT s.removed ORDER BY s.created_at, s.id`,
    values: [userId, projectId],
  })
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    centerId: row.centerId,
    centerName: row.centerName,
    language: row.language,
    rhythm: rhythmIn(row),
    nextDay: row.paused === null ? row.nextDay : null,
    paused: row.paused,
    last: row.lastDay === null ? null : { day: row.lastDay, why: row.lastWhy },
  }))
}

export interface StoredSchedule extends Schedule {
  readonly removed: boolean
  readonly lastDay: string | null
  readonly paused: PauseReason | null
}

/** A schedule by its id, locked; null where there is none. */
export async function lockSchedule(transaction: Queryable, id: string): Promise<StoredSchedule | null> {
  const { rows } = await transaction.query<Row<StoredSchedule>>({
    name: 'report_schedule_lock',
    text: `SELECT ${WANTED}, s.removed, s.last_day AS "lastDay", s.paused FROM report_schedule s WHERE s.id = $1 FOR UPDATE`,
    values: [id],
  })
  const [row] = rows
  return row === undefined ? null : { ...row, rhythm: rhythmIn(row) }
}

interface NewSchedule extends Schedule {
  /** The day on which it is sent next. */
  readonly nextDay: string
  readonly at: string
}

const PUT = prepare<NewSchedule>('report_schedule_put', (parameter) => {
  const { names, places } = columns<NewSchedule>(parameter, {
    id: ({ id }) => id,
    project_id: ({ projectId }) => projectId,
    user_id: ({ userId }) => userId,
    kind: ({ kind }) => kind,
    center_id: ({ centerId }) => centerId,
    rhythm: ({ rhythm }) => rhythm.every,
    weekday: ({ rhythm }) => (rhythm.every === 'week' ? rhythm.weekday : null),
    month_day: ({ rhythm }) => (rhythm.every === 'month' ? rhythm.day : null),
    language: ({ language }) => language,
    created_at: ({ at }) => at,
    next_day: ({ nextDay }) => nextDay,
  })
  return `
      INSERT INTO report_schedule (${names}) VALUES (${places})
      ON CONFLICT (id) DO UPDATE SET
        kind = excluded.kind, center_id = excluded.center_id, rhythm = excluded.rhythm, weekday = excluded.weekday,
        month_day = excluded.month_day, language = excluded.language, next_day = excluded.next_day, paused = NULL,
        tries = 0, next_try_at = NULL, claimed_at = NULL, sending = false`
})

/** Stores a schedule. One that a server has in hand is taken from it. */
export async function putSchedule(transaction: Queryable, schedule: NewSchedule): Promise<void> {
  await transaction.query(PUT(schedule))
}

export async function dropSchedule(transaction: Queryable, id: string): Promise<void> {
  await transaction.query({
    name: 'report_schedule_drop',
    text: 'UPDATE report_schedule SET removed = true, claimed_at = NULL, sending = false WHERE id = $1',
    values: [id],
  })
}

/** Whether a center belongs to a project. */
export async function isCenterOf(connection: Queryable, centerId: string, projectId: string): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'report_schedule_center',
    text: 'SELECT FROM center WHERE id = $1 AND project_id = $2',
    values: [centerId, projectId],
  })
  return rowCount === 1
}
