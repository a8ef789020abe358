import { PUSH_PARALLEL } from '#core/api/sync/push.ts'

/**
 * How many requests are worked on at once: while some are under way, the next are made ready and the answers to others
 * still come.
 */
const LANES = PUSH_PARALLEL + 2

/**
 * What a lane is to do with one piece of work. `underWay` gives leave to send, and takes back what ends it: a word of
 * the server.
 */
export interface Lane<Ready> {
  /**
   * Makes the next piece ready; null when there is none left. One at a time, in order: the first of them is to leave
   * soonest.
   */
  readonly prepare: () => Promise<Ready | null>
  /** Sends it, and resolves when it is over. `heard` is called as soon as the server has begun to answer. */
  readonly send: (ready: Ready, heard: () => void) => Promise<void>
}

/**
 * Runs work until there is none left. No more than `PUSH_PARALLEL` requests are under way without a word of the server;
 * so the line is busy with the next while the server works on those before and its answers are taken down.
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

  /** Waits for a slot. Gives what leaves it, which may be called again. */
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
