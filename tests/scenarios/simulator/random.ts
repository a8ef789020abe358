/** A small generator of pseudo-random numbers (mulberry32): one seed, one sequence, on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<const Value>(from: readonly [Value, ...Value[]]): Value {
    return from[this.whole(0, from.length - 1)] ?? from[0]
  }

  /** One of several, each with its weight. */
  weighted<const Value>(from: readonly [readonly [number, Value], ...(readonly [number, Value])[]]): Value {
    const total = from.reduce((sum, [weight]) => sum + weight, 0)
    let left = this.next() * total
    for (const [weight, value] of from) {
      left -= weight
      if (left < 0) return value
    }
    return from[0][1]
  }

  /** So many different ones, in random order. */
  several<Value>(from: readonly Value[], count: number): Value[] {
    const left = [...from]
    const taken: Value[] = []
    while (taken.length < count && left.length > 0) taken.push(...left.splice(this.whole(0, left.length - 1), 1))
    return taken
  }
}
