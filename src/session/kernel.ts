import * as z from 'zod/mini'
import { errorKind } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { TokenAnswer } from '#core/api/calls/auth.ts'
import { id } from '#core/wire/shapes.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { EndedWhy } from '#offline/db/rows.ts'

import { Desk, loadOpenSession, signedOut } from './desk.ts'
import { endedWhyOf } from './sessionEnd.ts'
import { loadPart } from './loadPart.ts'
import type { OpenSession } from './openSession.ts'
import { SIGN_IN_TIMEOUT_MS, askToken, askTokenAgain, isSilent, userOf } from './signIn.ts'
import type { SessionKernel, SessionSnapshot } from './snapshot.ts'
import type { SessionActions, SessionUser, SignedIn, SignOut } from './types.ts'

const START_TIMEOUT_MS = 4000

/** What is locked away: who was here, what opens their vault, and their token. */
const lockedAway = z.object({
  user: z.object({ userId: id, account: z.string(), realName: z.string(), isAdmin: z.boolean() }),
  secret: z.nullable(z.object({ userId: id, bits: z.string() })),
  token: z.nullable(z.string()),
})

/** Only with the server, and after a password: a sign-in is ready before it. */
const loadEnrolment = () => loadPart(() => import('./device/enrolDevice.ts'))
const loadWipe = () => loadPart(() => import('#offline/db/wipe.ts'))

// Our content security policy forbids code made from text, which zod would otherwise use to be faster.
z.config({ jitless: true })

/** Opens the device's memory and finds out who is here. */
export async function startKernel(change: (change: Partial<SessionSnapshot>) => void): Promise<SessionKernel> {
  const kernel = new Kernel(new Desk(change))
  await kernel.start()
  return kernel
}

class Kernel implements SessionKernel {
  readonly #desk: Desk
  /** Kept while the server asks for a new password: the vault is made under the new one. */
  #changing: SessionUser | null = null

  constructor(desk: Desk) {
    this.#desk = desk
  }

  async start(): Promise<void> {
    const desk = this.#desk
    const begun = await desk.start()
    if (!begun.ok) return desk.showSignedOut(begun.error)
    await this.#finishClearing()
    const { lastUser, users, isLossUntold } = begun.value
    const known = users.find(({ userId }) => userId === lastUser)
    // A device that was cleared signs in: only then does the server learn of it, and say what it last knew.
    const resumes = desk.tokens.current !== null && !isLossUntold
    if (resumes && !(await this.#keepsAnything(lastUser)) && (await this.#resumeOnline())) return
    await (known === undefined ? desk.showSignedOut(null) : desk.showLocked(known))
  }

  stop(): void {
    this.#desk.stop()
  }

  readonly call: SessionActions['call'] = (callId, input) => this.#desk.api.call(callId, input)

  readonly captcha: SessionActions['captcha'] = (way = 'picture') =>
    this.#desk.api.call('auth.captcha', { query: { way }, timeoutMs: SIGN_IN_TIMEOUT_MS })

  readonly signIn: SessionActions['signIn'] = async (input) => {
    void loadOpenSession()
    const before = this.#desk.open
    const answer = await askToken(this.#desk.api, input)
    if (answer.ok) {
      // Locked meanwhile, by hand or in a tab beside: a password that was given before opens nothing after.
      if (before !== null && this.#desk.lockedOut !== null) return err({ code: 'vault_locked' })
      const entered = await this.#signedIn(answer.value, input.password)
      return entered.ok ? ok<SignedIn>('online') : entered
    }
    if (!isSilent(answer.error)) return answer
    // The server is silent: whoever is known here can go on with what the device holds.
    const here = await this.#desk.lastHere()
    if (!here.ok || !here.value.users.some(({ account }) => account === input.account)) return answer
    const unlocked = await this.#unlockHere(input.account, input.password)
    return unlocked.ok ? ok<SignedIn>('offline') : unlocked
  }

  readonly unlock: SessionActions['unlock'] = async (password, account) => {
    void loadOpenSession()
    const wanted = account ?? this.#desk.lockedOut?.account
    if (wanted === undefined) return err({ code: 'password_wrong' })
    const unlocked = await this.#unlockHere(wanted, password)
    if (unlocked.ok) return unlocked
    // Closed here by the server's own word, only the server can open it again: it is asked also where it did not answer
    // last.
    const isClosed = unlocked.error.code === 'password_changed' || unlocked.error.code === 'account_disabled'
    if (!isClosed && (unlocked.error.code !== 'password_wrong' || this.#desk.watch.reachable === false)) return unlocked
    // Perhaps it is a newer password than this device knows: the server says.
    const answer = await askToken(this.#desk.api, { account: wanted, password, captcha: null }, START_TIMEOUT_MS)
    if (answer.ok) return this.#signedIn(answer.value, password)
    return isSilent(answer.error) || answer.error.code === 'captcha_wrong' ? unlocked : answer
  }

  readonly openLock: SessionActions['openLock'] = async (password) => {
    void loadOpenSession()
    const { lock, lockedOut, storage, tokens, vault } = this.#desk
    const opened = lockedAway.safeParse(await lock.open(password))
    if (!opened.success) {
      // The tries that are left are shown; the last wrong one leaves the sign-in password only.
      if (lockedOut !== null && lock.triesLeft === null) this.#desk.tellLocked(lockedOut.userId, null)
      if (lockedOut !== null) await this.#desk.showLocked(lockedOut)
      return err({ code: 'password_wrong' })
    }
    const { user, secret, token } = opened.data
    const reopened = await storage.run(async () => secret === null || (await vault.reopen(secret)) !== null)
    if (!reopened.ok || !reopened.value) {
      // Another password since, or cleared from the device.
      lock.forget()
      await this.#desk.showLocked(user)
      return reopened.ok ? err({ code: 'password_wrong' }) : reopened
    }
    if (token !== null) tokens.takeBack(token)
    return this.#desk.enter(user)
  }

  readonly setLockPassword: SessionActions['setLockPassword'] = async (password) => {
    await this.#desk.lock.choose(password)
    this.#desk.show()
  }

  readonly lock: SessionActions['lock'] = async () => {
    const { key } = this.#desk.lock
    const user = this.#desk.open?.user
    const locked = await this.#desk.lockUnder(key)
    if (locked.ok && user !== undefined) this.#desk.tellLocked(user.userId, key)
    return locked
  }

  readonly signOut: SessionActions['signOut'] = async ({ force = false } = {}): Promise<SignOut> => {
    const { open, lockedOut, storage } = this.#desk
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
    const left = await this.#desk.leave(signedOut(null))
    if (!left.ok) return { done: false, error: left.error }
    this.#changing = null
    this.#desk.over(userId)
    return { done: true }
  }

  readonly changePassword: SessionActions['changePassword'] = async (oldPassword, newPassword) => {
    const changed = await this.#desk.api.call('auth.changePassword', { body: { oldPassword, newPassword } })
    if (!changed.ok) return changed
    const account = this.#changing?.account ?? this.#desk.open?.user.account
    this.#changing = null
    if (account === undefined) return err({ code: 'unauthenticated' })
    // The old sessions are over; what lies in the vault is wrapped anew under the new password.
    const signedIn = await this.signIn({ account, password: newPassword, captcha: null })
    if (!signedIn.ok) return signedIn
    const { storage, vault } = this.#desk
    // What only the old password opened is opened now that it is known; it opens nothing where all was handed out
    // again.
    await storage.run(() => vault.recover(oldPassword))
    await this.#noteOlderKeys()
    return ok(true)
  }

  readonly acknowledgeLoss: SessionActions['acknowledgeLoss'] = async () => {
    const noted = await this.#desk.storage.run(({ work }) => setMeta(work, 'storageLoss', null))
    if (noted.ok) await this.#desk.showLoss()
  }

  readonly recoverKeys: SessionActions['recoverKeys'] = async (oldPassword) => {
    const { open, storage, vault } = this.#desk
    const recovered = await storage.run(() => vault.recover(oldPassword))
    if (!recovered.ok) return recovered
    if (recovered.value.ok) {
      await this.#noteOlderKeys()
      open?.tokenArrived()
    }
    return recovered.value
  }

  readonly wipe: SessionActions['wipe'] = async (whose) => {
    const { open, storage } = this.#desk
    if (open === null) return err({ code: 'vault_locked' })
    const flushed = await open.flush()
    if (!flushed.ok) return flushed
    const part = await loadWipe()
    if (part === null) return err({ code: 'offline' })
    const userId = whose === 'mine' ? open.user.userId : null
    const wiped = await part.wipe(storage, userId)
    if (!wiped.ok || !wiped.value.done) return wiped
    const left = await this.#desk.leave(signedOut(null))
    if (!left.ok) return left
    this.#desk.over(userId)
    return wiped
  }

  /** Somebody has signed in at the server: who it is, the device's registration, the keys, the vault. */
  async #signedIn(token: TokenAnswer, password: string): Promise<Result<true, ApiError>> {
    const desk = this.#desk
    const left = await this.#takeOver(token.user_id)
    if (!left.ok) return left
    desk.tokens.take(token)
    const { closings } = desk.vault
    const info = await desk.api.call('auth.userInfo', { timeoutMs: SIGN_IN_TIMEOUT_MS })
    if (!info.ok) return info
    const user = userOf(info.value)
    if (info.value.mustChangePassword) {
      this.#changing = user
      desk.showPasswordChange(user)
      return ok(true)
    }
    const enrolled = await this.#enrol(user, password, closings)
    if (!enrolled.ok) {
      // A device that the server does not want, or cannot serve, may still be read from online, and send what it holds.
      if (!['decision', 'protocol'].includes(errorKind(enrolled.error.code))) return enrolled
      await this.#openWithout(user, password, closings)
    }
    // Locked or left meanwhile.
    if (desk.vault.closings !== closings) return err({ code: 'vault_locked' })
    return this.#enter(user)
  }

  /**
   * Where somebody else is at work, theirs closes first, with all that was typed on the disk: nothing of it is asked
   * for, sent or sealed in the new name. Where the disk refuses, they stay.
   */
  async #takeOver(userId: string): Promise<Result<true, ApiError>> {
    const { open } = this.#desk
    return open === null || open.user.userId === userId ? ok(true) : this.#desk.leave(signedOut(null))
  }

  /** Opens what this user has here without keys from the server; a vault that is theirs and open stays so. */
  async #openWithout(user: SessionUser, password: string, closings: number): Promise<void> {
    const { storage, vault } = this.#desk
    if (vault.state.state === 'open' && vault.state.owner.userId === user.userId) return
    const tried = await storage.run(() => vault.try(user.account, password))
    if (!tried.ok || !tried.value.ok || vault.closings !== closings) return
    if (tried.value.value.owner.userId === user.userId) tried.value.value.open()
  }

  /** Opens the device for a known user with the password that it knows. */
  async #unlockHere(account: string, password: string): Promise<Result<true, ApiError>> {
    const desk = this.#desk
    const here = await desk.lastHere()
    if (!here.ok) return here
    const before = desk.open
    const tried = await desk.storage.run(() => desk.vault.try(account, password))
    if (!tried.ok) return tried
    if (!tried.value.ok) return tried.value
    const { owner, open: openVault } = tried.value.value
    // Locked or left meanwhile.
    if (before !== null && desk.open !== before) return err({ code: 'vault_locked' })
    const left = await this.#takeOver(owner.userId)
    if (!left.ok) return left
    openVault()
    // A token left by somebody else is not this person's.
    if (here.value.lastUser !== owner.userId) desk.tokens.clear()
    return this.#enter(owner, (open) => {
      // After a pulled battery the refresh cookie may be older than the token, for browsers bring them to the disk at
      // times of their own: using it would end the session. The password does not depend on either.
      if (desk.tokens.isDue) void this.#signInBehind(open, password)
    })
  }

  /**
   * Unlocked without a token that is known to be young: the same password gets one, when the server answers, so that
   * what waits can be sent.
   */
  async #signInBehind(open: OpenSession, password: string): Promise<void> {
    const desk = this.#desk
    const { account, userId } = open.user
    const { closings } = desk.vault
    let refused: EndedWhy | null = null
    const renewing = desk.tokens.renewByPassword(async () => {
      const answer = await askTokenAgain(desk.api, { account, password, captcha: null })
      // It has opened what it once was given for: a server that does not know it any more knows another one.
      if (!answer.ok)
        refused = answer.error.code === 'invalid_credentials' ? 'password_changed' : endedWhyOf(answer.error.code)
      // Whoever has locked the device meanwhile, or opened it under another name, has no use for this token.
      if (!answer.ok || desk.open !== open || answer.value.user_id !== userId) return 'unreachable'
      desk.tokens.take(answer.value)
      return 'fresh'
    })
    // Nobody is told to sign in who has just given their password.
    desk.show()
    const renewed = await renewing
    // The password brought none: perhaps the session from before goes on.
    if (refused !== null && desk.open === open) return desk.endedBy(refused)
    if (renewed !== 'fresh') {
      if (desk.open === open) open.tokenFailed()
      desk.show()
      return desk.watch.beat()
    }
    await this.#enrol(open.user, password, closings)
    if (desk.open !== open) return
    desk.show()
    open.tokenArrived()
  }

  /** Lets somebody begin who has given their sign-in password: a lock password from before is forgotten. */
  #enter(user: SessionUser, begun?: (open: OpenSession) => void): Promise<Result<true, ApiError>> {
    if (this.#desk.open === null) this.#desk.lock.forget()
    return this.#desk.enter(user, begun)
  }

  /**
   * @param closings how often the vault had been closed when this began: where it was closed since, what comes opens
   *   nothing
   */
  async #enrol(user: SessionUser, password: string, closings: number): Promise<Result<true, ApiError>> {
    const { api, storage, vault, deviceId } = this.#desk
    const enrolment = await loadEnrolment()
    if (enrolment === null) return err({ code: 'offline' })
    const enrolled = await enrolment.enrolDevice({ api, storage, vault, deviceId, closings }, user, password)
    await this.#desk.showLoss()
    this.#desk.note({ blocked: !enrolled.ok && enrolled.error.code === 'device_blocked' })
    await this.#noteOlderKeys()
    return enrolled
  }

  async #noteOlderKeys(): Promise<void> {
    const { storage, vault } = this.#desk
    const older = await storage.run(() => vault.hasOlder())
    if (older.ok) this.#desk.note({ olderKeys: older.value })
  }

  /** A device that keeps nothing has nothing to unlock: a token is enough to go on reading after a reload. */
  async #resumeOnline(): Promise<boolean> {
    const info = await this.#desk.api.call('auth.userInfo', { timeoutMs: START_TIMEOUT_MS })
    if (!info.ok || info.value.mustChangePassword || (await this.#keepsAnything(info.value.userId))) return false
    return (await this.#enter(userOf(info.value))).ok
  }

  /** A clearing that the app did not survive; where it cannot go on now, it does at the next start. */
  async #finishClearing(): Promise<void> {
    const { storage } = this.#desk
    const clearing = await storage.run(({ work }) => getMeta(work, 'clearing'))
    if (!clearing.ok || (clearing.value ?? null) === null) return
    await (await loadWipe())?.finishWipe(storage)
  }

  async #keepsAnything(userId: string | null): Promise<boolean> {
    if (userId === null) return false
    const kept = await this.#desk.storage.run(({ work }) => work.kept.where('userId').equals(userId).count())
    return !kept.ok || kept.value > 0
  }
}
