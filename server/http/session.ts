import { fail } from '#core/api/errors.ts'
import type { ErrorCode } from '#core/api/errors.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

/** A signed-in user, and whether they must change their password before anything else. */
export interface SignedIn {
  readonly actor: Actor
  readonly mustChangePassword: boolean
  /** Whether the session's device is blocked. It may then only bring what it has not sent. */
  readonly isBlocked: boolean
}

/** Why a session was ended by somebody other than its user. */
export type EndedWhy = Extract<
  ErrorCode,
  'device_blocked' | 'account_disabled' | 'session_revoked' | 'password_changed'
>

/** Why a token gives no access. */
export interface SignedOut {
  readonly why: EndedWhy | 'unauthenticated'
}

interface SessionRecord {
  readonly session_id: string
  readonly device_id: string | null
  readonly used: boolean
  readonly ended: boolean
  readonly ended_why: EndedWhy | null
  readonly user_id: string
  readonly account: string
  readonly real_name: string
  readonly is_admin: boolean
  readonly is_demo: boolean
  readonly active: boolean
  readonly blocked: boolean
  readonly must_change_password: boolean
}

/** Reads `bearer <token>`; null for anything else. Cookies never authenticate. */
export function readBearer(header: string | undefined): string | null {
  return /^bearer ([A-Za-z0-9_-]{20,400})$/i.exec(header ?? '')?.[1] ?? null
}

/**
 * The user of the access token, or why the token gives no access. The first use of a token is noted: from then on the
 * refresh token before it can no longer be used. A session that ended because its device was blocked lasts until its
 * token expires, so that unsent work can still be sent.
 */
export async function findSignedIn(
  services: Pick<Services, 'pool' | 'now' | 'config'>,
  token: string,
): Promise<SignedIn | SignedOut> {
  const now = services.now()
  return withConnection(services.pool, async (connection) => {
    const { rows } = await connection.query<SessionRecord>({
      name: 'session_actor',
      text: `
        SELECT s.id AS session_id, s.device_id, s.first_used_at IS NOT NULL AS used, s.ended_at IS NOT NULL AS ended, s.ended_why,
          u.id AS user_id, u.account, u.real_name, u.is_admin, u.is_demo, u.status = 'active' AS active, u.must_change_password,
          coalesce(d.blocked, false) AS blocked
        FROM session s JOIN app_user u ON u.id = s.user_id LEFT JOIN device d ON d.id = s.device_id
        WHERE s.access_hash = $1 AND s.access_expires_at > $2 AND ($3 OR NOT u.is_demo)`,
      values: [sha256(token), now, services.config.demo],
    })
    const record = rows[0]
    if (record === undefined) return { why: 'unauthenticated' }
    if (!record.active) return { why: 'account_disabled' }
    const sendsOnly = record.blocked && (!record.ended || record.ended_why === 'device_blocked')
    // The device was unblocked since, but its sessions from before stay ended.
    if (record.ended && !sendsOnly) return { why: endedWhy(record.ended_why) }
    if (!record.used) {
      await connection.query('UPDATE session SET first_used_at = $2 WHERE id = $1 AND first_used_at IS NULL', [
        record.session_id,
        now,
      ])
    }
    const {
      user_id: userId,
      account,
      real_name: realName,
      is_admin: isAdmin,
      is_demo: isDemo,
      session_id: sessionId,
      device_id: deviceId,
    } = record
    return {
      actor: { userId, account, realName, isAdmin, isDemo, sessionId, deviceId },
      mustChangePassword: record.must_change_password,
      isBlocked: sendsOnly,
    }
  })
}

/**
 * Whether an answer that is still being sent may go on, because it may outlast its session. It goes on where the
 * token only expired.
 *
 * @throws ApiFailure why the session was ended
 */
export async function requireSession(connection: Queryable, { sessionId }: Pick<Actor, 'sessionId'>): Promise<void> {
  const { rows } = await connection.query<{ why: EndedWhy | null }>({
    name: 'session_ended',
    text: 'SELECT ended_why AS why FROM session WHERE id = $1 AND ended_at IS NOT NULL',
    values: [sessionId],
  })
  const [ended] = rows
  if (ended !== undefined) throw fail(endedWhy(ended.why))
}

/** What a person is told of an ended session; nothing where they ended it themselves. */
export function endedWhy(why: EndedWhy | null): SignedOut['why'] {
  return why === 'device_blocked' ? 'session_revoked' : (why ?? 'unauthenticated')
}
