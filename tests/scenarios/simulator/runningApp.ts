import { newId } from '#core/ids.ts'
import { deviceIdOf, setMeta } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import type { EndedWhy } from '#offline/db/rows.ts'
import type { Storage } from '#offline/db/open.ts'
import { Journal } from '#offline/draft/journal.ts'
import type { Wire } from '#offline/net/request.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { freeWaiting } from '#offline/outbox/setAside.ts'
import { resetWaits, runCycle } from '#offline/sync/cycle.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import { Vault } from '#offline/vault/vault.ts'
import type { DataContext } from '#src/data/rows/context.ts'
// An app's clocks are made up: what it would load while they stand still is there before it begins.
import '#src/session/calls/client.ts'
import { createDevice } from '#src/data/device/device.ts'
import { recoverDrafts } from '#src/data/writes/recovery.ts'
import { Remote } from '#src/data/rows/remote.ts'
import { followRights } from '#src/data/writes/endRights.ts'
import { renewKeys } from '#src/data/writes/scopes.ts'
import type { Device } from '#src/data/device/device.ts'
import { createApi } from '#src/session/calls/createApi.ts'
import type { Api } from '#src/session/api.ts'
import { enrolDevice } from '#src/session/device/enrolDevice.ts'
import { Waits, inApp } from './clock.ts'
import { Thread, closeUnder, faultyDisk } from './diskFaults.ts'
import type { Disk } from './diskFaults.ts'
import type { Network } from './network.ts'
import type { PersonName } from './simTablet.ts'
import type { Study } from './study.ts'
import type { WardServer } from './wardServer.ts'

/** What a tablet is made of and keeps, whatever becomes of the app that runs on it. */
export interface Hardware {
  readonly prefix: string
  readonly disk: Disk
  readonly network: Network
  readonly study: Study
  readonly server: WardServer
  readonly now: () => number
  readonly random: () => number
  /** Saves the page that is open on it. */
  readonly savePage: () => Promise<unknown>
  /** Whether a page is open on it. */
  readonly isTypedOn: () => boolean
  /** Apps that are running on it, by the id under which they write their drafts. */
  readonly runtimes: Set<string>
}

/** Somebody at work: what the app holds in memory for them. */
export interface Session {
  readonly person: PersonName
  readonly context: DataContext
  readonly device: Device
}

const NO_KEYS: KeyRing = new Map()
const PASSWORD = 'Correct-Horse-7'
/** One round: what is looked for here is not how long a password holds. */
const ROUNDS = 1
const ANYWHERE = 'http://ward.test'
const APP_VERSION = 'sim'

/**
 * The app, as it runs from when its page is opened until it dies: the app's own parts over a faulty disk and network.
 */
export class RunningApp {
  readonly #hardware: Hardware
  readonly page: Thread
  #worker = new Thread()
  readonly #waits = new Waits()
  readonly storage: Storage
  #workerStorage: Storage | null = null
  readonly #vault: Vault
  readonly deviceId: string
  #token: string | null = null
  #session: Session | null = null
  /** Scopes whose pages take no typing any more. */
  readonly #ended = new Map<string, EndedWhy>()

  private constructor(hardware: Hardware, storage: Storage, thread: Thread, deviceId: string) {
    this.#hardware = hardware
    this.storage = storage
    this.page = thread
    this.deviceId = deviceId
    this.#vault = new Vault(storage.work, ROUNDS)
  }

  static async start(hardware: Hardware): Promise<RunningApp> {
    const thread = new Thread()
    const storage = openFaulty(hardware, thread)
    const deviceId = await storage.run(({ work }) => deviceIdOf(work))
    if (!deviceId.ok) throw new Error(`the app did not start: ${deviceId.error.code}`)
    return new RunningApp(hardware, storage, thread, deviceId.value)
  }

  get session(): Session | null {
    return this.#session
  }

  /** The worker that syncs: it has the databases open for itself, and may die alone. */
  get worker(): Thread {
    return this.#worker
  }

  /** Runs what the app does, by its own clocks. */
  within<Value>(run: () => Value): Value {
    return inApp(this.#waits, run)
  }

  pass(ms: number): void {
    this.#waits.pass(ms)
  }

  async signIn(person: PersonName): Promise<boolean> {
    if (!this.#hardware.network.online) return false
    await this.lock()
    if (!(await this.#enrol(person))) return false
    await this.#begin(person)
    return true
  }

  /** A token, the device's registration and the keys, as the sign-in gets them; over an open page too, which stays. */
  async #enrol(person: PersonName): Promise<boolean> {
    const { study, server } = this.#hardware
    const { userId, account, realName, isAdmin } = study.staff[person]
    this.#token = await server.token(study.staff[person], this.deviceId)
    const enrolled = await enrolDevice(
      { api: this.#api(), storage: this.storage, vault: this.#vault, deviceId: this.deviceId },
      { userId, account, realName, isAdmin },
      PASSWORD,
      (scope) => Promise.resolve(this.#hardware.isTypedOn() && !this.#ended.has(scope)),
    )
    if (enrolled.ok) await this.storage.run(({ work }) => setMeta(work, 'paused', null))
    else this.#token = null
    return enrolled.ok
  }

  async unlock(person: PersonName): Promise<boolean> {
    await this.lock()
    const owner = await this.storage.run(() => this.#vault.unlock(person, PASSWORD))
    if (!owner.ok || !owner.value.ok) return false
    await this.#begin(person)
    return true
  }

  async lock(): Promise<void> {
    if (this.#session !== null) {
      await this.#session.device.flushJournal()
      this.#hardware.runtimes.delete(this.#session.context.journal.runtime)
    }
    this.#session = null
    this.#token = null
    this.#vault.lock()
    this.#waits.clear()
  }

  /** The app dies: nothing of it is left but what is on the disk. */
  kill(): void {
    this.page.kill()
    this.#worker.kill()
    if (this.#session !== null) this.#hardware.runtimes.delete(this.#session.context.journal.runtime)
    this.#session = null
    this.#waits.clear()
    this.storage.close()
    this.#workerStorage?.close()
  }

  killWorker(): void {
    this.#worker.kill()
    this.#workerStorage?.close()
    this.#workerStorage = null
    this.#worker = new Thread()
  }

  closeDatabase(): void {
    for (const storage of [this.storage, this.#workerStorage]) {
      if (storage === null) continue
      closeUnder(storage.work)
      closeUnder(storage.cache)
    }
  }

  /**
   * One cycle of sending and fetching, as the session runs it: a session that is over is renewed over the network
   * first. What waits for its time goes when a person asks, and not when the app does so by itself.
   */
  async sync(asks: 'person' | 'app'): Promise<void> {
    const session = this.#session
    if (session === null) return
    const { now, random, network } = this.#hardware
    if (this.#token === null && (!network.online || !(await this.#enrol(session.person)))) return
    const { state } = this.#vault
    const reset = asks === 'person' ? await resetWaits(this.storage) : null
    if (reset?.ok === false || state.state === 'locked') return
    const thread = this.#worker
    const storage = (this.#workerStorage ??= openFaulty(this.#hardware, thread))
    const cycle = await runCycle({
      storage,
      wire: this.#wire(thread),
      ring: state.keys.ring,
      userId: session.context.user.userId,
      deviceId: this.deviceId,
      appVersion: APP_VERSION,
      now,
      random,
    })
    if (!cycle.ok) return
    const { withdrawn, rekeyed, error } = cycle.value
    if (rekeyed.length > 0) await renewKeys(session.context, this.#vault, rekeyed)
    if (error?.code === 'unauthenticated' || error?.code === 'client_unknown') this.#token = null
    await followRights(
      {
        context: session.context,
        close: (scope, why) => this.#ended.set(scope, why),
        open: (scope) => this.#ended.delete(scope),
        flush: async () => {
          await this.#hardware.savePage()
          const flushed = await session.device.flushJournal()
          return flushed.ok ? { ok: true, value: true } : flushed
        },
        dropKeys: (scopes) => this.storage.run(() => this.#vault.dropScopes(session.context.user.userId, scopes)),
      },
      withdrawn,
      error === null,
    )
  }

  get author(): Author | null {
    const { state } = this.#vault
    if (state.state === 'locked') return null
    const { owner, keys } = state
    const { now } = this.#hardware
    return {
      userId: owner.userId,
      ring: keys.ring,
      proof: keys.proof,
      deviceId: this.deviceId,
      appVersion: APP_VERSION,
      now: () => new Date(now()),
    }
  }

  /** Whether pages of a scope take no typing any more. */
  hasEnded(scope: string): boolean {
    return this.#ended.has(scope)
  }

  get ring(): KeyRing {
    return this.#vault.state.state === 'open' ? this.#vault.state.keys.ring : NO_KEYS
  }

  async #begin(person: PersonName): Promise<void> {
    const { study, runtimes, network } = this.#hardware
    const { userId, account, realName, isAdmin } = study.staff[person]
    const runtime = newId()
    runtimes.add(runtime)
    const recovered = new Map<string, number>()
    const context: DataContext = {
      storage: this.storage,
      api: this.#api(),
      remote: new Remote(() => undefined),
      user: { userId, account, realName, isAdmin },
      deviceId: this.deviceId,
      appVersion: APP_VERSION,
      vault: () => this.#vault.state,
      ring: () => this.ring,
      author: () => this.author,
      journal: new Journal(this.storage, () => this.ring, userId, runtime),
      reachable: () => network.online,
      signedIn: () => this.#token !== null,
      online: () => false,
      recovered,
      kickSync: () => undefined,
    }
    const device = createDevice({
      context,
      keeper: this.#vault,
      syncNow: () => Promise.resolve({ ok: true, value: true }),
      onOther: () => () => undefined,
    })
    this.#session = { person, context, device }
    this.#ended.clear()
    const { author } = this
    if (author === null) return
    await freeWaiting(this.storage, author)
    const done = await recoverDrafts(context, (other) => Promise.resolve(runtimes.has(other)))
    if (done.ok) for (const [entry, steps] of done.value) recovered.set(entry, steps)
    const { scope } = study.placesOf(person)
    // Keys may be here without the center, for what was sent from it is to be offered to a server that was restored.
    const kept = await this.storage.run(({ work }) => work.kept.get([scope, userId]))
    const keeps = kept.ok ? kept.value !== undefined : this.ring.has(scope)
    if (this.#token !== null && !keeps) await device.keepScope(scope)
  }

  #api(): Api {
    return createApi(this.#wire(this.page), () => Promise.resolve('lost' as const))
  }

  #wire(thread: Thread): Wire {
    return {
      fetch: this.#hardware.network.fetchOf(thread),
      base: ANYWHERE,
      token: () => this.#token,
      deviceId: this.deviceId,
      appVersion: APP_VERSION,
      language: () => 'zh',
    }
  }
}

/** The databases of a tablet, opened by one thread of the app. */
function openFaulty({ prefix, disk }: Hardware, thread: Thread): Storage {
  const storage = openStorage({ prefix })
  faultyDisk(storage.work, disk, thread)
  faultyDisk(storage.cache, disk, thread)
  disk.watchCommits(storage.work)
  return storage
}
