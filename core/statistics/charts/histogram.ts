import { at, sortNumbers } from '../numbers.ts'
import { findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { quantileOf } from '../describe/quantiles.ts'
import { chooseTicks } from './ticks.ts'

/** How many classes: by the number of values (Sturges 1926), or by their spread (Freedman and Diaconis 1981). */
export type BreakRule = 'sturges' | 'freedman-diaconis'

export interface HistogramBin {
  /** Values from `from`, without it but in the first bin, up to and with `to`. */
  readonly from: number
  readonly to: number
  readonly count: number
}

export interface Histogram {
  readonly n: number
  readonly bins: readonly HistogramBin[]
}

/** So many bars can be told apart. */
const MOST_BINS = 200

/** Counts values in classes with round ends. Errors: `too-few` (none), `not-finite`, `out-of-reach`. */
export function makeHistogram(values: readonly number[], rule: BreakRule = 'sturges'): Statistic<Histogram> {
  const problem = findValueProblem([values], 1)
  if (problem !== undefined) return problem
  const sorted = sortNumbers(values)
  const [low, high] = [at(sorted, 0), at(sorted, sorted.length - 1)]
  if (!Number.isFinite(high - low)) return { ok: false, error: { kind: 'out-of-reach' } }
  const breaks = chooseTicks(low, high, countClasses(sorted, rule))
  const counts = breaks.slice(1).map(() => 0)
  // A value at a break that rounding moved belongs where the round number says.
  const near = 1e-7 * (at(breaks, 1) - at(breaks, 0))
  let bin = 0
  for (const value of sorted) {
    while (bin < counts.length - 1 && value > at(breaks, bin + 1) + near) bin += 1
    counts[bin] = at(counts, bin) + 1
  }
  const bins = counts.map((count, index) => ({ from: at(breaks, index), to: at(breaks, index + 1), count }))
  return settle({ n: values.length, bins })
}

/** How many classes a rule wants. */
function countClasses(sorted: readonly number[], rule: BreakRule): number {
  const n = sorted.length
  const sturges = Math.ceil(Math.log2(n) + 1)
  if (rule === 'sturges') return sturges
  const width = (2 * (quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25))) / Math.cbrt(n)
  // Where half of the values are equal, their spread says nothing.
  if (!(width > 0)) return sturges
  return Math.min(MOST_BINS, Math.max(1, Math.ceil((at(sorted, n - 1) - at(sorted, 0)) / width)))
}
