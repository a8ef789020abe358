import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { bookTaken } from './settle.ts'
import type { Taken } from './settle.ts'

/** So many answers go to the disk together at most. */
const TOGETHER = 200

/**
 * Takes answers down one bundle after the other, whatever request they came by: while one is written the next ones come
 * and the next requests set out. What is lost with a bundle is only word of what the server has; it comes again with
 * the same keys.
 */
export class Settling {
  readonly #context: SyncContext
  #waiting: Taken[] = []
  #working: Promise<void> | null = null
  #failure: ApiError | null = null

  constructor(context: SyncContext) {
    this.#context = context
  }

  /** Why nothing more is taken down: the disk failed. */
  get failure(): ApiError | null {
    return this.#failure
  }

  add(answers: readonly Taken[]): void {
    // There is nothing to work at then, and a work that is over at once would be waited for without end.
    if (answers.length === 0 || this.#failure !== null) return
    this.#waiting.push(...answers)
    this.#working ??= this.#work()
  }

  /** Waits until all is taken down, as far as the disk takes it. */
  async done(): Promise<Result<true, ApiError>> {
    while (this.#working !== null) await this.#working
    return this.#failure === null ? ok(true) : err(this.#failure)
  }

  async #work(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && this.#failure === null) {
        const settled = await bookTaken(this.#context, this.#waiting.splice(0, TOGETHER))
        if (!settled.ok) this.#failure = settled.error
      }
    } finally {
      this.#working = null
    }
  }
}
