import { addressKey } from '#core/form/definition/address.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'

import type { Slot } from './slot.ts'

/** Answers to the warnings of one open form, by the address of their field. A row may be added after its answers. */
export class GivenAnswers {
  #byKey: ReadonlyMap<string, readonly Confirmation[]>

  constructor(confirmed: readonly Confirmation[]) {
    this.#byKey = byAddress(confirmed)
  }

  /** Takes over all current answers. Gives the addresses where an answer may have been added or removed. */
  take(confirmed: readonly Confirmation[]): ReadonlySet<string> {
    const before = this.#byKey
    this.#byKey = byAddress(confirmed)
    return new Set([...before.keys(), ...this.#byKey.keys()])
  }

  /** Gives a cell the answers to its warnings. */
  give(slot: Slot): void {
    if (this.#byKey.size === 0 && slot.answers.length === 0) return
    slot.answers = this.#byKey.get(slot.key) ?? []
  }
}

function byAddress(confirmed: readonly Confirmation[]): ReadonlyMap<string, readonly Confirmation[]> {
  const byKey = new Map<string, Confirmation[]>()
  for (const one of confirmed) {
    const key = addressKey(one)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [one])
    else known.push(one)
  }
  return byKey
}
