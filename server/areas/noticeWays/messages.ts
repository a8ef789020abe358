import { newId } from '#core/ids.ts'
import type { MessageReason } from '#core/api/patientMessage.ts'
import { noticeGroups } from '#core/api/noticeKinds.ts'
import type { NoticeGroup } from '#core/api/noticeKinds.ts'
import { usualSetting } from '#core/api/noticeSettings.ts'
import type { MessagePace, NoticeWay } from '#core/api/noticeSettings.ts'
import { COUNT, NOTICES, STANDS } from '#server/areas/notice/store.ts'
import type { Reach } from '#server/areas/noticeWays/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Messages that tell people of their notices, in SQL. A message holds no words: these are made when it is sent, from
 * what waits then.
 */

export type SentPace = Exclude<MessagePace, 'never'>

/** SQL: what a notice `n` is about. */
const GROUP = `CASE WHEN n.kind IN ('taken_back', 'changed') THEN 'assigned' ELSE n.kind END`

/** SQL: at which pace the user of a notice `n` is told of it by a way: as they said, else as is usual. */
function paceBy(way: NoticeWay): string {
  const usual = noticeGroups.map((group) => `WHEN '${group}' THEN '${usualSetting(group)[way]}'`).join(' ')
  return `coalesce(
    (SELECT ns.${way} FROM notice_setting ns WHERE ns.user_id = n.user_id AND ns.topic = ${GROUP}), CASE ${GROUP} ${usual} END)`
}

/** SQL: an unread notice `n` of which the way `$1` has not told since it came, as far as a look at rows can say. */
function matchUntold(way: NoticeWay): string {
  return `(
    n.read_at IS NULL AND n.ended_at IS NULL AND n.created_at >= $3 AND n.created_at < $4 AND ${paceBy(way)} = $2
    AND NOT EXISTS (SELECT FROM notice_told t WHERE t.notice_id = n.id AND t.way = $1 AND t.told_at >= n.created_at))`
}

export interface Round {
  readonly way: NoticeWay
  readonly pace: SentPace
  /** Notices from this instant on, and before that one. */
  readonly from: string
  readonly before: string
  readonly day: string
  readonly now: string
}

/** Makes a message for everybody whom something is to be told, and who has none of the kind on its way. */
export async function makeMessages(transaction: Queryable, round: Round): Promise<void> {
  const { way, pace, from, before, day, now } = round
  const { rows } = await transaction.query<{ userId: string }>({
    name: `notice_message_for_${way}`,
    text: `
      SELECT u.id AS "userId" FROM app_user u
      WHERE u.status = 'active' AND ${way === 'email' ? 'u.email' : 'u.phone'} <> ''
        AND u.id IN (SELECT n.user_id FROM notice n WHERE ${matchUntold(way)})
        AND NOT EXISTS (SELECT FROM notice_message o WHERE o.user_id = u.id AND o.way = $1 AND o.pace = $2
          AND (o.state = 'waiting' OR (o.pace = 'daily' AND o.day = $5)))
      ORDER BY u.id`,
    values: [way, pace, from, before, day],
  })
  if (rows.length === 0) return
  await transaction.query({
    name: 'notice_message_make',
    text: `
      INSERT INTO notice_message (id, user_id, way, pace, day, state, created_at, next_try_at)
      SELECT m.id, m.user_id, $3, $4, $5, 'waiting', $6, $6 FROM unnest($1::uuid[], $2::uuid[]) AS m (id, user_id)
      ON CONFLICT DO NOTHING`,
    values: [rows.map(() => newId()), rows.map(({ userId }) => userId), way, pace, day, now],
  })
}

/** A message that one sender has claimed. */
export interface ClaimedMessage extends Reach {
  readonly id: string
  readonly userId: string
  readonly way: NoticeWay
  readonly pace: SentPace
  readonly tries: number
  readonly claimedAt: string
  readonly isActive: boolean
}

const CLAIMED = `m.id, m.user_id AS "userId", m.way, m.pace, m.tries, m.claimed_at AS "claimedAt", u.phone, u.email, u.status = 'active' AS "isActive"`

/** Claims the message that has been due longest, so that no other sender takes it; null where none is due. */
export async function claimMessage(
  transaction: Queryable,
  ways: readonly NoticeWay[],
  now: string,
): Promise<ClaimedMessage | null> {
  const { rows } = await transaction.query<ClaimedMessage>({
    name: 'notice_message_claim',
    text: `
      WITH due AS (
        SELECT m.id FROM notice_message m
        WHERE m.state = 'waiting' AND m.claimed_at IS NULL AND m.next_try_at <= $2 AND m.way = ANY ($1)
        ORDER BY m.next_try_at, m.id LIMIT 1 FOR UPDATE SKIP LOCKED
      )
      UPDATE notice_message m SET claimed_at = $2, tries = m.tries + 1 FROM due, app_user u WHERE m.id = due.id AND u.id = m.user_id
      RETURNING ${CLAIMED}`,
    values: [ways, now],
  })
  return rows[0] ?? null
}

/** How much of something waits for a person in a project. */
export interface Pile {
  readonly projectName: string
  readonly group: NoticeGroup
  readonly count: number
}

/**
 * Notes that a message tells of all that its person has not been told of, and counts what waits for them now. Empty
 * where nothing of what it is to tell waits any more, be it that it was read, or is settled, or their membership ended.
 */
export async function gatherPiles(
  transaction: Queryable,
  { id, userId, way, pace }: ClaimedMessage,
  { from, now }: { readonly from: string; readonly now: string },
): Promise<readonly Pile[]> {
  await transaction.query({
    name: `notice_message_tells_${way}`,
    text: `
      INSERT INTO notice_told (notice_id, way, message_id, told_at)
      SELECT n.id, $1, $6, $4 FROM notice n WHERE n.user_id = $5 AND ${matchUntold(way).replace('< $4', '<= $4')}
      ON CONFLICT (notice_id, way) DO UPDATE SET message_id = excluded.message_id, told_at = excluded.told_at`,
    values: [way, pace, from, now, userId, id],
  })
  const { rows } = await transaction.query<Pile & { readonly isNew: boolean }>({
    name: `notice_message_piles_${way}`,
    text: `
      SELECT min(p.name) AS "projectName", ${GROUP} AS group, sum(coalesce(${COUNT}, 1))::integer AS count,
        bool_or(EXISTS (SELECT FROM notice_told t WHERE t.notice_id = n.id AND t.way = $2 AND t.message_id = $4)) AS "isNew"
      FROM ${NOTICES} AND n.user_id = $1 AND n.read_at IS NULL AND ${STANDS} AND ${paceBy(way)} = $3
      GROUP BY p.id, ${GROUP} ORDER BY "projectName", p.id`,
    values: [userId, way, pace, id],
  })
  return rows.some(({ isNew }) => isNew) ? rows : []
}

/** Stands as the sender of a message that waited in a backup, as in messages to patients. */
const RESTORED = 'to_timestamp(0)'

/** Marks what waits in a database that went back in time: it may have been told since. In the app it stays unread. */
export async function distrustTold(transaction: Queryable): Promise<void> {
  // A backup may be older than the tables.
  const { rows } = await transaction.query<{ known: boolean }>(`SELECT to_regclass('notice_told') IS NOT NULL AS known`)
  if (rows[0]?.known !== true) return
  await transaction.query(`UPDATE notice_message SET claimed_at = ${RESTORED} WHERE state = 'waiting'`)
  await transaction.query(`
    INSERT INTO notice_told (notice_id, way, told_at)
    SELECT n.id, w.way, now() FROM notice n CROSS JOIN (VALUES ('email'), ('note')) AS w (way)
    WHERE n.read_at IS NULL AND n.ended_at IS NULL
    ON CONFLICT (notice_id, way) DO UPDATE SET told_at = excluded.told_at`)
}

/** A message whose sender is gone, locked; or one of a database that went back in time. Null where there is none. */
export async function findLostMessage(
  transaction: Queryable,
  before: string,
): Promise<(ClaimedMessage & { readonly restored: boolean }) | null> {
  const { rows } = await transaction.query<ClaimedMessage & { readonly restored: boolean }>({
    name: 'notice_message_lost',
    text: `
      SELECT ${CLAIMED}, m.claimed_at = ${RESTORED} AS restored FROM notice_message m JOIN app_user u ON u.id = m.user_id
      WHERE m.state = 'waiting' AND m.claimed_at < $1 ORDER BY m.next_try_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`,
    values: [before],
  })
  return rows[0] ?? null
}

/** Ends a message, unless another sender has claimed it meanwhile. */
export async function endMessage(
  connection: Queryable,
  { id, claimedAt }: Pick<ClaimedMessage, 'id' | 'claimedAt'>,
  end: { readonly state: 'sent' | 'failed' | 'dropped'; readonly why: MessageReason | null; readonly at: string },
): Promise<void> {
  await connection.query({
    name: 'notice_message_end',
    text: `
      UPDATE notice_message SET state = $3, why = $4, ended_at = $5, claimed_at = NULL
      WHERE id = $1 AND state = 'waiting' AND claimed_at = $2`,
    values: [id, claimedAt, end.state, end.why, end.at],
  })
}

/** Puts a message back, to be tried again later. */
export async function putMessageBack(
  connection: Queryable,
  { id, claimedAt }: Pick<ClaimedMessage, 'id' | 'claimedAt'>,
  { why, nextTryAt }: { readonly why: MessageReason; readonly nextTryAt: string },
): Promise<void> {
  await connection.query({
    name: 'notice_message_back',
    text: `
      UPDATE notice_message SET why = $3, next_try_at = $4, claimed_at = NULL
      WHERE id = $1 AND state = 'waiting' AND claimed_at = $2`,
    values: [id, claimedAt, why, nextTryAt],
  })
}
