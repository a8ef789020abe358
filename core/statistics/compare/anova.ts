import { failTooFewGroups, findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { checkEqualVariances, checkNormalGroups, takeByDesign } from './assumptions.ts'
import type { TestResult } from './testResult.ts'
import { analyzeVariance, analyzeWelch } from './variance.ts'

export interface AnovaResult extends TestResult<'anova' | 'welch-anova'> {
  readonly df: readonly [between: number, within: number]
}

export interface OneWayResult extends AnovaResult {
  readonly method: 'anova'
  /** The share of all variation that lies between groups. */
  readonly etaSquared: number
  /** The same, less what chance alone would give. */
  readonly omegaSquared: number
}

/**
 * One-way analysis of variance with equal variances. Errors: `too-few-groups`, `too-few` (an empty group, or no
 * group of two), `constant`, `not-finite`.
 */
export function testAnova(groups: readonly (readonly number[])[]): Statistic<OneWayResult> {
  if (groups.length < 2) return failTooFewGroups(2, groups.length)
  const problem = findValueProblem(groups, 1) ?? findValueProblem([groups.flat()], groups.length + 1)
  if (problem !== undefined) return problem
  const analysis = analyzeVariance(groups)
  if (!analysis.ok) return analysis
  const { f, df, p, squaresBetween, squaresWithin } = analysis.value
  const all = squaresBetween + squaresWithin
  const meanWithin = squaresWithin / df[1]
  return settle({
    method: 'anova',
    statistic: f,
    df,
    p,
    alternative: 'two-sided',
    assumptions: [...takeByDesign('independence'), ...checkNormalGroups(groups), checkEqualVariances(groups)],
    etaSquared: squaresBetween / all,
    omegaSquared: Math.max(0, (squaresBetween - df[0] * meanWithin) / (all + meanWithin)),
  })
}

/**
 * Welch's analysis of variance, for groups with variances of their own. Errors: `too-few-groups`, `too-few` (two values
 * a group), `constant` (a group), `not-finite`.
 */
export function testWelchAnova(groups: readonly (readonly number[])[]): Statistic<AnovaResult> {
  if (groups.length < 2) return failTooFewGroups(2, groups.length)
  const problem = findValueProblem(groups, 2)
  if (problem !== undefined) return problem
  const analysis = analyzeWelch(groups)
  if (!analysis.ok) return analysis
  const { f, df, p } = analysis.value
  return settle({
    method: 'welch-anova',
    statistic: f,
    df,
    p,
    alternative: 'two-sided',
    assumptions: [...takeByDesign('independence'), ...checkNormalGroups(groups)],
  })
}
