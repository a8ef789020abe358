import { meanOf, medianOf } from '../numbers.ts'
import { failTooFewGroups, findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { analyzeVariance } from './variance.ts'

export interface EqualVarianceTest {
  /** About medians by Brown and Forsythe (1974), which holds for skewed values too, or about means by Levene (1960). */
  readonly method: 'brown-forsythe' | 'levene'
  readonly f: number
  readonly df: readonly [between: number, within: number]
  readonly p: number
}

/**
 * Tests whether the variances of two or more groups are equal. Errors: `too-few` (two values a group),
 * `too-few-groups`, `constant`, `not-finite`.
 */
export function testEqualVariances(
  groups: readonly (readonly number[])[],
  about: 'median' | 'mean',
): Statistic<EqualVarianceTest> {
  if (groups.length < 2) return failTooFewGroups(2, groups.length)
  const problem = findValueProblem(groups, 2)
  if (problem !== undefined) return problem
  const distances = groups.map((values) => {
    const middle = about === 'median' ? medianOf(values) : meanOf(values)
    return values.map((value) => Math.abs(value - middle))
  })
  const analysis = analyzeVariance(distances)
  if (!analysis.ok) return analysis
  const { f, df, p } = analysis.value
  return settle({ method: about === 'median' ? 'brown-forsythe' : 'levene', f, df, p })
}
