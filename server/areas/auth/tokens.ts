import { createHmac, randomBytes } from 'node:crypto'
import type { TokenAnswer } from '#core/api/calls/auth.ts'
import { newId } from '#core/ids.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { insertSession } from '#server/areas/auth/store.ts'
import type { User } from '#server/areas/auth/store.ts'
import type { ClientId } from '#server/http/client.ts'
import type { Services } from '#server/services.ts'

/** Access and refresh tokens: opaque, and stored as hashes only. */

export const ACCESS_SECONDS = 3600
export const REFRESH_SECONDS = 604_800
/** A sign-in ends after this time, however often it is refreshed. Then the password is needed again. */
export const SIGNED_IN_SECONDS = 30 * 86_400

export interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** A fresh random pair. */
export function newTokens(): Tokens {
  return { access: randomBytes(32).toString('base64url'), refresh: randomBytes(32).toString('base64url') }
}

/**
 * The pair that follows a refresh token. It is derived, so that the same old token gets the same successor again (the
 * answer may have been lost), although only hashes are stored.
 */
export function successorTokens(root: Uint8Array, refresh: string): Tokens {
  const derive = (kind: string): string => createHmac('sha256', root).update(`${kind}|${refresh}`).digest('base64url')
  return { access: derive('access'), refresh: derive('refresh') }
}

/** Stores a pair as the next of its family; returns the session's id. */
export async function storeTokens(
  transaction: Queryable,
  services: Services,
  tokens: Tokens,
  owner: {
    readonly family: string
    readonly userId: string
    readonly client: ClientId
    readonly deviceId: string | null
    readonly signedInAt: string
  },
): Promise<string> {
  const id = newId()
  const now = Date.parse(services.now())
  const end = Date.parse(owner.signedInAt) + SIGNED_IN_SECONDS * 1000
  const within = (seconds: number): string => new Date(Math.min(now + seconds * 1000, end)).toISOString()
  await insertSession(transaction, {
    id,
    family: owner.family,
    userId: owner.userId,
    clientId: owner.client,
    deviceId: owner.deviceId,
    accessHash: sha256(tokens.access),
    signedInAt: owner.signedInAt,
    accessExpiresAt: within(ACCESS_SECONDS),
    refreshHash: sha256(tokens.refresh),
    refreshExpiresAt: within(REFRESH_SECONDS),
  })
  return id
}

/** The raw OAuth2 answer. */
export function tokenAnswer(
  user: User,
  tokens: { readonly access: string; readonly refresh: string },
  session: { readonly id: string; readonly client: ClientId; readonly expiresIn: number },
): TokenAnswer {
  return {
    access_token: tokens.access,
    token_type: 'bearer',
    refresh_token: tokens.refresh,
    expires_in: session.expiresIn,
    scope: 'all',
    tenant_id: '000000',
    user_id: user.id,
    dept_id: '',
    post_id: '',
    role_id: '',
    oauth_id: '',
    account: user.account,
    user_name: user.account,
    real_name: user.realName,
    nick_name: user.realName,
    role_name: roleOf(user),
    avatar: user.avatar,
    client_id: session.client,
    detail: { type: 'web' },
    license: 'Apache-2.0',
    jti: session.id,
    must_change_password: user.mustChangePassword,
  }
}

/** The user's role on the platform, as the family's clients read it. */
export function roleOf(user: Pick<User, 'isAdmin'>): string {
  return user.isAdmin ? 'administrator' : 'user'
}
