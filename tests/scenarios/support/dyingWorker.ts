import { openStorage } from '#offline/db/open.ts'
import type { Storage } from '#offline/db/open.ts'
import type { SyncContext } from '#offline/sync/context.ts'

/** Connections of workers to their databases. */
const connections = new WeakMap<IDBDatabase, DyingWorker>()

const begin = IDBDatabase.prototype.transaction
IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
  const transaction = begin.apply(this, given)
  return connections.get(this)?.watch(transaction) ?? transaction
}

/**
 * A sync worker that is killed at its k-th step. A step is whatever could leave a trace: a transaction that writes to
 * the device's storage, a request, a line of an answer. It is killed before the step (a transaction under way is
 * undone, as a browser does), or after it, when the step has had its effect and its word has not come back. Nothing of
 * the worker runs after that.
 */
export class DyingWorker {
  readonly #deathAt: number
  readonly #when: 'before' | 'after'
  readonly #died = new AbortController()
  readonly #storage: Storage
  #steps = 0

  private constructor(name: string, deathAt: number, when: 'before' | 'after') {
    this.#deathAt = deathAt
    this.#when = when
    this.#storage = openStorage({ prefix: name })
  }

  /**
   * Runs `cycle` until it ends or the worker dies.
   *
   * @param name prefix of the device's databases, which the worker opens for itself
   * @returns whether it died, and how many steps it took
   */
  static async run(
    name: string,
    death: { readonly at: number; readonly when: 'before' | 'after' },
    context: SyncContext,
    cycle: (context: SyncContext) => Promise<unknown>,
  ): Promise<{ readonly died: boolean; readonly steps: number }> {
    const worker = new DyingWorker(name, death.at, death.when)
    for (const db of [worker.#storage.work, worker.#storage.cache]) {
      await db.open()
      connections.set(db.backendDB(), worker)
    }
    const dead = new Promise<void>((resolve) => worker.#died.signal.addEventListener('abort', () => resolve()))
    await Promise.race([cycle(worker.#contextOf(context)), dead])
    worker.#storage.close()
    return { died: worker.#died.signal.aborted, steps: worker.#steps }
  }

  #contextOf(context: SyncContext): SyncContext {
    return {
      ...context,
      storage: { ...this.#storage, run: (work) => this.#alive(this.#storage.run(work)) },
      wire: {
        ...context.wire,
        fetch: (input, init) => this.#alive(this.#fetch(context.wire.fetch, new Request(input, init))),
      },
    }
  }

  /** What a dead worker waits for never comes. */
  async #alive<Value>(work: Promise<Value>): Promise<Value> {
    const settled = await work.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    if (this.#died.signal.aborted) return new Promise<never>(() => undefined)
    return settled()
  }

  async #fetch(fetcher: typeof fetch, request: Request): Promise<Response> {
    const end = this.#begin()
    // The browser ends the connections of a worker that is gone.
    const answer = await fetcher(request, { signal: AbortSignal.any([request.signal, this.#died.signal]) })
    end()
    if (answer.body === null) return answer
    const lines = linesOf(answer.body)
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const line = await lines.next()
          if (line.done === true) return controller.close()
          const read = this.#begin()
          controller.enqueue(line.value)
          read()
        },
      },
      { highWaterMark: 0 },
    )
    // A connection that ends breaks the reading too; it is met there.
    return new Response(body, answer)
  }

  /** A transaction that the worker begins: one that writes is a step. */
  watch(transaction: IDBTransaction): IDBTransaction {
    try {
      if (this.#died.signal.aborted) throw new Error('the worker is dead')
      if (transaction.mode !== 'readwrite') return transaction
      const end = this.#begin()
      transaction.addEventListener('complete', () => end())
      return transaction
    } catch (killed) {
      transaction.abort()
      throw killed
    }
  }

  /** Counts a step. Throws when the worker is killed before it; gives what to call when it has had its effect. */
  #begin(): () => void {
    if (this.#died.signal.aborted) throw new Error('the worker is dead')
    this.#steps += 1
    const mine = this.#steps === this.#deathAt
    if (mine && this.#when === 'before') this.#die()
    return () => {
      if (mine && this.#when === 'after') this.#died.abort()
    }
  }

  #die(): never {
    this.#died.abort()
    throw new Error('the worker is killed')
  }
}

/** Every line is a piece of its own: the tablet may have read any number of them. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let rest = new Uint8Array()
  for await (const piece of body) {
    let bytes = new Uint8Array([...rest, ...piece])
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      yield bytes.subarray(0, end + 1)
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
  }
  if (rest.byteLength > 0) yield rest
  return undefined
}
