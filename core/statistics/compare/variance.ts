import { err, ok } from '#core/result.ts'

import { at, meanOf, squaresOf, sum, sumOf } from '../numbers.ts'
import type { Statistic } from '../problem.ts'
import { fTail } from '../special/distributions.ts'

/** Squares between and within groups. */
export interface VarianceAnalysis {
  readonly f: number
  readonly df: readonly [between: number, within: number]
  readonly p: number
  readonly squaresBetween: number
  readonly squaresWithin: number
}

/** One-way analysis of variance of groups of which none is empty. Error: `constant`, where groups do not vary. */
export function analyzeVariance(groups: readonly (readonly number[])[]): Statistic<VarianceAnalysis> {
  const all = groups.flat()
  const mean = meanOf(all)
  const squaresBetween = sumOf(groups, (values) => values.length * (meanOf(values) - mean) ** 2)
  const squaresWithin = sumOf(groups, squaresOf)
  const df = [groups.length - 1, all.length - groups.length] as const
  if (isNoVariance(squaresWithin, all)) return err({ kind: 'constant' })
  const f = squaresBetween / df[0] / (squaresWithin / df[1])
  return ok({ f, df, p: fTail(f, df[0], df[1]), squaresBetween, squaresWithin })
}

/** Whether squares are nothing but the rounding of such values. */
export function isNoVariance(squares: number, values: readonly number[]): boolean {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return squares <= values.length * (10 * Number.EPSILON * largest) ** 2
}

/** Welch's test (1951) of groups of at least two values with variances of their own. Error: `constant`. */
export function analyzeWelch(
  groups: readonly (readonly number[])[],
): Statistic<Pick<VarianceAnalysis, 'f' | 'df' | 'p'>> {
  if (groups.some((values) => isNoVariance(squaresOf(values), values))) return err({ kind: 'constant' })
  const weights = groups.map((values) => (values.length * (values.length - 1)) / squaresOf(values))
  const means = groups.map(meanOf)
  const weight = sum(weights)
  const mean = sum(weights.map((own, index) => own * at(means, index))) / weight
  const k = groups.length
  const rest =
    sumOf(groups, (values, index) => (1 - at(weights, index) / weight) ** 2 / (values.length - 1)) / (k * k - 1)
  const between = sum(weights.map((own, index) => own * (at(means, index) - mean) ** 2))
  const f = between / (k - 1) / (1 + 2 * (k - 2) * rest)
  const df = [k - 1, 1 / (3 * rest)] as const
  return ok({ f, df, p: fTail(f, df[0], df[1]) })
}
