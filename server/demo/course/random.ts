/** Random numbers that are the same each time, so that the made-up data of the demo are alike on every server. */
export class Random {
  #state: number

  /**
   * @param name of the drawn value; every name has its own sequence, so that a new page does not change the others
   */
  constructor(name: string) {
    // FNV-1a: names that differ by one letter start far apart.
    this.#state = Array.from(name).reduce(
      (hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193),
      0x811c9dc5,
    )
  }

  /** A number from 0 up to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** A number around `mean`, never outside of the bounds, with this many digits after the point. */
  around(mean: number, deviation: number, [low, high]: readonly [number, number], digits = 0): number {
    // The sum of twelve uniform draws is close enough to normal here.
    const drawn =
      mean + deviation * (Array.from({ length: 12 }, () => this.next()).reduce((sum, draw) => sum + draw, 0) - 6)
    return Number(Math.min(high, Math.max(low, drawn)).toFixed(digits))
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.int(0, items.length - 1)] ?? items[0]
  }
}
