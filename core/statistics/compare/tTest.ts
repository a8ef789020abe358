import { err } from '#core/result.ts'

import { meanOf, varianceOf } from '../numbers.ts'
import { findValueProblem, isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { Alternative, Interval, Statistic } from '../problem.ts'
import { tQuantile, tTail } from '../special/distributions.ts'
import { checkEqualVariances, checkNormalGroups, checkNormality, takeByDesign } from './assumptions.ts'
import type { Assumption } from './assumptions.ts'
import { symmetricP } from './testResult.ts'
import type { TestOptions, TestResult } from './testResult.ts'

export type TMethod = 't-one-sample' | 't-paired' | 't-student' | 't-welch'

export interface TResult extends TestResult<TMethod> {
  readonly df: readonly [number]
  /** The mean, the mean of the differences, or the difference of the means (first less second). */
  readonly estimate: number
  readonly se: number
  readonly interval: Interval
}

/** Beyond this share of the mean a standard error is nothing but rounding (as R's t.test has it). */
const ROUNDING = 10 * Number.EPSILON

/**
 * Tests a mean against a value. Errors: `too-few` (two values), `constant`, `not-finite`, `wrong-level`, as of all t
 * tests.
 */
export function testOneMean(values: readonly number[], against: number, options: TestOptions = {}): Statistic<TResult> {
  const problem = findValueProblem([values], 2) ?? findValueProblem([[against]], 1)
  if (problem !== undefined) return problem
  const mean = meanOf(values)
  return finish(
    {
      method: 't-one-sample',
      estimate: mean,
      against,
      se: Math.sqrt(varianceOf(values) / values.length),
      df: values.length - 1,
      largest: Math.abs(mean),
      assumptions: [...takeByDesign('independence'), checkNormality(values, { kind: 'group', index: 0 })],
    },
    options,
  )
}

/** Tests the differences (first less second) of pairs. Also the error `unequal-lengths`. */
export function testPairedMeans(
  first: readonly number[],
  second: readonly number[],
  options: TestOptions = {},
): Statistic<TResult> {
  if (first.length !== second.length) return err({ kind: 'unequal-lengths' })
  const problem = findValueProblem([first, second], 2)
  if (problem !== undefined) return problem
  const differences = first.map((value, index) => value - (second[index] ?? Number.NaN))
  const mean = meanOf(differences)
  return finish(
    {
      method: 't-paired',
      estimate: mean,
      against: 0,
      se: Math.sqrt(varianceOf(differences) / differences.length),
      df: differences.length - 1,
      largest: Math.abs(mean),
      assumptions: [...takeByDesign('independent-pairs'), checkNormality(differences, { kind: 'differences' })],
    },
    options,
  )
}

/** Tests two means with one variance (Student). */
export function testStudent(
  first: readonly number[],
  second: readonly number[],
  options: TestOptions = {},
): Statistic<TResult> {
  return compareMeans([first, second], options, ([v1, v2], [n1, n2], groups) => {
    const df = n1 + n2 - 2
    const pooled = ((n1 - 1) * v1 + (n2 - 1) * v2) / df
    return {
      method: 't-student',
      se: Math.sqrt(pooled * (1 / n1 + 1 / n2)),
      df,
      assumptions: [...takeByDesign('independence'), ...checkNormalGroups(groups), checkEqualVariances(groups)],
    }
  })
}

/** Tests two means, each group with its own variance (Welch). */
export function testWelch(
  first: readonly number[],
  second: readonly number[],
  options: TestOptions = {},
): Statistic<TResult> {
  return compareMeans([first, second], options, ([v1, v2], [n1, n2], groups) => {
    const [e1, e2] = [v1 / n1, v2 / n2]
    const all = e1 + e2
    return {
      method: 't-welch',
      se: Math.sqrt(all),
      // As shares of the whole: squares of small variances would vanish.
      df: 1 / ((e1 / all) ** 2 / (n1 - 1) + (e2 / all) ** 2 / (n2 - 1)),
      assumptions: [...takeByDesign('independence'), ...checkNormalGroups(groups)],
    }
  })
}

type Two<T> = readonly [T, T]

/** Tests the difference of two means, with the error that `judge` makes of variances and sizes. */
function compareMeans(
  groups: Two<readonly number[]>,
  options: TestOptions,
  judge: (
    variances: Two<number>,
    sizes: Two<number>,
    groups: Two<readonly number[]>,
  ) => Pick<Estimate, 'method' | 'se' | 'df' | 'assumptions'>,
): Statistic<TResult> {
  const problem = findValueProblem(groups, 2)
  if (problem !== undefined) return problem
  const [first, second] = groups
  const [m1, m2] = [meanOf(first), meanOf(second)]
  const judged = judge([varianceOf(first), varianceOf(second)], [first.length, second.length], groups)
  return finish({ ...judged, estimate: m1 - m2, against: 0, largest: Math.max(Math.abs(m1), Math.abs(m2)) }, options)
}

interface Estimate {
  readonly method: TMethod
  readonly estimate: number
  readonly against: number
  readonly se: number
  readonly df: number
  /** The largest mean, by which rounding is judged. */
  readonly largest: number
  readonly assumptions: readonly Assumption[]
}

function finish(
  { method, estimate, against, se, df, largest, assumptions }: Estimate,
  { alternative = 'two-sided', level = USUAL_LEVEL }: TestOptions,
): Statistic<TResult> {
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  if (se <= ROUNDING * largest || se === 0) return err({ kind: 'constant' })
  const statistic = (estimate - against) / se
  return settle({
    method,
    statistic,
    df: [df],
    p: symmetricP(statistic, alternative, (t) => tTail(t, df)),
    alternative,
    assumptions,
    estimate,
    se,
    interval: tInterval(estimate, { se, df, alternative, level }),
  })
}

/** The interval that belongs to a test: of one side where the alternative is. */
export function tInterval(
  estimate: number,
  {
    se,
    df,
    alternative,
    level,
  }: { readonly se: number; readonly df: number; readonly alternative: Alternative; readonly level: number },
): Interval {
  const reach = tQuantile(alternative === 'two-sided' ? (1 - level) / 2 : 1 - level, df) * se
  return {
    low: alternative === 'less' ? null : estimate - reach,
    high: alternative === 'greater' ? null : estimate + reach,
    level,
  }
}
