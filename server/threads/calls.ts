import { Worker } from 'node:worker_threads'
import { REQUEST_TIMEOUT_MS } from '#core/api/call.ts'
import { ApiFailure, fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { CallId } from '#core/api/table.ts'
import type { Services } from '#server/services.ts'
import { READY, settingFor } from '#server/threads/setting.ts'

/**
 * Calls that go through whole definitions or trails, or run rules that were just written, are served in their own
 * threads (docs/adr/0032-budget-of-rules.md). So their time and memory are limited, and slow down nobody else.
 */

export const IN_THREADS: ReadonlySet<CallId> = new Set<CallId>([
  'version.save',
  'version.back',
  'version.import',
  'version.designSave',
  'version.tree',
  'version.ruleTry',
  'version.releaseTest',
  'version.release',
  'version.migrationPlan',
  'version.migrationCheck',
  'trial.save',
  'trial.submit',
  'trial.read',
  'template.save',
  'audit.list',
  'audit.verify',
  'review.planCoverage',
  'dataset.facts',
  'dataset.preview',
  'dataset.sdtm',
  'statistics.columns',
  'statistics.tables',
])

/** It goes through everything that was ever entered, so it may take as long as a request may. */
const UNHURRIED: ReadonlySet<CallId> = new Set<CallId>(['audit.verify'])

/** Whether a call is served in a thread, where the server has any. */
export function isForThread(id: string): id is CallId {
  return IN_THREADS.has(id as CallId)
}

/** A body with more characters than this is not even parsed in the main thread. */
export const LARGE_BODY = 100_000

/**
 * The context of a handler, without services and the parts that only sign-in needs. `text`: the body as it came, not
 * parsed yet.
 */
export interface ThreadContext {
  readonly body: unknown
  readonly text?: string
}

export interface ThreadCall {
  readonly id: CallId
  readonly context: ThreadContext
}

export type ThreadAnswer =
  | { readonly ok: true; readonly answer: unknown }
  | { readonly ok: false; readonly error: ApiError }

export interface ThreadLimits {
  /** How many threads there are at most. */
  readonly threads: number
  /** How many calls may wait for a thread. */
  readonly waiting: number
  /** Longest time for a call, in ms, and most memory, in MB. */
  readonly longestMs: number
  readonly memoryMb: number
  /** How long an idle thread is kept, in ms; one is always kept. */
  readonly idleMs: number
}

const LIMITS: ThreadLimits = { threads: 3, waiting: 200, longestMs: 30_000, memoryMb: 768, idleMs: 60_000 }

export interface CallThreads {
  /**
   * @throws ApiFailure what the handler throws; `too_much_work` where the call took too much time or memory and was
   *   ended; `busy` where too many calls wait already
   */
  run(id: CallId, context: ThreadContext): Promise<unknown>
  /** Waits for the calls under way. */
  stop(): Promise<void>
}

interface Waiting extends ThreadCall {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Threads for calls. One is started at once, so that the first call need not wait for it. */
export function startCallThreads(
  services: Pick<Services, 'config' | 'pool' | 'secrets' | 'log'>,
  limits: ThreadLimits = LIMITS,
): CallThreads {
  const waiting: Waiting[] = []
  const threads = new Set<CallThread>()
  let stopped = false

  const next = (): void => {
    for (const thread of threads) {
      if (waiting.length === 0) return
      if (thread.isFree) thread.serve(waiting.shift())
    }
    if (waiting.length > 0 && threads.size < limits.threads) begin().serve(waiting.shift())
  }
  const begin = (): CallThread => {
    const thread = new CallThread(services, limits, {
      free: next,
      ended: () => {
        threads.delete(thread)
        if (stopped) return
        if (threads.size === 0) begin()
        next()
      },
      isSpare: () => threads.size > 1,
    })
    threads.add(thread)
    return thread
  }
  begin()
  return {
    run: (id, context) =>
      new Promise((resolve, reject) => {
        if (stopped || waiting.length >= limits.waiting) {
          reject(fail('busy', { retryAfterSeconds: 2 }))
          return
        }
        waiting.push({ id, context, resolve, reject })
        next()
      }),
    stop: async () => {
      stopped = true
      for (const { reject } of waiting.splice(0)) reject(fail('busy', { retryAfterSeconds: 2 }))
      await Promise.all(Array.from(threads, (thread) => thread.end()))
    },
  }
}

interface Around {
  readonly free: () => void
  readonly ended: () => void
  readonly isSpare: () => boolean
}

class CallThread {
  readonly #worker: Worker
  readonly #limits: ThreadLimits
  readonly #around: Around
  readonly #log: Services['log']
  #call: Waiting | null = null
  #clock: NodeJS.Timeout | undefined
  /** Tells the code that waits to end the thread that a call is done. */
  #done: (() => void) | null = null
  #ready = false
  #gone = false

  constructor(services: Pick<Services, 'config' | 'pool' | 'secrets' | 'log'>, limits: ThreadLimits, around: Around) {
    this.#limits = limits
    this.#around = around
    this.#log = services.log
    this.#worker = new Worker(new URL('./callThread.ts', import.meta.url), {
      workerData: settingFor(services),
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    })
    this.#worker.on('message', (said: ThreadAnswer | typeof READY) => {
      if (said !== READY) this.#answered(said)
      else {
        this.#ready = true
        if (this.#call !== null) this.#watch(this.#call)
      }
    })
    // It ran out of memory, or has a fault of ours. Either way the thread is gone, and its call is not done.
    this.#worker.on('error', (error: unknown) => {
      this.#log.error({ error, call: this.#call?.id ?? null }, 'a thread ended')
    })
    this.#worker.on('exit', () => this.#exited())
    // An idle thread must not keep the process alive.
    this.#worker.unref()
  }

  get isFree(): boolean {
    return this.#call === null && !this.#gone
  }

  serve(call: Waiting | undefined): void {
    if (call === undefined) return
    this.#call = call
    clearTimeout(this.#clock)
    if (this.#ready) this.#watch(call)
    this.#worker.ref()
    this.#worker.postMessage({ id: call.id, context: call.context } satisfies ThreadCall)
  }

  #watch(call: Waiting): void {
    this.#clock = setTimeout(
      () => {
        this.#log.error({ call: call.id }, 'a call took too long, and its thread was ended')
        void this.#worker.terminate()
      },
      UNHURRIED.has(call.id) ? REQUEST_TIMEOUT_MS : this.#limits.longestMs,
    )
  }

  /** Ends the thread once its call is done. */
  async end(): Promise<void> {
    if (this.#call !== null) await new Promise<void>((resolve) => (this.#done = resolve))
    await this.#worker.terminate()
  }

  #answered(answer: ThreadAnswer): void {
    const call = this.#call
    this.#rest()
    if (answer.ok) call?.resolve(answer.answer)
    else call?.reject(new ApiFailure(answer.error))
    this.#around.free()
  }

  #exited(): void {
    this.#gone = true
    const call = this.#call
    clearTimeout(this.#clock)
    this.#call = null
    call?.reject(fail('too_much_work'))
    this.#done?.()
    this.#around.ended()
  }

  #rest(): void {
    clearTimeout(this.#clock)
    this.#call = null
    this.#done?.()
    this.#worker.unref()
    this.#clock = setTimeout(() => {
      if (this.isFree && this.#around.isSpare()) void this.#worker.terminate()
    }, this.#limits.idleMs).unref()
  }
}
