import type { TokenAnswer } from '#core/api/calls/auth.ts'
import { fail } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { accountKey, bookAttempt, forgiveAttempts, needsCaptcha } from '#server/areas/auth/attempts.ts'
import type { AttemptOrigin } from '#server/areas/auth/attempts.ts'
import { takeCaptcha } from '#server/areas/auth/captcha.ts'
import { verifyPassword } from '#server/areas/auth/password.ts'
import * as store from '#server/areas/auth/store.ts'
import type { SessionRecord, User } from '#server/areas/auth/store.ts'
import {
  ACCESS_SECONDS,
  newTokens,
  REFRESH_SECONDS,
  storeTokens,
  successorTokens,
  tokenAnswer,
} from '#server/areas/auth/tokens.ts'
import { commitSystem } from '#server/database/commit.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { stampOf } from '#server/http/runOnce.ts'
import { endedWhy } from '#server/http/session.ts'
import type { SignedOut } from '#server/http/session.ts'

import { deviceState, isDeviceProof, isDeviceUser } from './device.ts'

/** Signing in, and refreshing the tokens of a sign-in. */

/**
 * For this long, a repeated refresh gets the same successor: a second call at the same time, or one whose answer was
 * lost.
 */
const SAME_SUCCESSOR_MS = 60_000

type TokenContext = CallContext<'auth.token'>

/** `POST blade-auth/oauth/token`: parameters from the query or the body. */
export async function issueToken(context: TokenContext): Promise<TokenAnswer> {
  const own = context.http.client === 'zhenglu'
  // An address appears in logs and histories, but stock clients can only send the parameters there.
  if (own && (context.query.password !== undefined || context.query.refresh_token !== undefined)) {
    throw fail('invalid', { fields: [{ path: 'password', code: 'not_in_query' }] })
  }
  const input = { ...context.query, ...context.body }
  const { grant_type: grant, username = '', password = '' } = input
  if (grant === 'password' || grant === 'captcha') return signIn(context, username, password, grant === 'captcha')
  if (grant === 'refresh_token')
    return refresh(context, input.refresh_token ?? (own ? context.http.refreshCookie : null) ?? '')
  throw fail('invalid', { fields: [{ path: 'grant_type', code: 'value' }] })
}

async function signIn(
  context: TokenContext,
  account: string,
  password: string,
  withCaptcha: boolean,
): Promise<TokenAnswer> {
  const { services, ip, http } = context
  if (account.trim() === '' || password === '') throw fail('invalid_credentials')
  const place = { ip, knownDevice: await knownDevice(context, account) }
  if ((withCaptcha || (await needsCaptcha(services, account, place))) && !(await takeCaptcha(services, http.captcha))) {
    throw fail('captcha_wrong')
  }
  await bookAttempt(services, account, place)
  const user = await withTransaction(services.pool, (transaction) =>
    store.findUserByKey(transaction, accountKey(account)),
  )
  const passes = await verifyPassword(user?.passwordHash ?? null, password)
  // Demo accounts belong to nobody. Where the demo is switched off they may not sign in.
  if (user === null || !passes || (user.isDemo && !services.config.demo)) {
    await auditFailure(context, user)
    throw fail('invalid_credentials')
  }
  // A person who knows the password may know the reason.
  if (!user.active) {
    await auditFailure(context, user)
    throw fail('account_disabled')
  }
  return openSession(context, user, place)
}

/** The calling device, where its browser proves to be that device and the account's owner has used it. */
async function knownDevice({ services, acted, http }: TokenContext, account: string): Promise<string | null> {
  const { deviceId } = acted
  if (deviceId === null || !isDeviceProof(services.secrets, deviceId, http.deviceCookie)) return null
  return withTransaction(services.pool, async (transaction) => {
    const user = await store.findUserByKey(transaction, accountKey(account))
    return user !== null && (await isDeviceUser(transaction, deviceId, user.id, 'first does not')) ? deviceId : null
  })
}

async function openSession(context: TokenContext, user: User, place: AttemptOrigin): Promise<TokenAnswer> {
  const { services, http, acted } = context
  const tokens = newTokens()
  const id = await withTransaction(services.pool, async (transaction) => {
    await forgiveAttempts(transaction, services, user.account, place)
    await store.noteLogin(transaction, user.id, services.now())
    const owner = {
      family: newId(),
      userId: user.id,
      client: http.client,
      deviceId: acted.deviceId,
      signedInAt: services.now(),
    }
    const sessionId = await storeTokens(transaction, services, tokens, owner)
    await commitSystem(transaction, stamp(context, user), [{ action: 'user.login', new: { client: http.client } }])
    return sessionId
  })
  return answer(context, user, tokens, { id, expiresIn: ACCESS_SECONDS })
}

/** An account that does not exist is not written down, because people type passwords there. */
async function auditFailure(context: TokenContext, user: User | null): Promise<void> {
  await withTransaction(context.services.pool, (transaction) =>
    commitSystem(transaction, stamp(context, user), [
      { action: 'user.login_failed', new: { account: user?.account ?? null } },
    ]),
  )
}

async function refresh(context: TokenContext, token: string): Promise<TokenAnswer> {
  const { services, http } = context
  const tokens = successorTokens(services.secrets.root, token)
  const outcome = await withTransaction(services.pool, async (transaction): Promise<Renewed | SignedOut> => {
    const old = await store.lockSession(transaction, sha256(token))
    const now = services.now()
    if (old === null || old.client_id !== http.client || old.refresh_expires_at <= now)
      return { why: 'unauthenticated' }
    const user = await store.findUserById(transaction, old.user_id)
    if (user === null) return { why: 'unauthenticated' }
    if (!user.active) return { why: 'account_disabled' }
    if (old.device_id !== null && (await deviceState(transaction, old.device_id)) === 'blocked')
      return { why: 'device_blocked' }
    if (old.ended_at !== null) return { why: endedWhy(old.ended_why) }
    if (old.refreshed_at === null) {
      await store.markRefreshed(transaction, old.id, now)
      const owner = {
        family: old.family,
        userId: user.id,
        client: http.client,
        deviceId: old.device_id,
        signedInAt: old.signed_in_at,
      }
      return { user, id: await storeTokens(transaction, services, tokens, owner), expiresIn: ACCESS_SECONDS }
    }
    const successor = await store.findSessionByRefresh(transaction, sha256(tokens.refresh))
    if (successor !== null && isSameRefresh(old, successor, now)) {
      return { user, id: successor.id, expiresIn: secondsUntil(successor.access_expires_at, now) }
    }
    // Somebody uses a token that was already used. Whoever it is, all tokens from that sign-in are revoked.
    await store.endFamily(transaction, old.family, now)
    await commitSystem(transaction, stamp(context, user), [{ action: 'user.token_reuse', new: { family: old.family } }])
    return { why: 'unauthenticated' }
  })
  if ('why' in outcome) throw fail(outcome.why)
  return answer(context, outcome.user, tokens, outcome)
}

interface Renewed {
  readonly user: User
  readonly id: string
  readonly expiresIn: number
}

function isSameRefresh(old: SessionRecord, successor: SessionRecord, now: string): boolean {
  const unused = successor.first_used_at === null && successor.refreshed_at === null && successor.ended_at === null
  return unused && old.refreshed_at !== null && Date.parse(now) - Date.parse(old.refreshed_at) <= SAME_SUCCESSOR_MS
}

function secondsUntil(instant: string, now: string): number {
  return Math.max(0, Math.round((Date.parse(instant) - Date.parse(now)) / 1000))
}

/** Our own client gets the refresh token as a cookie that no script can read; other clients get it in the body. */
function answer(
  context: TokenContext,
  user: User,
  tokens: { readonly access: string; readonly refresh: string },
  session: { readonly id: string; readonly expiresIn: number },
): TokenAnswer {
  const { client, setRefreshCookie } = context.http
  const own = client === 'zhenglu'
  if (own) setRefreshCookie(tokens.refresh, REFRESH_SECONDS)
  return tokenAnswer(user, own ? { ...tokens, refresh: '' } : tokens, { ...session, client })
}

function stamp(context: TokenContext, user: User | null): Stamp {
  const { acted, ip, call, services } = context
  const named = stampOf(
    {
      actor: { userId: user?.id ?? '', realName: user?.realName ?? '' },
      acted,
      ip,
      call,
      key: null,
      receivedAt: services.now(),
    },
    null,
  )
  return user === null ? { ...named, userId: null } : named
}
