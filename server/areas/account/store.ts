import type { AccountLine } from '#core/api/calls/user.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** SQL of accounts, as an administrator manages them. */

export interface KnownAccount {
  readonly account: string
  readonly status: AccountLine['status']
}

export async function findAccount(
  transaction: Queryable,
  id: string,
  how: 'look' | 'lock',
): Promise<KnownAccount | null> {
  const { rows } = await transaction.query<KnownAccount>(
    `SELECT account, status FROM app_user WHERE id = $1 ${how === 'lock' ? 'FOR NO KEY UPDATE' : ''}`,
    [id],
  )
  return rows[0] ?? null
}

/** Sets the status. A write of this user that was judged before, in any of their projects, is judged again. */
export async function setAccountStatus(
  transaction: Queryable,
  id: string,
  status: AccountLine['status'],
): Promise<void> {
  await transaction.query('UPDATE app_user SET status = $2 WHERE id = $1', [id, status])
  await transaction.query(
    `WITH theirs AS (
       SELECT p.id FROM project p WHERE p.id IN (SELECT m.project_id FROM member m WHERE m.user_id = $1) ORDER BY p.id FOR NO KEY UPDATE
     ) UPDATE project p SET rights_rev = rights_rev + 1 FROM theirs WHERE p.id = theirs.id`,
    [id],
  )
}

export async function setTemporaryPassword(transaction: Queryable, id: string, passwordHash: string): Promise<void> {
  await transaction.query('UPDATE app_user SET password_hash = $2, must_change_password = true WHERE id = $1', [
    id,
    passwordHash,
  ])
}

/** Accounts whose name contains a text, with the number of their sign-ins that are still valid. */
export async function listAccounts(
  connection: Queryable,
  asked: { readonly account: string | null; readonly now: string; readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly AccountLine[]; readonly total: number }> {
  const { rows } = await connection.query<AccountLine & { readonly total: number }>(
    `SELECT u.id, u.account, u.real_name AS "realName", u.phone, u.is_admin AS "isAdmin", u.status, u.must_change_password AS "mustChangePassword",
       u.last_login_at AS "lastLoginTime", count(*) OVER () AS total,
       (SELECT count(DISTINCT s.family) FROM session s
         WHERE s.user_id = u.id AND s.ended_at IS NULL AND s.refreshed_at IS NULL AND s.refresh_expires_at > $2) AS sessions
     FROM app_user u
     WHERE $1::text IS NULL OR strpos(u.account_key, lower($1)) > 0 OR strpos(u.real_name, $1) > 0
     ORDER BY u.account_key LIMIT $3 OFFSET $4`,
    [asked.account, asked.now, asked.limit, asked.offset],
  )
  return { rows: rows.map(({ total: _total, ...line }) => line), total: rows[0]?.total ?? 0 }
}
