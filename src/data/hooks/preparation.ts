import { createContext } from 'react'

import type { Following } from './following.ts'

/** A reading, as far as it can be followed. */
type Followed = Pick<Following<unknown>, 'subscribe'>

/**
 * Follows the readings of a screen that is drawn before anybody asks for it. What is hidden has no effects, so it
 * follows nothing by itself; its readings are begun here, and stay true until it is shown and follows them itself.
 */
export class Preparation {
  readonly #changed: () => void
  readonly #followed = new Map<Followed, () => void>()
  #ended = false

  /** @param changed called when one of the readings has something else to show */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Called while the hidden screen is drawn, each time: what is followed already stays so. */
  readonly follow = (reading: Followed): void => {
    if (this.#ended || this.#followed.has(reading)) return
    this.#followed.set(reading, nothing)
    // Not from within a drawing, which begins nothing.
    queueMicrotask(() => {
      if (!this.#ended) this.#followed.set(reading, reading.subscribe(this.#changed))
    })
  }

  end(): void {
    this.#ended = true
    for (const stop of this.#followed.values()) stop()
    this.#followed.clear()
  }
}

function nothing(): void {}

/** Who follows what a hidden screen reads; null around all that is on the screen. */
export const PreparationContext = createContext<Pick<Preparation, 'follow'> | null>(null)
