import { err, ok } from '#core/result.ts'

import { findTableProblem, totalsOf } from '../describe/crossTable.ts'
import type { Counts } from '../describe/crossTable.ts'
import { wilsonInterval } from '../describe/proportions.ts'
import { at, meanOf, varianceOf } from '../numbers.ts'
import { findValueProblem, isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { BoundedInterval, Statistic } from '../problem.ts'
import { normalLimit } from '../special/distributions.ts'
import { logGamma } from '../special/logFactorial.ts'
import { isNoVariance } from './variance.ts'

/** How large a difference is. The difference of means is in `testWelch`, shifts are in `estimateShift`. */

export interface Effect {
  readonly estimate: number
  readonly interval: BoundedInterval
}

export interface StandardizedDifference {
  /** The difference of means in pooled standard deviations (Cohen). */
  readonly d: number
  readonly dInterval: BoundedInterval
  /** The same without its bias in small samples (Hedges, with the exact factor). */
  readonly g: number
  readonly gInterval: BoundedInterval
}

/**
 * Cohen's d and Hedges' g, first less second. Intervals by the normal distribution with the large sample variance of
 * Hedges and Olkin (1985). Errors: `too-few` (two values a group), `constant`, `not-finite`, `wrong-level`.
 */
export function standardizeDifference(
  first: readonly number[],
  second: readonly number[],
  level: number = USUAL_LEVEL,
): Statistic<StandardizedDifference> {
  const problem = findValueProblem([first, second], 2)
  if (problem !== undefined) return problem
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const [n1, n2] = [first.length, second.length]
  const df = n1 + n2 - 2
  const squares = (n1 - 1) * varianceOf(first) + (n2 - 1) * varianceOf(second)
  if (isNoVariance(squares, [...first, ...second])) return err({ kind: 'constant' })
  const d = (meanOf(first) - meanOf(second)) / Math.sqrt(squares / df)
  const factor = Math.exp(logGamma(df / 2) - Math.log(df / 2) / 2 - logGamma((df - 1) / 2))
  const reach = normalLimit(level) * Math.sqrt(1 / n1 + 1 / n2 + (d * d) / (2 * (n1 + n2)))
  return settle({
    d,
    dInterval: { low: d - reach, high: d + reach, level },
    g: d * factor,
    gInterval: { low: factor * (d - reach), high: factor * (d + reach), level },
  })
}

/**
 * How an interval of a difference of two shares is made: of each share by Wilson (Newcombe's method 10), or by Wald.
 */
export type RiskDifferenceMethod = 'newcombe' | 'wald'

/**
 * The difference of two risks: rows are the groups, the first column counts who has the event. Errors: `wrong-shape`,
 * `not-a-count`, `empty-margin`, `wrong-level`.
 */
export function estimateRiskDifference(
  counts: Counts,
  {
    method = 'newcombe',
    level = USUAL_LEVEL,
  }: { readonly method?: RiskDifferenceMethod; readonly level?: number } = {},
): Statistic<Effect> {
  const read = readTwoByTwo(counts, level)
  if (!read.ok) return read
  const { a, c, n1, n2 } = read.value
  const [p1, p2] = [a / n1, c / n2]
  const estimate = p1 - p2
  if (method === 'wald') {
    const reach = normalLimit(level) * Math.sqrt((p1 * (1 - p1)) / n1 + (p2 * (1 - p2)) / n2)
    return settle({ estimate, interval: { low: estimate - reach, high: estimate + reach, level } })
  }
  const [one, two] = [wilsonInterval(a, n1, level), wilsonInterval(c, n2, level)]
  return settle({
    estimate,
    interval: {
      low: estimate - Math.hypot(p1 - one.low, two.high - p2),
      high: estimate + Math.hypot(one.high - p1, p2 - two.low),
      level,
    },
  })
}

export interface RatioOptions {
  /** Adds ½ to each cell where one is zero (Haldane and Anscombe); otherwise a zero cell is an error. */
  readonly addHalf?: boolean
  readonly level?: number
}

/** The ratio of two risks, interval on the log scale (Katz). Errors as above, and `zero-cell`. */
export function estimateRiskRatio(counts: Counts, options: RatioOptions = {}): Statistic<Effect> {
  const read = readRatio(counts, options)
  if (!read.ok) return read
  const { a, b, c, d, level } = read.value
  const [n1, n2] = [a + b, c + d]
  if (a === 0 || c === 0) return err({ kind: 'zero-cell' })
  // b / (a n) is 1 / a − 1 / n without cancellation.
  return ratioEffect(Math.log(a) - Math.log(n1) - Math.log(c) + Math.log(n2), b / (a * n1) + d / (c * n2), level)
}

/** The odds ratio of a table, interval on the log scale (Woolf). Errors as above, and `zero-cell`. */
export function estimateOddsRatio(counts: Counts, options: RatioOptions = {}): Statistic<Effect> {
  const read = readRatio(counts, options)
  if (!read.ok) return read
  const { a, b, c, d, level } = read.value
  if ([a, b, c, d].includes(0)) return err({ kind: 'zero-cell' })
  return ratioEffect(Math.log(a) + Math.log(d) - Math.log(b) - Math.log(c), 1 / a + 1 / b + 1 / c + 1 / d, level)
}

function ratioEffect(log: number, variance: number, level: number): Statistic<Effect> {
  const reach = normalLimit(level) * Math.sqrt(variance)
  return settle({
    estimate: Math.exp(log),
    interval: { low: Math.exp(log - reach), high: Math.exp(log + reach), level },
  })
}

interface TwoByTwo {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly n1: number
  readonly n2: number
}

function readTwoByTwo(counts: Counts, level: number): Statistic<TwoByTwo> {
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const problem = findTableProblem(counts)
  // That nobody, or everybody, has the event is a result.
  if (problem !== undefined && problem.error.kind !== 'empty-margin') return problem
  if (counts.length !== 2 || counts[0]?.length !== 2) return err({ kind: 'wrong-shape' })
  const [a, b, c, d] = [at(counts[0], 0), at(counts[0], 1), at(counts[1] ?? [], 0), at(counts[1] ?? [], 1)]
  const [n1, n2] = totalsOf(counts).rowTotals
  if (n1 === undefined || n2 === undefined || n1 === 0 || n2 === 0) return err({ kind: 'empty-margin' })
  return ok({ a, b, c, d, n1, n2 })
}

function readRatio(
  counts: Counts,
  { addHalf = false, level = USUAL_LEVEL }: RatioOptions,
): Statistic<Omit<TwoByTwo, 'n1' | 'n2'> & { readonly level: number }> {
  const read = readTwoByTwo(counts, level)
  if (!read.ok) return read
  const { a, b, c, d } = read.value
  const more = addHalf && [a, b, c, d].includes(0) ? 0.5 : 0
  return ok({ a: a + more, b: b + more, c: c + more, d: d + more, level })
}
