import { sha256 } from '#server/database/seal.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Actor } from '#server/http/handler.ts'
import type { Services } from '#server/services.ts'

/** A signed-in user, and whether they must change their password before anything else. */
export interface SignedIn {
  readonly actor: Actor
  readonly mustChangePassword: boolean
}

interface SessionRecord {
  readonly session_id: string
  readonly used: boolean
  readonly user_id: string
  readonly account: string
  readonly real_name: string
  readonly is_admin: boolean
  readonly is_demo: boolean
  readonly must_change_password: boolean
}

/** Reads `bearer <token>`; null for anything else. Cookies never authenticate. */
export function readBearer(header: string | undefined): string | null {
  return /^bearer ([A-Za-z0-9_-]{20,400})$/i.exec(header ?? '')?.[1] ?? null
}

/**
 * Who the access token belongs to; null when it is unknown, over, or its user disabled. The first use of a token is noted: from then
 * on the refresh token before it is spent for good.
 */
export async function findSignedIn(services: Pick<Services, 'pool' | 'now' | 'config'>, token: string): Promise<SignedIn | null> {
  const now = services.now()
  return withConnection(services.pool, async (connection) => {
    const { rows } = await connection.query<SessionRecord>({
      name: 'session_actor',
      text: `
        SELECT s.id AS session_id, s.first_used_at IS NOT NULL AS used, u.id AS user_id, u.account, u.real_name, u.is_admin,
          u.is_demo, u.must_change_password
        FROM session s JOIN app_user u ON u.id = s.user_id
        WHERE s.access_hash = $1 AND s.ended_at IS NULL AND s.access_expires_at > $2 AND u.status = 'active'
          AND ($3 OR NOT u.is_demo)`,
      values: [sha256(token), now, services.config.demo],
    })
    const record = rows[0]
    if (record === undefined) return null
    if (!record.used) {
      await connection.query('UPDATE session SET first_used_at = $2 WHERE id = $1 AND first_used_at IS NULL', [record.session_id, now])
    }
    const { user_id: userId, account, real_name: realName, is_admin: isAdmin, is_demo: isDemo, session_id: sessionId } = record
    return { actor: { userId, account, realName, isAdmin, isDemo, sessionId }, mustChangePassword: record.must_change_password }
  })
}
