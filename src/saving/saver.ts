import type { ApiError } from '#core/api/errors.ts'

/**
 * The state of what is edited. `clean`: nothing differs from what is saved. `waiting`: edits are not saved yet.
 * `failed`: the save is tried again by itself. `refused`: it is not, until more is edited or somebody asks for it.
 */
export type SaverState =
  | { readonly is: 'clean' | 'waiting' | 'saving' | 'saved' }
  | { readonly is: 'failed' | 'refused'; readonly error: ApiError }

/**
 * The result of a write. `again`: nothing is wrong, but the content to save has changed, for example after it was
 * joined with what somebody else has saved.
 */
export type WriteOutcome =
  | { readonly is: 'done' | 'again' }
  | { readonly is: 'failed' | 'refused'; readonly error: ApiError }

/** What is edited, and the ways to make it durable. */
export interface SaverWork {
  /** Takes what is to be saved now, and returns the write that saves it; null where nothing can be saved. */
  readonly take: () => (() => Promise<WriteOutcome>) | null
  /** Whether anything on the screen is not saved. */
  readonly isUnsaved: () => boolean
  /**
   * Keeps a copy of what is not saved on this device, in place of the copy before; removes the copy where all is saved.
   * Resolves with whether it is durable. Absent where every edit is durable by itself.
   */
  readonly keep?: () => Promise<boolean>
  /** Called after it was closed with everything saved. */
  readonly closed?: () => Promise<unknown>
  /** Called after it was closed, when what was not saved must be forgotten. */
  readonly discard?: () => Promise<unknown>
}

/** From the first edit that is only in memory to the copy on this device, ms. */
const KEEP_AFTER = 300

/** In ms. */
export interface Pauses {
  /** From the last edit to its save. */
  readonly save: number
  /** From a failed save to the next; the pause doubles after each further failure, up to the longest. */
  readonly retry: { readonly first: number; readonly longest: number }
}

/** Calls back after this many ms. Returns the way to cancel. */
export type Wait = (millis: number, act: () => void) => () => void

const waitByTimer: Wait = (millis, act) => {
  const timer = setTimeout(act, millis)
  return () => clearTimeout(timer)
}

/**
 * Saves what is edited: first as a copy on this device, then for real when the typing pauses. One write runs at a time;
 * edits made meanwhile are in the next one. A failed save is tried again.
 */
export class Saver {
  readonly #work: SaverWork
  readonly #pauses: Pauses
  readonly #wait: Wait
  readonly #listeners = new Set<() => void>()
  #state: SaverState = { is: 'clean' }
  #running: Promise<WriteOutcome> | null = null
  #failures = 0
  #stopSaving: (() => void) | null = null
  #stopKeeping: (() => void) | null = null
  /** The typing paused while a write was running. */
  #isDue = false
  /** How many edits there were, and how many of them the copy on this device contains. */
  #edits = 0
  #keptEdits = 0
  #isOutOfReach = false
  #isClosed = false
  #isGivenUp = false

  constructor(work: SaverWork, pauses: Pauses, wait: Wait = waitByTimer) {
    this.#work = work
    this.#pauses = pauses
    this.#wait = wait
  }

  readonly getState = (): SaverState => this.#state

  /** Calls `listener` when the state changes. Returns the way to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Whether a save has failed and none has succeeded since, also while it is tried again or more is edited. */
  get isFailing(): boolean {
    return this.#failures > 0 && !this.#isGivenUp
  }

  /** Whether anything waits for a save, or for the answer to one: until then nobody knows whether it was taken. */
  get isUnsaved(): boolean {
    const { is } = this.#state
    return !this.#isGivenUp && (this.isFailing || is === 'waiting' || is === 'saving')
  }

  get isSaved(): boolean {
    return this.#state.is === 'clean' || this.#state.is === 'saved'
  }

  /** Whether what is not saved is durable on this device. */
  get isKept(): boolean {
    return this.#work.keep !== undefined && this.#keptEdits === this.#edits
  }

  /** Whether no write runs and none is planned, and edits could be saved. */
  get isAtRest(): boolean {
    return this.#running === null && this.#stopSaving === null && !this.#isOutOfReach
  }

  /** Whether it has left the screen. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Goes on with what was left unsaved earlier and of which this device has a copy. */
  resume(): void {
    this.#become({ is: 'waiting' })
    this.#saveIn(0)
  }

  /** Somebody has edited something. */
  edited(): void {
    this.#isGivenUp = false
    this.#edits += 1
    const { is } = this.#state
    // A failure stays visible until the next try: new edits do not change it.
    if (is !== 'waiting' && is !== 'failed' && is !== 'refused') this.#become({ is: 'waiting' })
    this.#saveIn(this.#pauses.save)
    if (this.#work.keep !== undefined) this.#stopKeeping ??= this.#wait(KEEP_AFTER, () => void this.keep())
  }

  /** Saves now what is not saved yet. Resolves with whether everything on the screen is saved. */
  async flush(): Promise<boolean> {
    for (;;) {
      this.#stopWaiting()
      while (this.#running !== null) await this.#running
      const outcome = await this.#saveRest()
      if (outcome === 'nothing' || outcome === 'stuck') return outcome === 'nothing'
      if (outcome.is === 'failed' || outcome.is === 'refused') return false
      if (this.#state.is === 'saved') return true
      // Edits made while the save was running are in the next one.
    }
  }

  /** Runs another write than a save, in its turn: each write builds on the one before. */
  async write(write: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
    // Asked again after each write: several may wait for the same one.
    while (this.#running !== null) await this.#running
    this.#stopWaiting()
    return this.#perform(write)
  }

  /** Keeps a copy of what is not saved on this device, now. Resolves with whether it is durable. */
  async keep(): Promise<boolean> {
    this.#stopKeeping?.()
    this.#stopKeeping = null
    const { keep } = this.#work
    if (keep === undefined) return false
    const edits = this.#edits
    const isKept = await tryOr(keep, () => false)
    if (isKept) this.#keptEdits = Math.max(this.#keptEdits, edits)
    else if (this.#keptEdits === edits) this.#keptEdits = -1
    return isKept
  }

  /** Makes everything safe from a reload or a lock. Resolves with whether it is. */
  async secure(): Promise<boolean> {
    // A server that is known to be away is not waited for.
    if (this.#isOutOfReach && (await this.keep())) return true
    return (await this.flush()) || this.isKept
  }

  /** The screen goes dark or the tab is hidden: on a tablet this is often the last event. */
  hide(): void {
    if (!this.isKept) void this.keep()
    if (!this.#isOutOfReach) void this.flush()
  }

  /**
   * Takes note whether saving is possible, as far as is known; null where nobody knows. While it is not, no timer
   * tries; edits that wait are saved as soon as it is possible again.
   */
  hear(reachable: boolean | null): void {
    const isBack = this.#isOutOfReach && reachable !== false
    this.#isOutOfReach = reachable === false
    if (isBack && this.#work.isUnsaved()) this.#saveIn(0)
  }

  /**
   * The author leaves without what is not saved: nothing tries to save it from now on, and it is forgotten when this is
   * closed. An edit before that takes the decision back, and everything counts again. A running write is not called
   * back.
   */
  giveUp(): void {
    this.#isGivenUp = true
    this.#stopWaiting()
  }

  /** Resolves when everything is saved, or given up: at once, or with the save that succeeds. */
  async untilSaved(): Promise<void> {
    if (await this.flush()) return
    await new Promise<void>((resolve) => {
      const leave = this.subscribe(() => {
        if (!this.isSaved) return
        leave()
        resolve()
      })
    })
  }

  /** It is on the screen, perhaps again after it was closed. */
  open(): void {
    if (!this.#isClosed) return
    this.#isClosed = false
    if (this.#work.isUnsaved() && this.isAtRest) this.#saveIn(0)
  }

  /**
   * It leaves the screen: what is not saved is saved. Without a copy on this device the save is tried as often as it
   * takes. With a copy it is left to whoever opens it next, because another user may be signed in by then.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#isGivenUp) {
      await this.#work.discard?.()
      this.#become({ is: 'clean' })
      return
    }
    if (!this.isKept) void this.keep()
    if (await this.flush()) await this.#work.closed?.()
  }

  /** Plans nothing more; a running write goes on. */
  stop(): void {
    this.#stopWaiting()
    this.#stopKeeping?.()
    this.#stopKeeping = null
  }

  #saveIn(millis: number): void {
    this.#stopWaiting()
    if (this.#isGivenUp) return
    this.#stopSaving = this.#wait(millis, () => {
      this.#stopSaving = null
      this.#saveByClock()
    })
  }

  #stopWaiting(): void {
    this.#stopSaving?.()
    this.#stopSaving = null
  }

  #saveByClock(): void {
    if (this.#running !== null) this.#isDue = true
    else if (!this.#isOutOfReach) void this.#saveRest()
    else if (this.#work.isUnsaved()) this.#become({ is: 'failed', error: { code: 'offline' } })
  }

  /** `nothing`: all is saved. `stuck`: the rest cannot be saved now, for example because somebody has to decide. */
  async #saveRest(): Promise<WriteOutcome | 'nothing' | 'stuck'> {
    this.#stopWaiting()
    if (this.#isGivenUp) return 'nothing'
    const write = this.#work.take()
    if (write !== null) return this.#perform(write)
    if (this.#work.isUnsaved()) {
      this.#become({ is: 'waiting' })
      if (!this.isKept) await this.keep()
      return 'stuck'
    }
    // The edits were taken back.
    this.#failures = 0
    if (!this.isSaved) this.#become({ is: 'clean' })
    if (this.#work.keep !== undefined && !this.isKept) await this.keep()
    return 'nothing'
  }

  async #perform(write: () => Promise<WriteOutcome>): Promise<WriteOutcome> {
    // The copy comes before the network.
    if (this.#stopKeeping !== null) void this.keep()
    this.#isDue = false
    const running = tryOr(write, (): WriteOutcome => ({ is: 'failed', error: { code: 'internal' } }))
    this.#running = running
    this.#become({ is: 'saving' })
    const outcome = await running
    this.#running = null
    if (outcome.is === 'failed' || outcome.is === 'refused') await this.#fail(outcome)
    else await this.#succeed(outcome.is)
    return outcome
  }

  async #succeed(is: 'done' | 'again'): Promise<void> {
    if (is === 'done') this.#failures = 0
    const isUnsaved = this.#work.isUnsaved()
    this.#become({ is: isUnsaved ? 'waiting' : 'saved' })
    if (!isUnsaved) this.#stopWaiting()
    else if (this.#stopSaving === null) this.#saveIn(is === 'again' || this.#isDue ? 0 : this.#pauses.save)
    if (this.#work.keep !== undefined) await this.keep()
  }

  async #fail(state: Extract<SaverState, { readonly is: 'failed' | 'refused' }>): Promise<void> {
    this.#failures += 1
    this.#become(state)
    if (state.is === 'failed' && !this.#isOutOfReach) this.#retry()
    if (this.#work.keep === undefined || this.isKept) return
    const isKept = await this.keep()
    if (isKept && this.#isClosed) this.#stopWaiting()
  }

  #retry(): void {
    if (this.#isClosed && this.isKept) return
    const { first, longest } = this.#pauses.retry
    this.#saveIn(Math.min(longest, first * 2 ** (this.#failures - 1)))
  }

  #become(state: SaverState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** A defect in our code must not end the saving: edits stay on the screen, and the save is tried again. */
async function tryOr<T>(act: () => Promise<T>, otherwise: () => T): Promise<T> {
  try {
    return await act()
  } catch (thrown) {
    reportError(thrown)
    return otherwise()
  }
}
