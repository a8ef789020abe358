import { at } from '../numbers.ts'

/** Ranks from 1, equal values share the middle of theirs. */
export interface Ranks {
  readonly ranks: readonly number[]
  /** How often each value that is there more than once is there. */
  readonly ties: readonly number[]
}

/** Ranks values. */
export function rankValues(values: readonly number[]): Ranks {
  const order = [...values.keys()].toSorted((a, b) => at(values, a) - at(values, b))
  const ranks = values.map(() => 0)
  const ties: number[] = []
  for (let from = 0; from < order.length;) {
    let to = from + 1
    while (to < order.length && at(values, at(order, to)) === at(values, at(order, from))) to += 1
    for (const index of order.slice(from, to)) ranks[index] = (from + 1 + to) / 2
    if (to - from > 1) ties.push(to - from)
    from = to
  }
  return { ranks, ties }
}

/** Σ (t³ − t) over ties: what they take from the variance of ranks. */
export function tieTerm(ties: readonly number[]): number {
  return ties.reduce((all, count) => all + (count ** 3 - count), 0)
}
