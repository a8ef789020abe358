import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'

import { makeRoom } from './room.ts'
import type { Crowded, Need } from './room.ts'
import { attempt } from './storageError.ts'

/**
 * After an eviction that did not help at once, nothing else gives way for this long. A browser may free late what was
 * given back, and everything evicted meanwhile would only have to be fetched again.
 */
const FREED_LATE_MS = 10_000

/**
 * What happens when writes meet a full disk. For people's work a piece of the reserve is given up first, which frees
 * room at once, and the write is repeated. After that, entries of patients who are not due give way, so that there is
 * room when the reserve is used up.
 */
export class FullDisk {
  readonly #storage: Crowded
  #at = 0
  #given = 0
  #giving: Promise<boolean> | null = null
  readonly #evicting = new Map<Need, Promise<boolean>>()
  #inVainAt = Number.NEGATIVE_INFINITY

  constructor(storage: Crowded) {
    this.#storage = storage
  }

  /** When a write last met a full disk, ms since the epoch; 0 when none did. */
  get at(): number {
    return this.#at
  }

  /**
   * How many pieces were given up so far. A writer notes this number before it writes: so many writes that meet the
   * same full disk give up only one piece.
   */
  readonly given = (): number => this.#given

  /**
   * Repeats a write for which there was no room, once there is some.
   *
   * @param first the failed result of the first try
   * @param given the number of given-up pieces before the first try
   */
  async again<Value>(
    first: Result<Value, ApiError>,
    write: () => Promise<Result<Value, ApiError>>,
    need: Need,
    given: number,
  ): Promise<Result<Value, ApiError>> {
    this.#at = Date.now()
    let last = first
    if (need === 'work') {
      for (let known = given; isFull(last) && (this.#given !== known || (await this.#give()));) {
        known = this.#given
        last = await write()
      }
      if (!isFull(last)) {
        // The eviction is not waited for, so that a person who types can go on. If it fails, the next write that finds
        // no room meets the same failure.
        void this.#evict(need)
        return last
      }
    }
    if (Math.abs(this.#at - this.#inVainAt) < FREED_LATE_MS || !(await this.#evict(need))) return last
    last = await write()
    if (isFull(last)) this.#inVainAt = this.#at
    return last
  }

  #give(): Promise<boolean> {
    this.#giving ??= this.#giveOne().finally(() => {
      this.#giving = null
    })
    return this.#giving
  }

  async #giveOne(): Promise<boolean> {
    const gave = await attempt(() => this.#storage.reserve.giveUp())
    if (!gave.ok || !gave.value) return false
    this.#given += 1
    return true
  }

  /** Makes room once for all writes that meet the same full disk. */
  #evict(need: Need): Promise<boolean> {
    const known = this.#evicting.get(need)
    if (known !== undefined) return known
    const evicting = attempt(() => makeRoom(this.#storage, need, this.#at))
      .then((made) => made.ok && made.value)
      .finally(() => this.#evicting.delete(need))
    this.#evicting.set(need, evicting)
    return evicting
  }
}

function isFull(result: Result<unknown, ApiError>): boolean {
  return !result.ok && result.error.code === 'storage_full'
}
