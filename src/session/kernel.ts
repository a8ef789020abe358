import * as z from 'zod/mini'
import { errorKind } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import type { TokenAnswer, UserInfo } from '#core/api/calls.auth.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { deviceIdOf, getMeta, setMeta } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import type { Storage } from '#offline/db/open.ts'
import { Vault } from '#offline/vault/vault.ts'

import { APP_VERSION } from './appVersion.ts'
import { createApi } from './api.ts'
import type { Api } from './api.ts'
import { enrolDevice } from './enrolDevice.ts'
import { loadPart } from './loadPart.ts'
import type { OpenSession } from './openSession.ts'
import type { SessionKernel, SessionSnapshot } from './snapshot.ts'
import { Tokens } from './tokens.ts'
import type { SessionActions, SessionUser, SignInInput, SignedIn, SignOut } from './types.ts'

/** The least wait for the server before the device opens by itself. */
const SIGN_IN_TIMEOUT_MS = 15_000
const START_TIMEOUT_MS = 4000
/** How often a silent server is asked whether it is there, and a session without a token looks for one. */
const BEAT_MS = 5000
const PROBE_TIMEOUT_MS = 10_000

/** What lives while somebody is at work. Signing in can be begun without it; it comes while the password is being checked. */
const loadOpenSession = () => loadPart(() => import('./openSession.ts'))

// Our content security policy forbids code made from text, which zod would otherwise use to be faster.
z.config({ jitless: true })

type Change = (change: Partial<SessionSnapshot>) => void

/** Opens the device's memory and finds out who is here. */
export async function startKernel(change: Change): Promise<SessionKernel> {
  const kernel = new Kernel(change)
  await kernel.start()
  return kernel
}

class Kernel implements SessionKernel {
  readonly #change: Change
  readonly #storage: Storage
  readonly #vault: Vault
  readonly #api: Api
  readonly #tokens: Tokens
  readonly #wire
  #reachable: boolean | null = null
  #open: OpenSession | null = null
  /** Whether a refresh may still bring a token: until the server says no. */
  #seeksToken = false
  #beatTimer: ReturnType<typeof setInterval> | undefined
  /** Kept while the server asks for a new password: the vault is made under the new one. */
  #changing: { readonly user: SessionUser; readonly password: string } | null = null

  constructor(change: Change) {
    this.#change = change
    this.#storage = openStorage({ onVersionChange: async () => this.#open?.flush() })
    this.#vault = new Vault(this.#storage.work)
    this.#wire = {
      fetch: (request: RequestInfo | URL, init?: RequestInit) => fetch(request, init),
      base: '',
      token: () => this.#tokens.current,
      deviceId: '',
      appVersion: APP_VERSION,
      language: () => (document.documentElement.lang.startsWith('en') ? 'en' : 'zh'),
      onContact: (reached: boolean) => this.#setReachable(reached),
    }
    this.#tokens = new Tokens(
      () => this.#api,
      () => this.#open?.user.userId ?? null,
      () => this.#lostToken(),
    )
    this.#api = createApi(this.#wire, async () => (await this.#tokens.refresh()) === 'fresh')
  }

  async start(): Promise<void> {
    const begun = await this.#storage.run(async ({ work }) => ({
      deviceId: await deviceIdOf(work),
      lastUser: (await getMeta(work, 'lastUser')) ?? null,
      users: await this.#vault.users(),
    }))
    if (!begun.ok) {
      this.#change({ current: { state: 'signed_out', knownUsers: [], error: begun.error } })
      return
    }
    this.#wire.deviceId = begun.value.deviceId
    this.#tokens.watch()
    this.#beatTimer = setInterval(this.#beat, BEAT_MS)
    addEventListener('online', this.#beat)
    const { lastUser, users } = begun.value
    const known = users.find(({ userId }) => userId === lastUser)
    if (this.#tokens.current !== null && !(await this.#keepsAnything(lastUser)) && (await this.#resumeOnline())) return
    this.#change({
      current:
        known === undefined
          ? { state: 'signed_out', knownUsers: users, error: null }
          : { state: 'locked', user: known, knownUsers: users },
    })
  }

  stop(): void {
    this.#tokens.stop()
    clearInterval(this.#beatTimer)
    removeEventListener('online', this.#beat)
    this.#open?.stop()
    this.#storage.close()
  }

  readonly call: SessionActions['call'] = (id, input) => this.#api.call(id, input)

  readonly captcha: SessionActions['captcha'] = () => this.#api.call('auth.captcha', { timeoutMs: SIGN_IN_TIMEOUT_MS })

  readonly signIn: SessionActions['signIn'] = async (input) => {
    void loadOpenSession()
    const answer = await this.#askToken(input)
    if (answer.ok) {
      await this.#takeToken(answer.value)
      const opened = await this.#openOnline(input.password)
      return opened.ok ? ok<SignedIn>('online') : opened
    }
    if (!['offline', 'timeout', 'gateway'].includes(answer.error.code)) return answer
    // The server is silent: whoever is known here can go on with what the device holds.
    const users = await this.#storage.run(() => this.#vault.users())
    if (!users.ok || !users.value.some(({ account }) => account === input.account)) return answer
    const unlocked = await this.unlock(input.password, input.account)
    return unlocked.ok ? ok<SignedIn>('offline') : unlocked
  }

  readonly unlock: SessionActions['unlock'] = async (password, account) => {
    void loadOpenSession()
    const users = await this.#storage.run(async ({ work }) => ({ last: await getMeta(work, 'lastUser'), all: await this.#vault.users() }))
    if (!users.ok) return users
    const wanted = account ?? users.value.all.find(({ userId }) => userId === users.value.last)?.account
    if (wanted === undefined) return err({ code: 'password_wrong' })
    const unlocked = await this.#storage.run(() => this.#vault.unlock(wanted, password))
    if (!unlocked.ok) return unlocked
    if (!unlocked.value.ok) return unlocked.value
    const owner = unlocked.value.value
    // A token left by somebody else is not this person's.
    if (users.value.last !== owner.userId) this.#tokens.clear()
    const entered = await this.#enter(owner)
    if (!entered.ok) return entered
    if (this.#tokens.current === null) void this.#signInBehind(owner.account, password)
    return ok(true)
  }

  readonly lock: SessionActions['lock'] = async () => {
    await this.#leave()
    const users = await this.#storage.run(async ({ work }) => ({ last: await getMeta(work, 'lastUser'), all: await this.#vault.users() }))
    const user = users.ok ? users.value.all.find(({ userId }) => userId === users.value.last) : undefined
    const knownUsers = users.ok ? users.value.all : []
    this.#change({ current: user === undefined ? { state: 'signed_out', knownUsers, error: null } : { state: 'locked', user, knownUsers } })
  }

  readonly signOut: SessionActions['signOut'] = async ({ force = false } = {}): Promise<SignOut> => {
    await this.#open?.flush()
    const unsent = await this.#storage.run(({ work }) =>
      work.transaction('rw', work.outbox, work.drafts, work.meta, async () => {
        const rows = (await work.outbox.where('state').notEqual('aside').count()) + (await work.drafts.count())
        if (rows === 0 || force) await setMeta(work, 'lastUser', null)
        return rows
      }),
    )
    if (unsent.ok && unsent.value > 0 && !force) return { done: false, unsent: unsent.value }
    await this.#leave()
    // Told to the server if it can be reached; here the session is over either way.
    void this.#api.call('auth.logout', { timeoutMs: SIGN_IN_TIMEOUT_MS, renew: false })
    this.#tokens.clear()
    await this.#showSignedOut(null)
    return { done: true }
  }

  readonly changePassword: SessionActions['changePassword'] = async (oldPassword, newPassword) => {
    const changed = await this.#api.call('auth.changePassword', { body: { oldPassword, newPassword } })
    if (!changed.ok) return changed
    const account = this.#changing?.user.account ?? this.#open?.user.account
    this.#changing = null
    if (account === undefined) return err({ code: 'unauthenticated' })
    // The old sessions are over; what lies in the vault is wrapped anew under the new password.
    const signedIn = await this.signIn({ account, password: newPassword, captcha: null })
    return signedIn.ok ? ok(true) : signedIn
  }

  #askToken({ account, password, captcha }: SignInInput): Promise<Result<TokenAnswer, ApiError>> {
    return this.#api.call('auth.token', {
      body: {
        tenantId: '000000',
        username: account,
        password,
        grant_type: captcha === null ? 'password' : 'captcha',
        scope: 'all',
        type: 'account',
      },
      headers: captcha === null ? {} : { [headers.captchaKey]: captcha.key, [headers.captchaCode]: captcha.code },
      timeoutMs: SIGN_IN_TIMEOUT_MS,
    })
  }

  /** Takes a token that somebody signed in for. */
  async #takeToken(token: TokenAnswer): Promise<void> {
    if (this.#open !== null && this.#open.user.userId !== token.user_id) {
      // Somebody else takes over: what is open closes first, so that nothing of it is asked for or sent in the new name.
      await this.#leave()
      await this.#showSignedOut(null)
    }
    this.#tokens.take(token)
  }

  /** After the token: who it is, the device's registration, the keys, the vault. */
  async #openOnline(password: string): Promise<Result<true, ApiError>> {
    const info = await this.#api.call('auth.userInfo', { timeoutMs: SIGN_IN_TIMEOUT_MS })
    if (!info.ok) return info
    const user = userOf(info.value)
    if (info.value.mustChangePassword) {
      this.#changing = { user, password }
      this.#change({ current: { state: 'password_change', user } })
      return ok(true)
    }
    const enrolled = await this.#enrol(user, password)
    if (!enrolled.ok) {
      // A device that the server does not want, or cannot serve, may still be read from online; it keeps and writes nothing.
      if (!['decision', 'protocol'].includes(errorKind(enrolled.error.code))) return enrolled
      this.#vault.lock()
    }
    return this.#enter(user)
  }

  /** A device that keeps nothing has nothing to unlock: a token is enough to go on reading after a reload. */
  async #resumeOnline(): Promise<boolean> {
    const info = await this.#api.call('auth.userInfo', { timeoutMs: START_TIMEOUT_MS })
    if (!info.ok || info.value.mustChangePassword || (await this.#keepsAnything(info.value.userId))) return false
    return (await this.#enter(userOf(info.value))).ok
  }

  async #keepsAnything(userId: string | null): Promise<boolean> {
    if (userId === null) return false
    const kept = await this.#storage.run(({ work }) => work.kept.where('userId').equals(userId).count())
    return !kept.ok || kept.value > 0
  }

  /** Unlocked without a token: the same password gets one, when the server answers, so that what waits can be sent. */
  async #signInBehind(account: string, password: string): Promise<void> {
    const open = this.#open
    const answer = await this.#askToken({ account, password, captcha: null })
    // Whoever has locked the device meanwhile, or opened it under another name, has no use for this token.
    if (!answer.ok || open === null || this.#open !== open || answer.value.user_id !== open.user.userId) return
    this.#tokens.take(answer.value)
    await this.#enrol(open.user, password)
    if (this.#open !== open) return
    this.#show()
    open.tokenArrived()
  }

  #enrol(user: SessionUser, password: string): Promise<Result<true, ApiError>> {
    return enrolDevice({ api: this.#api, storage: this.#storage, vault: this.#vault, deviceId: this.#wire.deviceId }, user, password)
  }

  async #enter(user: SessionUser): Promise<Result<true, ApiError>> {
    const before = this.#open
    if (before?.user.userId === user.userId) {
      // Signed in again over an open page: it stays as it is, with all that is being typed.
      this.#show()
      before.tokenArrived()
      return ok(true)
    }
    const part = await loadOpenSession()
    if (part === null) return err({ code: 'offline' })
    before?.stop()
    await this.#storage.run(({ work }) => setMeta(work, 'lastUser', user.userId))
    const open = new part.OpenSession({
      storage: this.#storage,
      vault: this.#vault,
      api: this.#api,
      tokens: this.#tokens,
      user,
      deviceId: this.#wire.deviceId,
      reachable: () => this.#reachable,
      setReachable: (reached) => this.#setReachable(reached),
    })
    this.#open = open
    this.#seeksToken = true
    await open.start()
    this.#show()
    this.#beat()
    return ok(true)
  }

  async #leave(): Promise<void> {
    await this.#open?.flush()
    this.#open?.stop()
    this.#open = null
    this.#changing = null
    this.#vault.lock()
    this.#change({ device: null })
  }

  #show(): void {
    const open = this.#open
    if (open === null) return
    const { state } = this.#vault.state
    this.#change({
      current: { state: 'open', user: open.user, online: this.#tokens.current !== null, vault: state === 'open' },
      device: open.device,
    })
  }

  async #showSignedOut(error: ApiError | null): Promise<void> {
    const users = await this.#storage.run(() => this.#vault.users())
    this.#change({ current: { state: 'signed_out', knownUsers: users.ok ? users.value : [], error }, device: null })
  }

  /** The session is over at the server. What is open here stays open and goes on; nothing local is touched. */
  #lostToken(): void {
    if (this.#open === null) void this.#showSignedOut({ code: 'unauthenticated' })
    else if (this.#vault.state.state === 'open') this.#show()
    else void this.#leave().then(() => this.#showSignedOut({ code: 'unauthenticated' }))
  }

  /** Looks for the server while it is silent, and for a token while none is held. */
  readonly #beat = (): void => {
    if (this.#reachable === false) void this.#api.call('auth.tenantInfo', { timeoutMs: PROBE_TIMEOUT_MS })
    else if (this.#open !== null && this.#tokens.current === null && this.#seeksToken) void this.#seekToken()
  }

  /** After a restart the token is gone, but the refresh cookie may still be there. */
  async #seekToken(): Promise<void> {
    const refreshed = await this.#tokens.refresh()
    if (refreshed === 'lost') this.#seeksToken = false
    if (refreshed !== 'fresh') return
    this.#show()
    this.#open?.tokenArrived()
  }

  #setReachable(reached: boolean): void {
    if (this.#reachable === reached) return
    const back = reached && this.#reachable === false
    this.#reachable = reached
    this.#change({ reachable: reached })
    this.#open?.connectionChanged(back)
    if (back) this.#beat()
  }
}

function userOf({ userId, account, realName, isAdmin }: UserInfo): SessionUser {
  return { userId, account, realName, isAdmin }
}
