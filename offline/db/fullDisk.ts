import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'

import { makeRoom } from './room.ts'
import type { Crowded, Need } from './room.ts'
import { attempt } from './storageError.ts'

/**
 * So long after an eviction that did not help at once nobody else gives way: a browser may free late what was given
 * back, and what is thrown out meanwhile would only have to be fetched again.
 */
const FREED_LATE_MS = 10_000

/**
 * What happens when writes meet a full disk. For people's work a piece of the reserve goes first, which frees room at
 * once, and the write is made again; then entries of patients who are not due give way behind it, so that there is room
 * when the reserve is used up.
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
   * How many pieces were given up so far. Who writes takes it down before: many writes that meet one full disk take one
   * piece.
   */
  readonly given = (): number => this.#given

  /**
   * Makes a write again for which there was no room, once there is some.
   *
   * @param first how it failed
   * @param given as it was before it was made first
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
        // Not waited for: who types goes on. What an eviction meets, the next write that finds no room meets as well.
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

  /** Many writes meet the same full disk: room is made once for all of them. */
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
