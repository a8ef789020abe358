import { wrap } from 'comlink'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Storage } from '#offline/db/open.ts'
import { countDue } from '#offline/outbox/order.ts'
import { resetWaits } from '#offline/sync/cycle.ts'
import { noteDeadSync, runSync } from '#offline/sync/run.ts'
import type { SyncInput, SyncReport, SyncWorker } from '#offline/sync/run.ts'

/** How often the server is asked for news, and how often waiting operations are looked at. */
const PULL_EVERY_MS = 60_000
const LOOK_EVERY_MS = 2000
/** A worker that has not answered for this long is taken for dead. */
const WORKER_LIMIT_MS = 15 * 60_000

export interface SyncDriverOptions {
  readonly storage: Storage
  /** What a cycle works with; null while there is nothing to sync with (locked, signed out). */
  readonly input: () => SyncInput | null
  /**
   * Whether the server is known to be out of reach: then the timer tries nothing. The caller that finds it again calls
   * `kick`.
   */
  readonly unreachable?: () => boolean
  readonly onReport: (report: SyncReport) => Promise<void>
}

/**
 * Decides when to sync: after an enqueue, on reconnect, on focus, by timer, by hand. It runs one cycle at a time; a
 * request during a cycle gets the next one.
 */
export class SyncDriver {
  readonly #options: SyncDriverOptions
  /** Aborted when the session's user leaves: the running cycle ends like a closed page, and no other begins. */
  readonly #stopped = new AbortController()
  #worker: { readonly thread: Worker; readonly api: SyncWorker } | null = null
  #running: Promise<Result<true, ApiError>> | null = null
  #next: Promise<Result<true, ApiError>> | null = null
  /** By a clock that nobody can set. */
  #lastCycle = -PULL_EVERY_MS
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: SyncDriverOptions) {
    this.#options = options
  }

  start(): void {
    addEventListener('online', this.#wake)
    addEventListener('focus', this.#wake)
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS)
    void noteDeadSync(this.#options.storage)
    this.kick()
  }

  stop(): void {
    removeEventListener('online', this.#wake)
    removeEventListener('focus', this.#wake)
    clearInterval(this.#timer)
    this.#stopped.abort()
    this.#worker?.thread.terminate()
    this.#worker = null
  }

  /** Something was queued. While the server is out of reach it waits until the server is found again. */
  readonly kick = (): void => {
    if (this.#options.unreachable?.() !== true) void this.#soon()
  }

  /**
   * A person asks, or the network may be back: nothing waits any longer. Resolves when a cycle that began after this
   * call is over.
   */
  async now(): Promise<Result<true, ApiError>> {
    const reset = await resetWaits(this.#options.storage)
    return reset.ok ? this.#soon() : reset
  }

  readonly #wake = (): void => {
    void this.now()
  }

  async #look(): Promise<void> {
    if (this.#running !== null || this.#options.input() === null || this.#options.unreachable?.() === true) return
    if (performance.now() - this.#lastCycle >= PULL_EVERY_MS) return this.kick()
    const due = await countDue(this.#options.storage, Date.now())
    if (due.ok && due.value > 0) this.kick()
  }

  #soon(): Promise<Result<true, ApiError>> {
    if (this.#running === null) {
      this.#running = this.#cycle().finally(() => {
        this.#running = null
      })
      return this.#running
    }
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  /** The next cycle comes even if the running one fails. */
  async #after(running: Promise<unknown>): Promise<Result<true, ApiError>> {
    await Promise.allSettled([running])
    this.#next = null
    return this.#soon()
  }

  async #cycle(): Promise<Result<true, ApiError>> {
    // The next user has keys and a token of their own, which this cycle must not use.
    const input = this.#stopped.signal.aborted ? null : this.#options.input()
    if (input === null) return err({ code: 'vault_locked' })
    this.#lastCycle = performance.now()
    const report = await this.#run(input)
    if (this.#stopped.signal.aborted) return err({ code: 'aborted' })
    await this.#options.onReport(report)
    if (!report.result.ok) return report.result
    const { error } = report.result.value
    return error === null ? ok(true) : err(error)
  }

  async #run(input: SyncInput): Promise<SyncReport> {
    const { signal } = this.#stopped
    if (typeof Worker === 'undefined') {
      return runSync(this.#options.storage, input, (request, init) =>
        fetch(request, { ...init, signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
      )
    }
    const { thread, api } = (this.#worker ??= this.#startWorker())
    const settled = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    // If a worker dies, its calls never settle.
    const died = new Promise<SyncReport>((resolve) => {
      const dead = (): void => {
        thread.terminate()
        this.#worker = null
        void noteDeadSync(this.#options.storage)
        resolve({ result: err({ code: 'timeout' }), reached: null })
      }
      timer = setTimeout(dead, WORKER_LIMIT_MS)
      thread.addEventListener('error', dead, { signal: settled.signal })
    })
    // A worker that was ended gives no answer.
    const ended = new Promise<SyncReport>((resolve) => {
      signal.addEventListener('abort', () => resolve({ result: err({ code: 'aborted' }), reached: null }), {
        signal: settled.signal,
      })
    })
    try {
      return await Promise.race([api.run(input), died, ended])
    } catch {
      // A defect in the worker; the browser has reported it there. Its message may hold values, so only the fact is
      // passed on.
      return { result: err({ code: 'internal' }), reached: null }
    } finally {
      clearTimeout(timer)
      settled.abort()
    }
  }

  #startWorker(): { readonly thread: Worker; readonly api: SyncWorker } {
    const thread = new Worker(new URL('../../workers/sync.worker.ts', import.meta.url), { type: 'module' })
    const started = { thread, api: wrap<SyncWorker>(thread) }
    // A worker that dies while it is idle must not be given the next cycle: it would never answer.
    thread.addEventListener('error', () => {
      thread.terminate()
      if (this.#worker === started) this.#worker = null
    })
    return started
  }
}
