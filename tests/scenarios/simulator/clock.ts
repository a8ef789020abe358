import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Virtual time. Waits of the app that are longer than a moment pass when the history says so, each tablet's for itself;
 * those of the server, the database driver and the storage underneath are real.
 */

/**
 * Shorter waits are turns of the event loop rather than time. The journal's own is not: what is typed and not on the
 * disk yet is what a right ends over.
 */
const SHORTEST_WAIT_MS = 10

/** Where every history begins. */
export const BEGINNING = Date.parse('2026-11-21T01:00:00.000Z')

interface Wait {
  readonly due: number
  readonly run: () => void
}

/** The waits of one running app. They end with it. */
export class Waits {
  readonly #waits = new Map<object, Wait>()
  #now = 0

  add(run: () => void, ms: number): object {
    const handle = {}
    this.#waits.set(handle, { due: this.#now + ms, run })
    return handle
  }

  take(handle: object): boolean {
    return this.#waits.delete(handle)
  }

  /** Time passes; what is due runs, in order. */
  pass(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = [...this.#waits].filter(([, { due }]) => due <= end).toSorted(([, a], [, b]) => a.due - b.due)[0]
      if (next === undefined) break
      const [handle, { due, run }] = next
      this.#now = Math.max(this.#now, due)
      this.#waits.delete(handle)
      current.run(this, run)
    }
    this.#now = end
  }

  clear(): void {
    this.#waits.clear()
  }
}

const current = new AsyncLocalStorage<Waits | null>()

/** Runs what an app does, with its own waits. */
export function inApp<Value>(waits: Waits, run: () => Value): Value {
  return current.run(waits, run)
}

/** Leaves the app: what runs has real time. */
export function outsideApps<Value>(run: () => Value): Value {
  return current.run(null, run)
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  timeout: AbortSignal.timeout.bind(AbortSignal),
}

/** Takes over the clocks of this process until the returned function is called. */
export function takeOverTime(): () => void {
  const later = (run: () => void, ms = 0, ...more: unknown[]): unknown => {
    const waits = current.getStore() ?? null
    return waits === null || ms < SHORTEST_WAIT_MS ? real.setTimeout(run, ms, ...more) : waits.add(run, ms)
  }
  const never = (handle?: unknown): void => {
    const waits = current.getStore() ?? null
    if (typeof handle === 'object' && handle !== null && waits?.take(handle) === true) return
    real.clearTimeout(handle as NodeJS.Timeout | undefined)
  }
  globalThis.setTimeout = Object.assign(later, real.setTimeout) as typeof setTimeout
  globalThis.clearTimeout = never as typeof clearTimeout
  // Limits of requests: the network answers or fails, and never just takes long.
  AbortSignal.timeout = (ms) =>
    (current.getStore() ?? null) === null ? real.timeout(ms) : new AbortController().signal
  return () => {
    globalThis.setTimeout = real.setTimeout
    globalThis.clearTimeout = real.clearTimeout
    AbortSignal.timeout = real.timeout
  }
}
