import { at } from '../numbers.ts'

/**
 * How quantiles are read from a sample. `r-7` interpolates between order statistics, as R and spreadsheets do; `sas-5`
 * takes an order statistic, or the middle of two, as SAS does (PCTLDEF=5).
 */
export type QuantileRule = 'r-7' | 'sas-5'

/** A quantile of a sorted sample of at least one value; `share` from 0 to 1. */
export function quantileOf(sorted: readonly number[], share: number, rule: QuantileRule = 'r-7'): number {
  const n = sorted.length
  if (rule === 'sas-5') {
    const place = n * share
    const below = Math.floor(place + 4 * Number.EPSILON * n)
    const isBetween = place - below <= 4 * Number.EPSILON * n
    const [low, high] = [at(sorted, clamp(below - 1, n)), at(sorted, clamp(below, n))]
    return isBetween ? low + (high - low) / 2 : high
  }
  const place = (n - 1) * share
  const below = Math.floor(place + 4 * Number.EPSILON)
  const rest = place - below
  const low = at(sorted, below)
  return Math.abs(rest) < 4 * Number.EPSILON ? low : low + rest * (at(sorted, clamp(below + 1, n)) - low)
}

function clamp(index: number, n: number): number {
  return Math.min(n - 1, Math.max(0, index))
}
