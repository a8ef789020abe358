import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { deviceIdOf, getMeta, noteMoment, setMeta } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import type { EndedWhy } from '#offline/db/rows.ts'
import type { Storage } from '#offline/db/open.ts'
import type { LockKey } from '#offline/vault/lockBox.ts'
import { Vault } from '#offline/vault/vault.ts'
import { closeAllToTyping, forgetEnded, openAllToTyping } from './endedRights.ts'

import { APP_VERSION } from './appVersion.ts'
import type { Api } from './api.ts'
import { createApi, loadClient } from './calls/createApi.ts'
import { loadPart } from '#src/parts/loadPart.ts'
import type { OpenSession } from './openSession.ts'
import { OtherTabs } from './tabs/otherTabs.ts'
import type { TabNews } from './tabs/otherTabs.ts'
import { ServerWatch } from './serverWatch.ts'
import { SessionLock } from './tabs/sessionLock.ts'
import { endedWhyOf } from './sessionEnd.ts'
import { SIGN_IN_TIMEOUT_MS } from './signIn.ts'
import { spareDeviceId } from './device/spareDeviceId.ts'
import type { SessionSnapshot } from './snapshot.ts'
import { Tokens } from './tokens.ts'
import type { KnownUser, SessionState, SessionUser } from './types.ts'

const PROBE_TIMEOUT_MS = 10_000

/** What lives while somebody is at work. A sign-in can begin without it; it is loaded while the password is checked. */
export const loadOpenSession = () => loadPart(() => import('./openSession.ts'))

/** Who left the device last, and who could open it. */
export interface LastHere {
  readonly lastUser: string | null
  readonly users: readonly KnownUser[]
  /** Whether the browser has cleared this device's data, and the server does not know of it. */
  readonly isLossUntold: boolean
}

/**
 * Where one person at a time is at work. It lets people begin and leave, and follows what happens in other tabs and at
 * the server. tabSession.ts has what people ask for.
 */
export class SessionHolder {
  readonly storage: Storage
  readonly vault: Vault
  readonly api: Api
  readonly tokens: Tokens
  readonly watch: ServerWatch
  readonly lock = new SessionLock()
  readonly #change: (change: Partial<SessionSnapshot>) => void
  readonly #tabs = new OtherTabs((news) => void this.#heard(news))
  readonly #wire
  #open: OpenSession | null = null
  #lockedOut: KnownUser | null = null
  /** Facts of the open session that are stored nowhere else. */
  #facts: { readonly olderKeys: boolean; readonly blocked: boolean; readonly ended: EndedWhy | null } = {
    olderKeys: false,
    blocked: false,
    ended: null,
  }
  /**
   * Whether this device's memory records who is at work. Where it could not be written, it says nothing about this tab.
   */
  #isNoted = false
  /** Whether a refresh may still bring a token: until the server says no. */
  #seeksToken = false
  /** Another tab has locked the session, while typing in this tab could not be written to the disk yet. */
  #lockDue: { readonly key: LockKey | null } | null = null

  constructor(change: (change: Partial<SessionSnapshot>) => void) {
    this.#change = change
    this.storage = openStorage({
      onVersionChange: async () => {
        await this.#open?.flush()
        this.#change({ outdated: true })
      },
      onLost: () => {
        // The id was cleared with the rest: by this id the server knows what this device had not sent.
        if (this.deviceId !== '') spareDeviceId.write(this.deviceId)
        this.#change({ storageLoss: { underApp: true, told: false, lostUnsent: null } })
      },
    })
    this.vault = new Vault(this.storage.work)
    this.watch = new ServerWatch({
      change,
      probe: () => void this.api.call('auth.tenantInfo', { timeoutMs: PROBE_TIMEOUT_MS }),
      // What could not be noted now is noted at a later answer.
      answered: () => void this.storage.run(({ work }) => noteMoment(work, { lastContact: new Date().toISOString() })),
      look: () => void this.#look(),
      onChange: (back) => this.#open?.connectionChanged(back),
    })
    this.#wire = {
      fetch: (request: RequestInfo | URL, init?: RequestInit) => fetch(request, init),
      base: '',
      token: () => this.tokens.current,
      deviceId: '',
      appVersion: APP_VERSION,
      language: () => (document.documentElement.lang.startsWith('en') ? 'en' : 'zh'),
      onContact: (reached: boolean) => this.watch.contact(reached),
    }
    this.tokens = new Tokens(
      () => this.api,
      () => this.#open?.user.userId ?? null,
      (code) => void this.#lostToken(code),
      () => this.watch.reachable !== false,
    )
    this.api = createApi(
      this.#wire,
      () => this.tokens.refresh(),
      // A server that is known to be away is not waited for any longer than before.
      () => navigator.onLine && this.watch.reachable !== false,
    )
  }

  get open(): OpenSession | null {
    return this.#open
  }

  get lockedOut(): KnownUser | null {
    return this.#lockedOut
  }

  get deviceId(): string {
    return this.#wire.deviceId
  }

  /** Opens the device's memory. */
  async start(): Promise<Result<LastHere, ApiError>> {
    const begun = await this.storage.run(async ({ work }) => ({
      deviceId: await deviceIdOf(work, spareDeviceId),
      ...(await this.#lastHere()),
    }))
    if (!begun.ok) return begun
    this.#wire.deviceId = begun.value.deviceId
    await this.showLoss()
    this.tokens.watch()
    this.watch.start()
    addEventListener('input', () => void loadClient(), { once: true })
    return begun
  }

  stop(): void {
    this.tokens.stop()
    this.watch.stop()
    this.#tabs.stop()
    this.#open?.stop()
    this.storage.close()
  }

  /** Who left the device last, and who could open it. */
  lastHere(): Promise<Result<LastHere, ApiError>> {
    return this.storage.run(() => this.#lastHere())
  }

  /**
   * Lets somebody begin, or go on where they are already at work.
   *
   * @param begun called before anything that is open can ask for a token
   */
  async enter(user: SessionUser, begun?: (open: OpenSession) => void): Promise<Result<true, ApiError>> {
    const before = this.#open
    if (before?.user.userId === user.userId) {
      // A new sign-in over an open page: the page stays as it is, with all that is being typed.
      begun?.(before)
      this.#goOn()
      before.tokenArrived()
      return ok(true)
    }
    const part = await loadOpenSession()
    if (part === null) return err({ code: 'offline' })
    before?.stop()
    const noted = await this.storage.run(async ({ work }) => {
      await setMeta(work, 'lastUser', user.userId)
      return this.vault.hasOlder()
    })
    this.#isNoted = noted.ok
    this.#facts = { ...this.#facts, olderKeys: noted.ok && noted.value }
    const open = new part.OpenSession({
      storage: this.storage,
      vault: this.vault,
      api: this.api,
      tokens: this.tokens,
      user,
      deviceId: this.#wire.deviceId,
      reachable: () => this.watch.reachable,
      setReachable: (reached) => this.watch.contact(reached),
      onBlocked: () => void this.endedBy('device_blocked'),
    })
    this.#open = open
    this.#facts = { ...this.#facts, ended: null }
    forgetEnded()
    this.#lockedOut = null
    this.#lockDue = null
    this.#seeksToken = true
    this.#tabs.tell({ kind: 'entered', userId: user.userId })
    begun?.(open)
    await open.start()
    this.show()
    this.watch.beat()
    return ok(true)
  }

  /**
   * Ends the open session. Nothing is deleted.
   *
   * @param next what is shown from now on
   * @returns why what was typed could not be written to the disk: then everything stays as it is
   */
  async leave(next: (knownUsers: readonly KnownUser[]) => SessionState): Promise<Result<true, ApiError>> {
    const here = await this.lastHere()
    const open = this.#open
    const flushed = open === null ? ok(true as const) : await open.flush()
    if (!flushed.ok) return flushed
    // From here on nothing is awaited: no key can be pressed between the last flush and the end.
    open?.stop()
    this.#open = null
    forgetEnded()
    this.#seeksToken = false
    this.vault.lock()
    const current = next(here.ok ? here.value.users : [])
    this.#lockedOut = current.state === 'locked' ? current.user : null
    this.#change({ current, device: null })
    return ok(true)
  }

  /** Locks this tab, under a key of the lock password if there is one. */
  async lockUnder(key: LockKey | null): Promise<Result<true, ApiError>> {
    const open = this.#open
    if (open === null) return ok(true)
    const { user } = open
    const { secret } = this.vault
    if (key !== null)
      await this.lock.close(key, {
        user: { ...user },
        secret: secret === null ? null : { ...secret },
        token: this.tokens.current,
      })
    const left = await this.leave((knownUsers) => ({
      state: 'locked',
      user,
      knownUsers,
      triesLeft: this.lock.triesLeft,
    }))
    if (left.ok) this.tokens.clear()
    else if (key !== null) this.lock.takeBack(key)
    return left
  }

  /**
   * Tells the other tabs that this one was locked, or (without a key) that only the sign-in password opens the session
   * now.
   */
  tellLocked(userId: string, key: LockKey | null): void {
    this.#tabs.tell({ kind: 'locked', userId, key })
  }

  /** A session is over here: tells the other tabs, and the server if it can be reached. */
  over(userId: string | null): void {
    const token = this.tokens.current
    if (token !== null) {
      void this.api.call('auth.logout', {
        headers: { [headers.token]: `bearer ${token}` },
        timeoutMs: SIGN_IN_TIMEOUT_MS,
        renew: false,
      })
    }
    this.tokens.clear()
    this.lock.forget()
    this.#tabs.tell({ kind: 'left', userId })
  }

  /** Notes facts of the open session. */
  note(facts: { readonly olderKeys?: boolean; readonly blocked?: boolean }): void {
    this.#facts = { ...this.#facts, ...facts }
    if (facts.blocked === true) return void this.endedBy('device_blocked')
    if (facts.blocked === false && this.#facts.ended === 'device_blocked') this.#goOn()
    else this.show()
  }

  /**
   * The server has said that somebody ended what the user may do here. Open pages are closed to typing, and what was
   * typed is written to the disk. A password that is no longer valid no longer opens this device either.
   */
  async endedBy(why: EndedWhy): Promise<void> {
    const open = this.#open
    if (open === null) return
    closeAllToTyping(why)
    this.#facts = { ...this.#facts, ended: why, blocked: this.#facts.blocked || why === 'device_blocked' }
    this.show()
    if (why === 'password_changed' || why === 'account_disabled')
      await this.storage.run(() => this.vault.close(open.user.userId, why))
    await open.flush()
  }

  /** Shows the open session as it is now. */
  show(): void {
    const open = this.#open
    if (open === null) return
    const vault = this.vault.state.state === 'open'
    const lockPassword = this.lock.key !== null
    this.#change({
      current: { state: 'open', user: open.user, online: this.tokens.isExpected, vault, lockPassword, ...this.#facts },
      device: open.device,
    })
  }

  showPasswordChange(user: SessionUser): void {
    this.#change({ current: { state: 'password_change', user } })
  }

  async showLocked(user: KnownUser): Promise<void> {
    const here = await this.lastHere()
    this.#lockedOut = user
    this.#change({
      current: { state: 'locked', user, knownUsers: here.ok ? here.value.users : [], triesLeft: this.lock.triesLeft },
      device: null,
    })
  }

  async showSignedOut(error: ApiError | null): Promise<void> {
    const here = await this.lastHere()
    this.#lockedOut = null
    this.#change({ current: signedOut(error)(here.ok ? here.value.users : []), device: null })
  }

  /** Shows whether the browser has cleared this device's data. */
  async showLoss(): Promise<void> {
    const loss = await this.storage.run(async ({ work }) => (await getMeta(work, 'storageLoss')) ?? null)
    if (loss.ok) this.#change({ storageLoss: loss.value === null ? null : { ...loss.value, underApp: false } })
  }

  async #lastHere(): Promise<LastHere> {
    const { work } = this.storage
    const isLossUntold = (await getMeta(work, 'storageLoss'))?.told === false
    return { isLossUntold, lastUser: (await getMeta(work, 'lastUser')) ?? null, users: await this.vault.users() }
  }

  /** A new sign-in over what is open: its pages accept typing again. */
  #goOn(): void {
    this.#facts = { ...this.#facts, ended: this.#facts.blocked ? 'device_blocked' : null }
    if (!this.#facts.blocked) openAllToTyping()
    this.show()
  }

  /**
   * The session is over at the server. What is open here stays open; where nobody has ended it on purpose, work goes
   * on. Nothing local is touched.
   */
  async #lostToken(code: ErrorCode): Promise<void> {
    const why = endedWhyOf(code)
    if (why !== null) await this.endedBy(why)
    if (this.#open === null) {
      // A locked-out user is asked for their password anyway.
      if (this.#lockedOut === null) await this.showSignedOut({ code })
    } else if (this.vault.state.state === 'open') this.show()
    else await this.leave(signedOut({ code }))
  }

  /** Something happened in another tab. */
  async #heard(news: TabNews): Promise<void> {
    const here = this.#open?.user.userId ?? this.#lockedOut?.userId
    if (news.kind === 'locked') {
      if (news.userId !== here) return
      this.#lockDue = this.#open === null ? null : news
      await this.#lockIfDue()
      // The lock password was tried too often there.
      if (news.key === null) this.lock.forget()
      if (this.#lockedOut !== null) await this.showLocked(this.#lockedOut)
    } else if (news.kind === 'entered') {
      await this.#leaveToOthers()
    } else if (news.userId === null || news.userId === here) {
      this.lock.forget()
      if (this.#open === null) await this.showSignedOut(null)
      else await this.#leaveToOthers()
    }
  }

  /** Checks whether this tab may go on, and whether a token can be had. */
  async #look(): Promise<void> {
    await this.#lockIfDue()
    await this.#leaveToOthers()
    const mayAsk = this.#seeksToken && this.watch.reachable !== false
    if (this.#open !== null && this.tokens.current === null && mayAsk) await this.#seekToken()
  }

  async #lockIfDue(): Promise<void> {
    if (this.#lockDue !== null && (await this.lockUnder(this.#lockDue.key)).ok) this.#lockDue = null
  }

  /**
   * Another person is at work in another tab, or this session was ended there: it ends here too, once what was typed is
   * on the disk.
   */
  async #leaveToOthers(): Promise<void> {
    const open = this.#open
    if (open === null || !this.#isNoted) return
    const here = await this.lastHere()
    if (!here.ok || this.#open !== open || here.value.lastUser === open.user.userId) return
    if ((await this.leave(signedOut(null))).ok) {
      this.tokens.clear()
      this.lock.forget()
    }
  }

  /** After a restart the token is gone, but the refresh cookie may still be there. */
  async #seekToken(): Promise<void> {
    const refreshed = await this.tokens.refresh()
    if (refreshed === 'lost') this.#seeksToken = false
    if (refreshed !== 'fresh') return
    this.#goOn()
    this.#open?.tokenArrived()
  }
}

/** The state without a user. */
export function signedOut(error: ApiError | null): (knownUsers: readonly KnownUser[]) => SessionState {
  return (knownUsers) => ({ state: 'signed_out', knownUsers, error })
}
