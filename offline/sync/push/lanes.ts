import { PUSH_PARALLEL } from '#core/api/sync/push.ts'

/**
 * How many requests are worked on at once: while some are under way, the next are prepared and the answers to others
 * are read.
 */
const LANES = PUSH_PARALLEL + 2

/**
 * What a lane does with one piece of work. Work is sent only while fewer than `PUSH_PARALLEL` requests wait for a word
 * of the server.
 */
export interface Lane<Ready> {
  /**
   * Makes the next piece ready; null when none is left. Pieces are prepared one at a time and in order, so that the
   * first leaves as early as possible.
   */
  readonly prepare: () => Promise<Ready | null>
  /** Sends the piece, and resolves when that is over. `heard` is called as soon as the server has begun to answer. */
  readonly send: (ready: Ready, heard: () => void) => Promise<void>
}

/**
 * Runs work until none is left. At most `PUSH_PARALLEL` requests are under way without a word of the server. So the
 * line carries the next request while the server works on earlier ones and their answers are stored.
 */
export async function inLanes<Ready>({ prepare, send }: Lane<Ready>): Promise<void> {
  const slots = new Slots(PUSH_PARALLEL)
  let preparing: Promise<unknown> = Promise.resolve()
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = preparing.then(prepare)
      preparing = next.catch(() => undefined)
      const ready = await next
      if (ready === null) return
      const leave = await slots.enter()
      try {
        await send(ready, leave)
      } finally {
        leave()
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Waits for a slot. Gives a function that frees the slot; calling it again does no harm. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
