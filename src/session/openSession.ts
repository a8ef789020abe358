import { endsSession } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { noteMoment } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import { Journal } from '#offline/draft/journal.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { freeWaiting } from '#offline/outbox/setAside.ts'
import { resetWaits } from '#offline/sync/cycle.ts'
import type { SyncInput, SyncReport } from '#offline/sync/run.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import type { Vault } from '#offline/vault/vault.ts'
import { createDevice } from '#src/data/device/device.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { Remote } from '#src/data/rows/remote.ts'
import type { Device } from '#src/data/device/device.ts'
import { SyncDriver } from '#src/data/syncDriver.ts'
import { followRights } from '#src/data/writes/endRights.ts'
import { recoverDrafts } from '#src/data/writes/recovery.ts'
import { renewKeys } from '#src/data/writes/scopes.ts'
import { noteFailure } from '#src/log/capture.ts'

import { closeToTyping, openToTyping } from './endedRights.ts'
import { flushOpenPages } from './beforeReload.ts'
import type { Api } from './api.ts'
import { APP_VERSION } from './appVersion.ts'
import { lockRuntime, isRuntimeAlive } from './device/runtimes.ts'
import type { Tokens } from './tokens.ts'
import type { SessionUser } from './types.ts'

const NO_KEYS: KeyRing = new Map()

interface Parts {
  readonly storage: Storage
  readonly vault: Vault
  readonly api: Api
  readonly tokens: Tokens
  readonly user: SessionUser
  readonly deviceId: string
  readonly reachable: () => boolean | null
  readonly setReachable: (reached: boolean) => void
  /** Called when the server gives this device nothing any more. */
  readonly onBlocked: () => void
}

/** Everything that lives while somebody is at work: the data, the journal, the sync. */
export class OpenSession {
  readonly user: SessionUser
  readonly device: Device
  readonly #parts: Parts
  readonly #journal: Journal
  readonly #remote: Remote
  readonly #driver: SyncDriver
  readonly #context: DataContext
  readonly #releaseRuntime: () => void
  readonly #watchers = new Set<() => void>()
  readonly #recovered = new Map<string, number>()

  constructor(parts: Parts) {
    const { storage, vault, api, tokens, user, deviceId, reachable } = parts
    this.#parts = parts
    this.user = user
    const runtime = newId()
    this.#releaseRuntime = lockRuntime(runtime)
    const ring = (): KeyRing => (vault.state.state === 'open' ? vault.state.keys.ring : NO_KEYS)
    this.#remote = new Remote(() => this.#tellWatchers())
    this.#journal = new Journal(storage, ring, user.userId, runtime)
    this.#driver = new SyncDriver({
      storage,
      input: () => this.#syncInput(),
      unreachable: () => reachable() === false,
      onReport: (report) => this.#reported(report),
    })
    this.#context = {
      storage,
      api,
      remote: this.#remote,
      user,
      deviceId,
      appVersion: APP_VERSION,
      vault: () => vault.state,
      ring,
      author: () => this.#author(),
      journal: this.#journal,
      reachable,
      signedIn: () => tokens.current !== null,
      online: () => tokens.isExpected && reachable() !== false,
      recovered: this.#recovered,
      kickSync: this.#driver.kick,
    }
    this.device = createDevice({
      context: this.#context,
      keeper: vault,
      syncNow: async () => {
        await tokens.expected()
        return this.#driver.now()
      },
      onOther: (changed) => {
        this.#watchers.add(changed)
        return () => {
          this.#watchers.delete(changed)
        }
      },
    })
  }

  /** Recovers what a crashed app left, then begins to sync. */
  async start(): Promise<void> {
    const author = this.#author()
    if (author !== null) {
      // Operations that could not be freed now wait as before; the next start tries again.
      await freeWaiting(this.#parts.storage, author)
      const recovered = await recoverDrafts(this.#context, isRuntimeAlive)
      // A storage that cannot be read now is reported on every screen; the drafts stay where they are.
      if (recovered.ok) for (const [entryId, steps] of recovered.value) this.#recovered.set(entryId, steps)
    }
    addEventListener('pagehide', this.#hide)
    document.addEventListener('visibilitychange', this.#hide)
    document.addEventListener('focusout', this.#hide)
    this.#driver.start()
  }

  stop(): void {
    removeEventListener('pagehide', this.#hide)
    document.removeEventListener('visibilitychange', this.#hide)
    document.removeEventListener('focusout', this.#hide)
    this.#driver.stop()
    this.#remote.forget()
    this.#releaseRuntime()
  }

  /**
   * Writes all that was typed to the disk: open pages save, and what a page cannot save is at least in the journal.
   * Resolves with `ok` only when nothing is in memory alone.
   */
  async flush(): Promise<Result<true, ApiError>> {
    await flushOpenPages()
    const flushed = await this.device.flushJournal()
    return flushed.ok ? ok(true) : err(flushed.error)
  }

  /** There is a token again: what waited for one is sent. */
  tokenArrived(): void {
    this.#tellWatchers()
    void this.#resume()
  }

  /** The awaited token does not come: readings that waited for it show what this device has. */
  tokenFailed(): void {
    this.#tellWatchers()
  }

  /** @param back whether the server answers again after it did not */
  connectionChanged(back: boolean): void {
    this.#tellWatchers()
    if (back) void resetWaits(this.#parts.storage).then(() => this.#driver.kick())
  }

  readonly #hide = (): void => {
    void this.device.flushJournal()
  }

  #author(): Author | null {
    const { vault, deviceId } = this.#parts
    // The typing of one person is never proven with another person's key; it stays in the journal for its author.
    if (vault.state.state === 'locked' || vault.state.owner.userId !== this.user.userId) return null
    const { ring, proof } = vault.state.keys
    return { userId: this.user.userId, ring, proof, deviceId, appVersion: APP_VERSION, now: () => new Date() }
  }

  #syncInput(): SyncInput | null {
    const { vault, tokens, deviceId } = this.#parts
    // Without a token no user can be named to the server; what waits goes on waiting.
    if (vault.state.state === 'locked' || tokens.current === null) return null
    return {
      keys: [...vault.state.keys.ring.values()],
      userId: this.user.userId,
      deviceId,
      appVersion: APP_VERSION,
      token: tokens.current,
      language: document.documentElement.lang.startsWith('en') ? 'en' : 'zh',
    }
  }

  async #reported({ result, reached }: SyncReport): Promise<void> {
    const { setReachable, storage, vault, tokens, onBlocked } = this.#parts
    if (reached !== null) setReachable(reached)
    if (!result.ok) return
    const { withdrawn, rekeyed, error } = result.value
    if (error !== null) noteFailure('sync', 'sync', error.code)
    if (rekeyed.length > 0) {
      const renewed = await renewKeys(this.#context, vault, rekeyed)
      if (renewed.ok && renewed.value) this.#driver.kick()
    }
    if (error?.code === 'device_blocked') onBlocked()
    await followRights(
      {
        context: this.#context,
        close: closeToTyping,
        open: openToTyping,
        flush: () => this.flush(),
        dropKeys: (scopes) => storage.run(() => vault.dropScopes(this.user.userId, scopes)),
      },
      withdrawn,
      error === null,
    )
    if (error === null || !endsSession(error.code)) return
    if ((await tokens.refresh()) === 'fresh') await this.#resume()
  }

  async #resume(): Promise<void> {
    const { storage } = this.#parts
    await storage.run(({ work }) => noteMoment(work, { paused: null }))
    await resetWaits(storage)
    this.#driver.kick()
  }

  #tellWatchers(): void {
    for (const changed of this.#watchers) changed()
  }
}
