import type { NoticeSetting } from '#core/api/noticeSettings.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** How people want to be told, in SQL. */

/** Where a person can be reached outside of the app. */
export interface Reach {
  readonly phone: string | null
  readonly email: string | null
}

export async function findReach(connection: Queryable, userId: string): Promise<Reach | null> {
  const { rows } = await connection.query<Reach>({
    name: 'notice_reach',
    text: 'SELECT phone, email FROM app_user WHERE id = $1',
    values: [userId],
  })
  return rows[0] ?? null
}

/** What a person has said, by what is told of. */
export async function findSettings(connection: Queryable, userId: string): Promise<ReadonlyMap<string, NoticeSetting>> {
  const { rows } = await connection.query<NoticeSetting & { readonly topic: string }>({
    name: 'notice_settings',
    text: 'SELECT topic, app, email, note FROM notice_setting WHERE user_id = $1',
    values: [userId],
  })
  return new Map(rows.map(({ topic, ...setting }) => [topic, setting]))
}

/** The account, locked, so that of two who write at once the second books what the first has written. */
export async function lockAccount(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query('SELECT FROM app_user WHERE id = $1 FOR NO KEY UPDATE', [userId])
}

export async function putSettings(
  transaction: Queryable,
  userId: string,
  settings: readonly (readonly [topic: string, setting: NoticeSetting])[],
): Promise<void> {
  const column = (of: keyof NoticeSetting) => settings.map(([, setting]) => setting[of])
  await transaction.query({
    name: 'notice_settings_put',
    text: `
      INSERT INTO notice_setting (user_id, topic, app, email, note)
      SELECT $1, s.topic, s.app, s.email, s.note FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS s (topic, app, email, note)
      ON CONFLICT (user_id, topic) DO UPDATE SET app = excluded.app, email = excluded.email, note = excluded.note`,
    values: [userId, settings.map(([topic]) => topic), column('app'), column('email'), column('note')],
  })
}
