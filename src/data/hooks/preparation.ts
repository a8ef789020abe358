import { createContext } from 'react'

import type { Following } from './following.ts'

/** A reading, as far as it can be followed. */
type Followed = Pick<Following<unknown>, 'subscribe'>

/**
 * Follows the readings of a screen that is drawn before anybody asks for it. A hidden screen has no effects, so it
 * follows nothing itself. Its readings begin here and stay current until it is shown and follows them itself.
 */
export class Preparation {
  readonly #changed: () => void
  readonly #followed = new Map<Followed, () => void>()
  #ended = false

  /** @param changed called when one of the readings has something else to show */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Called at each drawing of the hidden screen; a reading that is followed already is not followed twice. */
  readonly follow = (reading: Followed): void => {
    if (this.#ended || this.#followed.has(reading)) return
    this.#followed.set(reading, nothing)
    // Not during a drawing: a drawing must not start anything.
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

/** Follows what a hidden screen reads; null around what is on the screen. */
export const PreparationContext = createContext<Pick<Preparation, 'follow'> | null>(null)
