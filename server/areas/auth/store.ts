import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { EndedWhy } from '#server/http/session.ts'

/** SQL of accounts and their sessions. */

export interface User {
  readonly id: string
  readonly account: string
  readonly realName: string
  readonly phone: string | null
  readonly email: string | null
  readonly avatar: string
  readonly passwordHash: string
  readonly mustChangePassword: boolean
  readonly isAdmin: boolean
  readonly isDemo: boolean
  readonly active: boolean
}

const USER_COLUMNS = `
  id, account, real_name AS "realName", phone, email, avatar, password_hash AS "passwordHash",
  must_change_password AS "mustChangePassword", is_admin AS "isAdmin", is_demo AS "isDemo", status = 'active' AS active`

/** @param key the account as `accountKey` makes it */
export async function findUserByKey(transaction: Queryable, key: string): Promise<User | null> {
  const { rows } = await transaction.query<User>(`SELECT ${USER_COLUMNS} FROM app_user WHERE account_key = $1`, [key])
  return rows[0] ?? null
}

export async function findUserById(transaction: Queryable, id: string): Promise<User | null> {
  const { rows } = await transaction.query<User>(`SELECT ${USER_COLUMNS} FROM app_user WHERE id = $1`, [id])
  return rows[0] ?? null
}

/** The facts from which an account is made. */
export interface NewUser extends Omit<User, 'active' | 'avatar'> {
  readonly accountKey: string
}

const INSERT_USER = prepare<NewUser>('user_insert', (parameter) => {
  const user = columns(parameter, {
    id: ({ id }) => id,
    account: ({ account }) => account,
    account_key: ({ accountKey }) => accountKey,
    real_name: ({ realName }) => realName,
    phone: ({ phone }) => phone,
    email: ({ email }) => email,
    password_hash: ({ passwordHash }) => passwordHash,
    must_change_password: ({ mustChangePassword }) => mustChangePassword,
    is_admin: ({ isAdmin }) => isAdmin,
    is_demo: ({ isDemo }) => isDemo,
  })
  return `INSERT INTO app_user (${user.names}) VALUES (${user.places}) ON CONFLICT (account_key) DO NOTHING`
})

/** Makes an account; false when there is one of that name. */
export async function insertUser(transaction: Queryable, user: NewUser): Promise<boolean> {
  const { rowCount } = await transaction.query(INSERT_USER(user))
  return rowCount === 1
}

export async function noteLogin(transaction: Queryable, userId: string, now: string): Promise<void> {
  await transaction.query('UPDATE app_user SET last_login_at = $2 WHERE id = $1', [userId, now])
}

/** Sets a password that the account's owner chose. */
export async function setPassword(transaction: Queryable, userId: string, passwordHash: string): Promise<void> {
  await transaction.query('UPDATE app_user SET password_hash = $2, must_change_password = false WHERE id = $1', [
    userId,
    passwordHash,
  ])
}

/** One issued pair of tokens, by their hashes. */
export interface SessionRecord {
  readonly id: string
  readonly family: string
  readonly user_id: string
  readonly client_id: string
  readonly device_id: string | null
  readonly signed_in_at: string
  readonly ended_why: EndedWhy | null
  readonly access_expires_at: string
  readonly refresh_expires_at: string
  readonly first_used_at: string | null
  readonly refreshed_at: string | null
  readonly ended_at: string | null
}

export interface NewSession {
  readonly id: string
  readonly family: string
  readonly userId: string
  readonly clientId: string
  readonly deviceId: string | null
  readonly signedInAt: string
  readonly accessHash: string
  readonly accessExpiresAt: string
  readonly refreshHash: string
  readonly refreshExpiresAt: string
}

const INSERT_SESSION = prepare<NewSession>('session_insert', (parameter) => {
  const session = columns(parameter, {
    id: ({ id }) => id,
    family: ({ family }) => family,
    user_id: ({ userId }) => userId,
    client_id: ({ clientId }) => clientId,
    device_id: ({ deviceId }) => deviceId,
    access_hash: ({ accessHash }) => accessHash,
    access_expires_at: ({ accessExpiresAt }) => accessExpiresAt,
    refresh_hash: ({ refreshHash }) => refreshHash,
    refresh_expires_at: ({ refreshExpiresAt }) => refreshExpiresAt,
    signed_in_at: ({ signedInAt }) => signedInAt,
  })
  return `INSERT INTO session (${session.names}) VALUES (${session.places})`
})

export async function insertSession(transaction: Queryable, session: NewSession): Promise<void> {
  await transaction.query(INSERT_SESSION(session))
}

/** The session of a refresh token, locked: two calls with the same token take turns. */
export async function lockSession(transaction: Queryable, refreshHash: string): Promise<SessionRecord | null> {
  const { rows } = await transaction.query<SessionRecord>('SELECT * FROM session WHERE refresh_hash = $1 FOR UPDATE', [
    refreshHash,
  ])
  return rows[0] ?? null
}

export async function findSessionByRefresh(transaction: Queryable, refreshHash: string): Promise<SessionRecord | null> {
  const { rows } = await transaction.query<SessionRecord>('SELECT * FROM session WHERE refresh_hash = $1', [
    refreshHash,
  ])
  return rows[0] ?? null
}

export async function markRefreshed(transaction: Queryable, sessionId: string, now: string): Promise<void> {
  await transaction.query('UPDATE session SET refreshed_at = $2 WHERE id = $1', [sessionId, now])
}

/** Ends all sessions that came from one sign-in. */
export async function endFamily(transaction: Queryable, family: string, now: string): Promise<void> {
  await transaction.query('UPDATE session SET ended_at = $2 WHERE family = $1 AND ended_at IS NULL', [family, now])
}

/** Ends the family that a session belongs to. */
export async function endSession(transaction: Queryable, sessionId: string, now: string): Promise<void> {
  await transaction.query(
    'UPDATE session SET ended_at = $2 WHERE family = (SELECT family FROM session WHERE id = $1) AND ended_at IS NULL',
    [sessionId, now],
  )
}

/** Ends all sessions of a user except their current one, because the password has changed. */
export async function endOtherSessions(
  transaction: Queryable,
  userId: string,
  sessionId: string,
  now: string,
): Promise<void> {
  await transaction.query(
    `UPDATE session SET ended_at = $3, ended_why = 'password_changed'
     WHERE user_id = $1 AND family <> (SELECT family FROM session WHERE id = $2) AND ended_at IS NULL`,
    [userId, sessionId, now],
  )
}

/** Ends all sessions of a user. Returns how many sign-ins those were. */
export async function endSessionsOfUser(
  transaction: Queryable,
  userId: string,
  why: EndedWhy,
  now: string,
): Promise<number> {
  const { rows } = await transaction.query<{ count: number }>(
    `WITH ended AS (
       UPDATE session SET ended_at = $3, ended_why = $2 WHERE user_id = $1 AND ended_at IS NULL RETURNING family, refreshed_at, refresh_expires_at
     ) SELECT count(DISTINCT family) AS count FROM ended WHERE refreshed_at IS NULL AND refresh_expires_at > $3`,
    [userId, why, now],
  )
  return rows[0]?.count ?? 0
}

/** Ends the sessions that were begun on a device, of all users, with all sessions that came from them. */
export async function endSessionsOfDevice(transaction: Queryable, deviceId: string, now: string): Promise<void> {
  await transaction.query(
    `UPDATE session SET ended_at = $2, ended_why = 'device_blocked'
     WHERE ended_at IS NULL AND family IN (SELECT family FROM session WHERE device_id = $1 AND ended_at IS NULL)`,
    [deviceId, now],
  )
}

/** Stores which device a session is on, where its sign-in did not name one. */
export async function bindDevice(transaction: Queryable, sessionId: string, deviceId: string): Promise<void> {
  await transaction.query(
    'UPDATE session SET device_id = $2 WHERE family = (SELECT family FROM session WHERE id = $1) AND device_id IS NULL',
    [sessionId, deviceId],
  )
}
