import { err } from '#core/result.ts'

import { at, sumOf } from '../numbers.ts'
import { failTooFewGroups, findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { chiSquareTail } from '../special/distributions.ts'
import { takeByDesign } from './assumptions.ts'
import { rankValues, tieTerm } from './ranks.ts'
import type { TestResult } from './testResult.ts'

export interface KruskalResult extends TestResult<'kruskal-wallis'> {
  /** The share of the variation of ranks that lies between groups. */
  readonly epsilonSquared: number
}

/**
 * Kruskal and Wallis's test of two or more groups by ranks, with regard to ties. Errors: `too-few-groups`, `too-few`
 * (an empty group), `constant`, `not-finite`.
 */
export function testKruskalWallis(groups: readonly (readonly number[])[]): Statistic<KruskalResult> {
  if (groups.length < 2) return failTooFewGroups(2, groups.length)
  const problem = findValueProblem(groups, 1)
  if (problem !== undefined) return problem
  const { ranks, ties } = rankValues(groups.flat())
  const n = ranks.length
  if (ties[0] === n) return err({ kind: 'constant' })
  let from = 0
  const between = sumOf(groups, (values) => {
    const own = sumOf(values, (_, index) => at(ranks, from + index))
    from += values.length
    // About the mean rank, so that large sums do not cancel.
    return (own - (values.length * (n + 1)) / 2) ** 2 / values.length
  })
  const statistic = (12 * between) / (n * (n + 1)) / (1 - tieTerm(ties) / (n ** 3 - n))
  const df = groups.length - 1
  return settle({
    method: 'kruskal-wallis',
    statistic,
    df: [df],
    p: chiSquareTail(statistic, df),
    alternative: 'two-sided',
    assumptions: takeByDesign('independence', 'same-shape'),
    epsilonSquared: statistic / (n - 1),
  })
}
