import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { bookTaken } from './bookAnswers.ts'
import type { Taken } from './bookAnswers.ts'

/** How many answers at most are written to the disk together. */
const TOGETHER = 200

/**
 * Stores answers in bundles, one after the other, from whatever request they came. While one bundle is written, the
 * next answers come and the next requests go out. If a bundle is lost, only the server's word is lost: it comes again
 * with the same keys.
 */
export class AnswerBook {
  readonly #context: SyncContext
  #waiting: Taken[] = []
  #working: Promise<void> | null = null
  #failure: ApiError | null = null

  constructor(context: SyncContext) {
    this.#context = context
  }

  /** Why no more answers are stored: the disk failed. */
  get failure(): ApiError | null {
    return this.#failure
  }

  add(answers: readonly Taken[]): void {
    // There is nothing to do then. Work that ends at once would leave `#working` set, and `done` would wait for ever.
    if (answers.length === 0 || this.#failure !== null) return
    this.#waiting.push(...answers)
    this.#working ??= this.#work()
  }

  /** Waits until all answers are stored, as far as the disk accepts them. */
  async done(): Promise<Result<true, ApiError>> {
    while (this.#working !== null) await this.#working
    return this.#failure === null ? ok(true) : err(this.#failure)
  }

  async #work(): Promise<void> {
    try {
      while (this.#waiting.length > 0 && this.#failure === null) {
        const booked = await bookTaken(this.#context, this.#waiting.splice(0, TOGETHER))
        if (!booked.ok) this.#failure = booked.error
      }
    } finally {
      this.#working = null
    }
  }
}
