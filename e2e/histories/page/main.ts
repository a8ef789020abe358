import * as z from 'zod/mini'
import { deviceIdOf } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import { Vault } from '#offline/vault/vault.ts'
import { endedIn, forgetEnded } from '#src/session/endedRights.ts'
import { onBeforeReload } from '#src/session/beforeReload.ts'
import { createApi } from '#src/session/calls/createApi.ts'
import { enrolDevice } from '#src/session/device/enrolDevice.ts'
import { OpenSession } from '#src/session/openSession.ts'
import { Tokens } from '#src/session/tokens.ts'
import type { SessionUser } from '#src/session/types.ts'
import type { AtWork } from '#tests/scenarios/simulator/atWork.ts'
import { Disk, closeUnder } from '#tests/scenarios/simulator/diskFaults.ts'
import { Hands } from '#tests/scenarios/simulator/hands.ts'
import type { Places } from '#tests/scenarios/simulator/places.ts'
import { outboxText, remainsOf, whoLeftWork } from '#tests/scenarios/simulator/remains.ts'
import type { Remains } from '#tests/scenarios/simulator/remains.ts'
import { clockOffset, setClock, takeOverClock } from './clock.ts'

/**
 * A tablet in a real browser without its screens: the app's own session, worker, databases and pages. The history
 * drives it from outside; everything that comes and goes is plain data.
 */

z.config({ jitless: true })
takeOverClock()

/** Far fewer than in use: what is looked for here is not how long a password holds. */
const ROUNDS = 1000
const PASSWORD = 'Correct-Horse-7'
const NO_KEYS: KeyRing = new Map()

/** Threads that the app started: they may die alone. */
const threads = new Set<Worker>()
globalThis.Worker = class extends Worker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, { ...options, name: String(clockOffset()) })
    threads.add(this)
  }
}

/** What hands do for somebody at work, and what they do on the open page. */
type WorkAct =
  | 'enter'
  | 'row'
  | 'photo'
  | 'visit'
  | 'ask'
  | 'answer'
  | 'shownQueries'
  | 'patients'
  | 'enrol'
  | 'changePatient'
  | 'repeats'
  | 'open'
  | 'rest'
  | 'repeat'
  | 'removeEntry'
  | 'decide'
  | 'poison'
  | 'shown'
  | 'setAsideRefused'
type PageAct = 'save' | 'submit' | 'leave' | 'refresh'

class PageTablet {
  readonly #places: Places
  readonly #storage = openStorage()
  readonly #disk = new Disk()
  readonly #vault = new Vault(this.#storage.work, ROUNDS)
  readonly #hands: Hands
  readonly #wire
  readonly #api
  readonly #tokens: Tokens
  #session: OpenSession | null = null
  #reachable: boolean | null = null

  constructor(places: Places, deviceId: string) {
    this.#places = places
    this.#disk.watchCommits(this.#storage.work)
    this.#hands = new Hands(
      () => places,
      () => new Date().toISOString(),
    )
    // As the screen of a page does: the app may ask for what is on it.
    onBeforeReload(async () => {
      if ((await this.#hands.page?.flush()) === false) throw new Error('the page could not be saved')
    })
    this.#wire = {
      fetch: (request: RequestInfo | URL, init?: RequestInit) => fetch(request, init),
      base: '',
      token: () => this.#tokens.current,
      deviceId,
      appVersion: 'history',
      language: () => 'zh' as const,
      onContact: (reached: boolean) => this.#setReachable(reached),
    }
    this.#tokens = new Tokens(
      () => this.#api,
      () => this.#session?.user.userId ?? null,
      () => undefined,
    )
    this.#api = createApi(this.#wire, () => Promise.resolve('lost' as const))
  }

  async signIn(user: SessionUser, token: string): Promise<boolean> {
    await this.lock()
    this.#tokens.take({ access_token: token })
    const { deviceId } = this.#wire
    const enrolled = await enrolDevice(
      { api: this.#api, storage: this.#storage, vault: this.#vault, deviceId },
      user,
      PASSWORD,
    )
    if (!enrolled.ok) {
      this.#tokens.clear()
      this.#vault.lock()
      return false
    }
    await this.#begin(user)
    return true
  }

  async unlock(user: SessionUser): Promise<boolean> {
    await this.lock()
    const unlocked = await this.#storage.run(() => this.#vault.unlock(user.account, PASSWORD))
    if (!unlocked.ok || !unlocked.value.ok) return false
    await this.#begin(user)
    return true
  }

  async lock(): Promise<void> {
    await this.#hands.drop()?.close()
    await this.#session?.flush()
    this.#session?.stop()
    this.#session = null
    this.#tokens.clear()
    this.#vault.lock()
  }

  /** A session that is over is renewed with a token that somebody signed in for. */
  renew(token: string): void {
    this.#tokens.take({ access_token: token })
    this.#session?.tokenArrived()
  }

  /** Sends and fetches. False where there is no token to do it with. */
  async sync(): Promise<boolean> {
    if (this.#session === null) return true
    if (this.#tokens.current === null) return false
    const work = this.#work()
    if (work !== null) await this.#hands.explain(work)
    await this.#session.device.syncNow()
    return this.#tokens.current !== null
  }

  /** Null where nobody is at work. */
  async hand(act: WorkAct, given: readonly unknown[]): Promise<unknown> {
    const work = this.#work()
    if (work === null) return null
    const method = this.#hands[act] as (work: AtWork, ...more: readonly unknown[]) => Promise<unknown>
    return method.call(this.#hands, work, ...given)
  }

  async onPage(act: PageAct, given: readonly unknown[]): Promise<unknown> {
    const method = this.#hands[act] as (...more: readonly unknown[]) => Promise<unknown>
    return method.call(this.#hands, ...given)
  }

  killThreads(): void {
    for (const thread of threads) {
      thread.terminate()
      // A thread that dies by itself says so; one that is ended from here does not.
      thread.dispatchEvent(new Event('error'))
    }
    threads.clear()
  }

  closeDatabase(when: 'now' | 'after_commit'): void {
    if (when === 'after_commit') {
      this.#disk.closesAfterCommit = true
      return
    }
    closeUnder(this.#storage.work)
    closeUnder(this.#storage.cache)
  }

  heal(): void {
    this.#disk.closesAfterCommit = false
  }

  setClock(offsetMs: number): void {
    setClock(offsetMs)
  }

  hasKeys(): boolean {
    return (this.#ring.get(this.#places.scope)?.sensitive ?? null) !== null
  }

  whoLeftWork(): Promise<readonly string[]> {
    return whoLeftWork(this.#storage)
  }

  outbox(): Promise<string> {
    return outboxText(this.#storage)
  }

  remains(): Promise<Remains> {
    const userId = this.#session?.user.userId ?? ''
    return remainsOf(this.#storage, { work: this.#work(), ring: this.#ring, userId, scope: this.#places.scope })
  }

  async #begin(user: SessionUser): Promise<void> {
    const session = new OpenSession({
      storage: this.#storage,
      vault: this.#vault,
      api: this.#api,
      tokens: this.#tokens,
      user,
      deviceId: this.#wire.deviceId,
      reachable: () => this.#reachable,
      setReachable: (reached) => this.#setReachable(reached),
      onBlocked: () => undefined,
    })
    this.#session = session
    forgetEnded()
    await session.start()
    if (this.#tokens.current !== null && !this.#ring.has(this.#places.scope))
      await session.device.keepScope(this.#places.scope)
  }

  #work(): AtWork | null {
    const session = this.#session
    if (session === null) return null
    const { state } = this.#vault
    const { deviceId, appVersion } = this.#wire
    const author =
      state.state === 'locked'
        ? null
        : {
            userId: state.owner.userId,
            ring: state.keys.ring,
            proof: state.keys.proof,
            deviceId,
            appVersion,
            now: () => new Date(),
          }
    return { device: session.device, storage: this.#storage, author, ended: (scope) => endedIn(scope) !== null }
  }

  get #ring(): KeyRing {
    return this.#vault.state.state === 'open' ? this.#vault.state.keys.ring : NO_KEYS
  }

  #setReachable(reached: boolean): void {
    if (this.#reachable === reached) return
    const back = reached && this.#reachable === false
    this.#reachable = reached
    this.#session?.connectionChanged(back)
  }
}

export type { PageAct, WorkAct }

declare global {
  interface Window {
    /** Starts the tablet. Gives the id of the device. */
    unpack: (places: Places, clockOffsetMs: number) => Promise<string>
    tablet: PageTablet
  }
}

window.unpack = async (places, clockOffsetMs) => {
  setClock(clockOffsetMs)
  const storage = openStorage()
  const deviceId = await deviceIdOf(storage.work)
  storage.close()
  window.tablet = new PageTablet(places, deviceId)
  return deviceId
}
