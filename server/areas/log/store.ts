import type { DeviceLogLine } from '#core/api/calls/log.ts'
import { arrayText } from '#server/database/arrays.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Window } from '#server/http/paging.ts'

/** A reported line with the id that it is booked under. */
export type BookedLine = DeviceLogLine & { readonly id: string }

/** The sender of lines, the device, and when they came. */
export interface Sender {
  readonly userId: string
  readonly deviceId: string | null
  readonly appVersion: string | null
  readonly receivedAt: string
}

/** A line as it is kept. */
export interface StoredLine extends Pick<DeviceLogLine, 'url' | 'time' | 'type' | 'message'> {
  readonly id: string
  readonly stack: string
  readonly info: string
  readonly userName: string
  readonly appVersion: string
  readonly userAgent: string
  readonly receivedAt: string
}

interface Sending {
  readonly lines: readonly BookedLine[]
  readonly sender: Sender
}

const KEEP = prepare<Sending>('client_log_keep', (parameter) => {
  const each = (read: (line: BookedLine) => string) => (sending: Sending) => arrayText(sending.lines.map(read))
  const line = columns<Sending>(parameter, {
    id: ['uuid[]', each(({ id }) => id)],
    occurred_at: ['timestamptz[]', each(({ time }) => time)],
    url: ['text[]', each(({ url }) => url)],
    type: ['text[]', each(({ type }) => type)],
    message: ['text[]', each(({ message }) => message)],
    stack: ['text[]', each(({ stack }) => stack ?? '')],
    info: ['text[]', each(({ info }) => info ?? '')],
  })
  const deviceId = ({ sender }: Sending) => sender.deviceId
  const from = columns<Sending>(parameter, {
    user_id: ['uuid', ({ sender }) => sender.userId],
    device_id: ['uuid', deviceId],
    app_version: ['text', ({ sender }) => sender.appVersion],
    received_at: ['timestamptz', ({ sender }) => sender.receivedAt],
  })
  return `
      INSERT INTO client_log (${line.names}, ${from.names}, user_agent)
      SELECT l.*, ${from.places}, coalesce((SELECT user_agent FROM device WHERE id = ${parameter(deviceId)}::uuid), '')
      FROM unnest(${line.places}) AS l
      ON CONFLICT (id) DO NOTHING`
})

/** Keeps lines that are not kept yet. Returns how many those were. */
export async function keepLines(transaction: Queryable, lines: readonly BookedLine[], sender: Sender): Promise<number> {
  const { rowCount } = await transaction.query(KEEP({ lines, sender }))
  return rowCount ?? 0
}

/** How many lines of a user have come since an instant. */
export async function countSince(transaction: Queryable, userId: string, since: string): Promise<number> {
  const { rows } = await transaction.query<{ total: number }>({
    name: 'client_log_count_since',
    text: 'SELECT count(*) AS total FROM client_log WHERE user_id = $1 AND received_at > $2',
    values: [userId, since],
  })
  return rows[0]?.total ?? 0
}

/** Deletes lines from before an instant, and all but the latest of a user's lines. */
export async function forgetOld(transaction: Queryable, userId: string, before: string, latest: number): Promise<void> {
  await transaction.query({
    name: 'client_log_forget',
    text: 'DELETE FROM client_log WHERE received_at < $1',
    values: [before],
  })
  await transaction.query({
    name: 'client_log_forget_beyond',
    text: `
      DELETE FROM client_log WHERE id IN (
        SELECT id FROM client_log WHERE user_id = $1 ORDER BY received_at DESC, id OFFSET $2)`,
    values: [userId, latest],
  })
}

const KEPT = `
  l.id, l.url, l.occurred_at AS time, l.type, l.message, l.stack, l.info, u.real_name AS "userName",
  coalesce(l.app_version, '') AS "appVersion", l.user_agent AS "userAgent", l.received_at AS "receivedAt"`

/** Totals are counted up to here. */
export const MAX_COUNT = 10_000

/** One page of all lines, the latest first, and how many there are: one more than `MAX_COUNT` where there are more. */
export async function listLines(
  connection: Queryable,
  { limit, offset }: Window,
): Promise<{ readonly rows: readonly StoredLine[]; readonly total: number }> {
  const { rows } = await connection.query<StoredLine & { readonly total: number }>({
    name: 'client_log_list',
    text: `
      SELECT ${KEPT}, (SELECT count(*) FROM (SELECT 1 FROM client_log LIMIT ${MAX_COUNT + 1}) AS counted) AS total
      FROM client_log l JOIN app_user u ON u.id = l.user_id
      ORDER BY l.received_at DESC, l.id LIMIT $1 OFFSET $2`,
    values: [limit, offset],
  })
  return { rows, total: rows[0]?.total ?? 0 }
}

/** One line; null where there is none of this id. */
export async function findLine(connection: Queryable, id: string): Promise<StoredLine | null> {
  const { rows } = await connection.query<StoredLine>({
    name: 'client_log_find',
    text: `SELECT ${KEPT} FROM client_log l JOIN app_user u ON u.id = l.user_id WHERE l.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}
