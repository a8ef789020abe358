import * as z from 'zod/mini'
import { errorKind } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { TokenAnswer } from '#core/api/calls/auth.ts'
import { id } from '#core/wire/shapes.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { EndedWhy } from '#offline/db/rows.ts'

import { SessionHolder, loadOpenSession, signedOut } from './sessionHolder.ts'
import { endedWhyOf } from './sessionEnd.ts'
import { loadPart } from '#src/parts/loadPart.ts'
import type { OpenSession } from './openSession.ts'
import { SIGN_IN_TIMEOUT_MS, askToken, askTokenAgain, isSilent, userOf } from './signIn.ts'
import type { StartedSession, SessionSnapshot } from './snapshot.ts'
import type { SessionActions, SessionUser, SignedIn, SignOut } from './types.ts'

/** How long nothing is shown, or a person waits for a second answer, before what can be had without one. */
const START_TIMEOUT_MS = 4000

/** What a lock keeps: who was here, what opens their vault, and their token. */
const lockedAway = z.object({
  user: z.object({ userId: id, account: z.string(), realName: z.string(), isAdmin: z.boolean() }),
  secret: z.nullable(z.object({ userId: id, bits: z.string() })),
  token: z.nullable(z.string()),
})

/** Needed only with the server and after a password: the sign-in screen is ready before it. */
const loadEnrolment = () => loadPart(() => import('./device/enrolDevice.ts'))
const loadWipe = () => loadPart(() => import('#offline/db/wipe.ts'))

// Our content security policy forbids code made from text, which zod would otherwise use to be faster.
z.config({ jitless: true })

/** Opens the device's memory and finds out who is here. */
export async function startSession(change: (change: Partial<SessionSnapshot>) => void): Promise<StartedSession> {
  const session = new TabSession(new SessionHolder(change))
  await session.start()
  return session
}

class TabSession implements StartedSession {
  readonly #holder: SessionHolder
  /** Kept while the server asks for a new password: the vault is created under the new one. */
  #changing: SessionUser | null = null

  constructor(holder: SessionHolder) {
    this.#holder = holder
  }

  async start(): Promise<void> {
    const holder = this.#holder
    const begun = await holder.start()
    if (!begun.ok) return holder.showSignedOut(begun.error)
    await this.#finishClearing()
    const { lastUser, users, isLossUntold } = begun.value
    const known = users.find(({ userId }) => userId === lastUser)
    // A device that was cleared signs in: only then does the server learn of it, and say what it last knew.
    const resumes = holder.tokens.current !== null && !isLossUntold && !(await this.#keepsAnything(lastUser))
    const asked = resumes ? this.#askWhoResumes() : null
    const soon = asked === null ? null : await within(asked, START_TIMEOUT_MS)
    if (soon !== null && soon !== 'late' && (await this.#enter(soon)).ok) return
    await (known === undefined ? holder.showSignedOut(null) : holder.showLocked(known))
    if (soon === 'late' && asked !== null) void this.#resumeLate(asked)
  }

  /** The server took long: whoever has not begun to sign in meanwhile need not. */
  async #resumeLate(asked: Promise<SessionUser | null>): Promise<void> {
    const { tokens } = this.#holder
    const token = tokens.current
    const begun = new AbortController()
    for (const act of ['keydown', 'pointerdown', 'input'])
      addEventListener(act, () => begun.abort(), { signal: begun.signal, capture: true })
    const user = await asked
    if (user !== null && !begun.signal.aborted && this.#holder.open === null && tokens.current === token)
      await this.#enter(user)
    begun.abort()
  }

  stop(): void {
    this.#holder.stop()
  }

  readonly call: SessionActions['call'] = async (callId, input) => {
    const { open, api } = this.#holder
    const isOfAnother = input?.authorId !== undefined && input.authorId !== open?.user.userId
    return isOfAnother ? err({ code: 'unauthenticated' }) : api.call(callId, input)
  }

  readonly captcha: SessionActions['captcha'] = (way = 'picture') =>
    this.#holder.api.call('auth.captcha', { query: { way }, timeoutMs: SIGN_IN_TIMEOUT_MS })

  readonly signIn: SessionActions['signIn'] = async (input) => {
    void loadOpenSession()
    const before = this.#holder.open
    const answer = await askToken(this.#holder.api, input)
    if (answer.ok) {
      // Locked in the meantime, by hand or in another tab: a password that was given before opens nothing now.
      if (before !== null && this.#holder.lockedOut !== null) return err({ code: 'vault_locked' })
      const entered = await this.#signedIn(answer.value, input.password)
      return entered.ok ? ok<SignedIn>('online') : entered
    }
    if (!isSilent(answer.error)) return answer
    // The server is silent: a user known here can go on with what the device holds.
    const here = await this.#holder.lastHere()
    if (!here.ok || !here.value.users.some(({ account }) => account === input.account)) return answer
    const unlocked = await this.#unlockHere(input.account, input.password)
    return unlocked.ok ? ok<SignedIn>('offline') : unlocked
  }

  readonly unlock: SessionActions['unlock'] = async (password, account) => {
    void loadOpenSession()
    const wanted = account ?? this.#holder.lockedOut?.account
    if (wanted === undefined) return err({ code: 'password_wrong' })
    const unlocked = await this.#unlockHere(wanted, password)
    if (unlocked.ok) return unlocked
    // The server's own word closed the session here, so only the server can open it again: it is asked even if it did
    // not answer last time.
    const isClosed = unlocked.error.code === 'password_changed' || unlocked.error.code === 'account_disabled'
    if (!isClosed && (unlocked.error.code !== 'password_wrong' || this.#holder.watch.reachable === false))
      return unlocked
    // The password may be newer than the one this device knows: the server can say.
    const answer = await askToken(this.#holder.api, { account: wanted, password, captcha: null }, START_TIMEOUT_MS)
    if (answer.ok) return this.#signedIn(answer.value, password)
    return isSilent(answer.error) || answer.error.code === 'captcha_wrong' ? unlocked : answer
  }

  readonly openLock: SessionActions['openLock'] = async (password) => {
    void loadOpenSession()
    const { lock, lockedOut, storage, tokens, vault } = this.#holder
    const opened = lockedAway.safeParse(await lock.open(password))
    if (!opened.success) {
      // The remaining tries are shown; after the last wrong one only the sign-in password opens.
      if (lockedOut !== null && lock.triesLeft === null) this.#holder.tellLocked(lockedOut.userId, null)
      if (lockedOut !== null) await this.#holder.showLocked(lockedOut)
      return err({ code: 'password_wrong' })
    }
    const { user, secret, token } = opened.data
    const reopened = await storage.run(async () => secret === null || (await vault.reopen(secret)) !== null)
    if (!reopened.ok || !reopened.value) {
      // The password has changed since, or the user was cleared from the device.
      lock.forget()
      await this.#holder.showLocked(user)
      return reopened.ok ? err({ code: 'password_wrong' }) : reopened
    }
    if (token !== null) tokens.takeBack(token)
    return this.#holder.enter(user)
  }

  readonly setLockPassword: SessionActions['setLockPassword'] = async (password) => {
    await this.#holder.lock.choose(password)
    this.#holder.show()
  }

  readonly lock: SessionActions['lock'] = async () => {
    const { key } = this.#holder.lock
    const user = this.#holder.open?.user
    const locked = await this.#holder.lockUnder(key)
    if (locked.ok && user !== undefined) this.#holder.tellLocked(user.userId, key)
    return locked
  }

  readonly signOut: SessionActions['signOut'] = async ({ force = false } = {}): Promise<SignOut> => {
    const { open, lockedOut, storage } = this.#holder
    const userId = open?.user.userId ?? lockedOut?.userId ?? this.#changing?.userId ?? null
    const flushed = await open?.flush()
    if (flushed?.ok === false) return { done: false, error: flushed.error }
    const unsent = await storage.run(({ work }) =>
      work.transaction('rw', work.outbox, work.drafts, work.meta, async () => {
        const rows = (await work.outbox.where('state').notEqual('aside').count()) + (await work.drafts.count())
        if (rows === 0 || force) await setMeta(work, 'lastUser', null)
        return rows
      }),
    )
    if (unsent.ok && unsent.value > 0 && !force) return { done: false, unsent: unsent.value }
    const left = await this.#holder.leave(signedOut(null))
    if (!left.ok) return { done: false, error: left.error }
    this.#changing = null
    this.#holder.over(userId)
    return { done: true }
  }

  readonly changePassword: SessionActions['changePassword'] = async (oldPassword, newPassword) => {
    const changed = await this.#holder.api.call('auth.changePassword', { body: { oldPassword, newPassword } })
    if (!changed.ok) return changed
    const account = this.#changing?.account ?? this.#holder.open?.user.account
    this.#changing = null
    if (account === undefined) return err({ code: 'unauthenticated' })
    // The old sessions are over; the content of the vault is wrapped again under the new password.
    const signedIn = await this.signIn({ account, password: newPassword, captcha: null })
    if (!signedIn.ok) return signedIn
    const { storage, vault } = this.#holder
    // Opens what only the old password opened. It opens nothing where the server has given all keys again.
    await storage.run(() => vault.recover(oldPassword))
    await this.#noteOlderKeys()
    return ok(true)
  }

  readonly acknowledgeLoss: SessionActions['acknowledgeLoss'] = async () => {
    const noted = await this.#holder.storage.run(({ work }) => setMeta(work, 'storageLoss', null))
    if (noted.ok) await this.#holder.showLoss()
  }

  readonly recoverKeys: SessionActions['recoverKeys'] = async (oldPassword) => {
    const { open, storage, vault } = this.#holder
    const recovered = await storage.run(() => vault.recover(oldPassword))
    if (!recovered.ok) return recovered
    if (recovered.value.ok) {
      await this.#noteOlderKeys()
      open?.tokenArrived()
    }
    return recovered.value
  }

  readonly wipe: SessionActions['wipe'] = async (whose) => {
    const { open, storage } = this.#holder
    if (open === null) return err({ code: 'vault_locked' })
    const flushed = await open.flush()
    if (!flushed.ok) return flushed
    const part = await loadWipe()
    if (part === null) return err({ code: 'offline' })
    const userId = whose === 'mine' ? open.user.userId : null
    const wiped = await part.wipe(storage, userId)
    if (!wiped.ok || !wiped.value.done) return wiped
    const left = await this.#holder.leave(signedOut(null))
    if (!left.ok) return left
    this.#holder.over(userId)
    return wiped
  }

  /**
   * Somebody has signed in at the server: finds out who it is, registers the device, gets the keys, opens the vault.
   */
  async #signedIn(token: TokenAnswer, password: string): Promise<Result<true, ApiError>> {
    const holder = this.#holder
    const left = await this.#takeOver(token.user_id)
    if (!left.ok) return left
    holder.tokens.take(token)
    const { closings } = holder.vault
    const info = await holder.api.call('auth.userInfo', { timeoutMs: SIGN_IN_TIMEOUT_MS })
    if (!info.ok) return info
    const user = userOf(info.value)
    if (info.value.mustChangePassword) {
      this.#changing = user
      holder.showPasswordChange(user)
      return ok(true)
    }
    const enrolled = await this.#enrol(user, password, closings)
    if (!enrolled.ok) {
      // A device that the server refuses, or cannot serve, may still read online and send what it holds.
      if (!['decision', 'protocol'].includes(errorKind(enrolled.error.code))) return enrolled
      await this.#openWithout(user, password, closings)
    }
    // Locked or left in the meantime.
    if (holder.vault.closings !== closings) return err({ code: 'vault_locked' })
    return this.#enter(user)
  }

  /**
   * Where another person is at work, their session closes first, with all that was typed on the disk: nothing of it is
   * requested, sent or sealed in the new user's name. Where the disk refuses, they stay.
   */
  async #takeOver(userId: string): Promise<Result<true, ApiError>> {
    const { open } = this.#holder
    return open === null || open.user.userId === userId ? ok(true) : this.#holder.leave(signedOut(null))
  }

  /** Opens what this user has here without keys from the server. A vault of theirs that is already open stays open. */
  async #openWithout(user: SessionUser, password: string, closings: number): Promise<void> {
    const { storage, vault } = this.#holder
    if (vault.state.state === 'open' && vault.state.owner.userId === user.userId) return
    const tried = await storage.run(() => vault.try(user.account, password))
    if (!tried.ok || !tried.value.ok || vault.closings !== closings) return
    if (tried.value.value.owner.userId === user.userId) tried.value.value.open()
  }

  /** Opens the device for a known user with the password that the device knows. */
  async #unlockHere(account: string, password: string): Promise<Result<true, ApiError>> {
    const holder = this.#holder
    const here = await holder.lastHere()
    if (!here.ok) return here
    const before = holder.open
    const tried = await holder.storage.run(() => holder.vault.try(account, password))
    if (!tried.ok) return tried
    if (!tried.value.ok) return tried.value
    const { owner, open: openVault } = tried.value.value
    // Locked or left in the meantime.
    if (before !== null && holder.open !== before) return err({ code: 'vault_locked' })
    const left = await this.#takeOver(owner.userId)
    if (!left.ok) return left
    openVault()
    // A token that another person left does not belong to this user.
    if (here.value.lastUser !== owner.userId) holder.tokens.clear()
    return this.#enter(owner, (open) => {
      // After a power failure the refresh cookie may be older than the token, because browsers write the two to the
      // disk at different times: using it would end the session. The password does not depend on either.
      if (holder.tokens.isDue) void this.#signInBehind(open, password)
    })
  }

  /**
   * Unlocked without a token that is known to be fresh: the same password gets one when the server answers, so that
   * waiting work can be sent.
   */
  async #signInBehind(open: OpenSession, password: string): Promise<void> {
    const holder = this.#holder
    const { account, userId } = open.user
    const { closings } = holder.vault
    let refused: EndedWhy | null = null
    const renewing = holder.tokens.renewByPassword(async () => {
      const answer = await askTokenAgain(holder.api, { account, password, captcha: null })
      // The password opened the device as it was once set here. A server that does not accept it has another one.
      if (!answer.ok)
        refused = answer.error.code === 'invalid_credentials' ? 'password_changed' : endedWhyOf(answer.error.code)
      // A person who has locked the device in the meantime, or opened it under another name, has no use for this token.
      if (!answer.ok || holder.open !== open || answer.value.user_id !== userId) return 'unreachable'
      holder.tokens.take(answer.value)
      return 'fresh'
    })
    // A person who has just given their password is not told to sign in.
    holder.show()
    const renewed = await renewing
    // The password brought no token: perhaps the session from before goes on.
    if (refused !== null && holder.open === open) return holder.endedBy(refused)
    if (renewed !== 'fresh') {
      if (holder.open === open) open.tokenFailed()
      holder.show()
      return holder.watch.beat()
    }
    await this.#enrol(open.user, password, closings)
    if (holder.open !== open) return
    holder.show()
    open.tokenArrived()
  }

  /** Lets a person begin who has given their sign-in password: an earlier lock password is forgotten. */
  #enter(user: SessionUser, begun?: (open: OpenSession) => void): Promise<Result<true, ApiError>> {
    if (this.#holder.open === null) this.#holder.lock.forget()
    return this.#holder.enter(user, begun)
  }

  /**
   * @param closings how often the vault had been closed when this began: if it was closed since, the keys that arrive
   *   open nothing
   */
  async #enrol(user: SessionUser, password: string, closings: number): Promise<Result<true, ApiError>> {
    const { api, storage, vault, deviceId } = this.#holder
    const enrolment = await loadEnrolment()
    if (enrolment === null) return err({ code: 'offline' })
    const enrolled = await enrolment.enrolDevice({ api, storage, vault, deviceId, closings }, user, password)
    await this.#holder.showLoss()
    this.#holder.note({ blocked: !enrolled.ok && enrolled.error.code === 'device_blocked' })
    await this.#noteOlderKeys()
    return enrolled
  }

  async #noteOlderKeys(): Promise<void> {
    const { storage, vault } = this.#holder
    const older = await storage.run(() => vault.hasOlder())
    if (older.ok) this.#holder.note({ olderKeys: older.value })
  }

  /** A device that keeps nothing has nothing to unlock: a token is enough to go on reading after a reload. */
  async #askWhoResumes(): Promise<SessionUser | null> {
    const info = await this.#holder.api.call('auth.userInfo', { timeoutMs: SIGN_IN_TIMEOUT_MS })
    const mayNot = !info.ok || info.value.mustChangePassword || (await this.#keepsAnything(info.value.userId))
    return mayNot ? null : userOf(info.value)
  }

  /** Finishes a clearing during which the app died; where it cannot be finished now, the next start tries again. */
  async #finishClearing(): Promise<void> {
    const { storage } = this.#holder
    const clearing = await storage.run(({ work }) => getMeta(work, 'clearing'))
    if (!clearing.ok || (clearing.value ?? null) === null) return
    await (await loadWipe())?.finishWipe(storage)
  }

  async #keepsAnything(userId: string | null): Promise<boolean> {
    if (userId === null) return false
    const kept = await this.#holder.storage.run(({ work }) => work.kept.where('userId').equals(userId).count())
    return !kept.ok || kept.value > 0
  }
}

/** What comes within a time, in ms; `late` if it does not. */
function within<Value>(coming: Promise<Value>, limitMs: number): Promise<Value | 'late'> {
  return Promise.race([coming, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), limitMs))])
}
