import { err, ok } from '#core/result.ts'

import { areCounts } from '../numbers.ts'
import { failTooFew, isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { BoundedInterval, Statistic } from '../problem.ts'
import { betaQuantile, normalLimit } from '../special/distributions.ts'
import { readPresent } from './describe.ts'
import type { Cell, MissingCount } from './describe.ts'

/** `wilson`: by the score, without a correction; `clopper-pearson`: exact, never below its level. */
export type ProportionMethod = 'wilson' | 'clopper-pearson'

export interface Proportion {
  readonly count: number
  readonly n: number
  /** count / n. */
  readonly share: number
  readonly interval: BoundedInterval
}

export interface ProportionOptions {
  readonly method?: ProportionMethod
  readonly level?: number
}

/** A share with its interval. Errors: `not-a-count`, `too-few` (n = 0), `wrong-level`. */
export function estimateProportion(
  count: number,
  n: number,
  { method = 'wilson', level = USUAL_LEVEL }: ProportionOptions = {},
): Statistic<Proportion> {
  if (!areCounts([count, n]) || count > n) return err({ kind: 'not-a-count' })
  if (n === 0) return failTooFew(1, 0)
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const interval = method === 'wilson' ? wilsonInterval(count, n, level) : exactInterval(count, n, level)
  return settle({ count, n, share: count / n, interval })
}

/** Wilson's interval (1927). */
export function wilsonInterval(count: number, n: number, level: number): BoundedInterval {
  const z = normalLimit(level)
  const [share, square] = [count / n, z * z]
  const middle = (share + square / (2 * n)) / (1 + square / n)
  const reach = (z / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))
  return { low: count === 0 ? 0 : middle - reach, high: count === n ? 1 : middle + reach, level }
}

/** Clopper and Pearson's interval (1934). */
function exactInterval(count: number, n: number, level: number): BoundedInterval {
  const tail = (1 - level) / 2
  return {
    low: count === 0 ? 0 : betaQuantile(tail, count, n - count + 1),
    high: count === n ? 1 : betaQuantile(1 - tail, count + 1, n - count),
    level,
  }
}

export interface CategoryCount extends Proportion {
  readonly category: string
}

export interface CategoryDescription {
  readonly n: number
  readonly missing: readonly MissingCount[]
  readonly missingCount: number
  /** Empty where n is 0. */
  readonly categories: readonly CategoryCount[]
}

/**
 * Counts the categories, as shares of the cells that have one: those of `order` first (also those that nobody has),
 * then others as they come. Errors: `wrong-level`.
 */
export function describeCategories(
  cells: readonly Cell<string>[],
  { order = [], ...options }: ProportionOptions & { readonly order?: readonly string[] } = {},
): Statistic<CategoryDescription> {
  const { values, missing } = readPresent(cells)
  const counts = new Map(order.map((category) => [category, 0]))
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const categories: CategoryCount[] = []
  for (const [category, count] of values.length === 0 ? [] : counts) {
    const share = estimateProportion(count, values.length, options)
    if (!share.ok) return share
    categories.push({ category, ...share.value })
  }
  const missingCount = missing.reduce((all, { count }) => all + count, 0)
  return ok({ n: values.length, missing, missingCount, categories })
}
