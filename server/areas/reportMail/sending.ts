import type { PauseReason, UnsentReason } from '#core/api/reportSchedule.ts'
import { STUDY_TIME_ZONE } from '#server/access.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { rhythmIn, WANTED } from './store.ts'
import type { Row, Schedule } from './store.ts'

/** Reports by e-mail that are due, in SQL: claimed, then sent, then booked, as messages about notices are. */

/** A schedule that one server has claimed. */
export interface ClaimedSchedule extends Schedule {
  readonly tries: number
  readonly claimedAt: string
}

const CLAIMED = `${WANTED}, s.tries, s.claimed_at AS "claimedAt"`

/** Claims the schedule that has been due longest, so that no other server takes it; null where none is due. */
export async function claimSchedule(
  transaction: Queryable,
  { day, at }: { readonly day: string; readonly at: string },
): Promise<ClaimedSchedule | null> {
  const { rows } = await transaction.query<Row<ClaimedSchedule>>({
    name: 'report_schedule_claim',
    text: `
      WITH due AS (
        SELECT s.id FROM report_schedule s
        WHERE NOT s.removed AND s.paused IS NULL AND s.claimed_at IS NULL AND s.next_day <= $1
          AND (s.next_try_at IS NULL OR s.next_try_at <= $2)
        ORDER BY s.next_try_at NULLS FIRST, s.next_day, s.id LIMIT 1 FOR UPDATE SKIP LOCKED
      )
      UPDATE report_schedule s SET claimed_at = $2, tries = s.tries + 1 FROM due WHERE s.id = due.id
      RETURNING ${CLAIMED}`,
    values: [day, at],
  })
  return rows.map((row) => ({ ...row, rhythm: rhythmIn(row) }))[0] ?? null
}

type Claim = Pick<ClaimedSchedule, 'id' | 'claimedAt'>

/** SQL: the claim of `Claim`. Who has changed or removed the schedule since has ended it. */
const OWN = 'id = $1 AND claimed_at = $2 AND NOT removed'

/**
 * Notes that from now on the e-mail may have arrived.
 *
 * @returns whether the claim still stands: else nothing may be sent
 */
export async function beginSending(connection: Queryable, { id, claimedAt }: Claim): Promise<boolean> {
  const { rowCount } = await connection.query({
    name: 'report_schedule_sending',
    text: `UPDATE report_schedule SET sending = true WHERE ${OWN}`,
    values: [id, claimedAt],
  })
  return rowCount === 1
}

const FREE = 'claimed_at = NULL, sending = false'

interface DayEnd {
  readonly day: string
  /** Null where it was sent. */
  readonly why: UnsentReason | null
  readonly nextDay: string
}

/** Books that a day's report was sent or given up. */
export async function endDay(connection: Queryable, { id, claimedAt }: Claim, end: DayEnd): Promise<void> {
  await connection.query({
    name: 'report_schedule_end',
    text: `
      UPDATE report_schedule SET last_day = $3, last_why = $4, next_day = $5, tries = 0, next_try_at = NULL, ${FREE}
      WHERE ${OWN}`,
    values: [id, claimedAt, end.day, end.why, end.nextDay],
  })
}

/** Puts a report back, to be tried again later. */
export async function tryAgain(connection: Queryable, { id, claimedAt }: Claim, nextTryAt: string): Promise<void> {
  await connection.query({
    name: 'report_schedule_again',
    text: `UPDATE report_schedule SET next_try_at = $3, ${FREE} WHERE ${OWN}`,
    values: [id, claimedAt, nextTryAt],
  })
}

/** Ends sending until its person saves the schedule again. */
export async function pauseSchedule(
  connection: Queryable,
  { id, claimedAt }: Claim,
  reason: PauseReason,
): Promise<void> {
  await connection.query({
    name: 'report_schedule_pause',
    text: `UPDATE report_schedule SET paused = $3, tries = 0, next_try_at = NULL, ${FREE} WHERE ${OWN}`,
    values: [id, claimedAt, reason],
  })
}

/** Stands as the claim of a report that was due in a backup: it may have been sent since. */
const RESTORED = 'to_timestamp(0)'

/** Marks what is due in a database that went back in time. */
export async function distrustDue(transaction: Queryable): Promise<void> {
  // A backup may be older than the table.
  const { rows } = await transaction.query<{ known: boolean }>(
    `SELECT to_regclass('report_schedule') IS NOT NULL AS known`,
  )
  if (rows[0]?.known !== true) return
  await transaction.query(`
    UPDATE report_schedule SET claimed_at = ${RESTORED}, sending = true
    WHERE NOT removed AND paused IS NULL AND next_day <= (now() AT TIME ZONE '${STUDY_TIME_ZONE}' - interval '7 hours')::date`)
}

export interface LostSchedule extends ClaimedSchedule {
  readonly sending: boolean
  readonly restored: boolean
}

/** A report whose server is gone, locked; or one of a database that went back in time. Null where there is none. */
export async function findLost(transaction: Queryable, before: string): Promise<LostSchedule | null> {
  const { rows } = await transaction.query<Row<LostSchedule>>({
    name: 'report_schedule_lost',
    text: `
      SELECT ${CLAIMED}, s.sending, s.claimed_at = ${RESTORED} AS restored FROM report_schedule s
      WHERE s.claimed_at < $1 AND NOT s.removed ORDER BY s.claimed_at, s.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    values: [before],
  })
  return rows.map((row) => ({ ...row, rhythm: rhythmIn(row) }))[0] ?? null
}

/** Whom and what a report by e-mail is about. */
export interface Addressee {
  readonly account: string
  readonly realName: string
  readonly isAdmin: boolean
  readonly isDemo: boolean
  readonly isActive: boolean
  readonly email: string | null
  readonly projectName: string
  readonly isProjectRemoved: boolean
  readonly centerName: string | null
  /** The version that data are entered under, of which the app's addresses are; null before the first release. */
  readonly versionId: string | null
}

export async function findAddressee(
  connection: Queryable,
  { userId, projectId, centerId }: Pick<Schedule, 'userId' | 'projectId' | 'centerId'>,
): Promise<Addressee | null> {
  const { rows } = await connection.query<Addressee>({
    name: 'report_schedule_addressee',
    text: `
      SELECT u.account, u.real_name AS "realName", u.is_admin AS "isAdmin", u.is_demo AS "isDemo", u.status = 'active' AS "isActive",
        u.email, p.name AS "projectName", p.deleted AS "isProjectRemoved",
        (SELECT c.name FROM center c WHERE c.id = $3) AS "centerName",
        (SELECT v.id FROM crf_version v WHERE v.project_id = p.id AND v.profile = 'formal' AND NOT v.deleted
          ORDER BY v.version_no DESC LIMIT 1) AS "versionId"
      FROM app_user u, project p WHERE u.id = $1 AND p.id = $2`,
    values: [userId, projectId, centerId],
  })
  return rows[0] ?? null
}
