import { at, sumOf } from '../numbers.ts'
import { findValueProblem, settle } from '../problem.ts'
import type { Alternative, Statistic } from '../problem.ts'
import { normalTail, twice } from '../special/distributions.ts'
import { countRankSums, probabilityAbove, probabilityBelow } from '../special/rankCounts.ts'
import type { RankDistribution } from '../special/rankCounts.ts'
import { takeByDesign } from './assumptions.ts'
import { rankValues, tieTerm } from './ranks.ts'
import type { TestOptions, TestResult } from './testResult.ts'

/** Both groups smaller than this, and no ties: p is exact, as R has it. */
export const EXACT_BELOW = 50

export interface RankSumResult extends TestResult<'rank-sum-exact' | 'rank-sum-normal'> {
  /** Mann and Whitney's U of the first group (R's W). */
  readonly statistic: number
  /** The share of pairs in which the first group's value is greater, ties by half. */
  readonly superiority: number
}

/**
 * Wilcoxon's rank-sum test of two groups: exact where both have fewer than 50 values and none are equal, otherwise by
 * the normal distribution with regard to ties and a correction for continuity. Equal to R's `wilcox.test`. Errors:
 * `too-few`, `constant` (all values equal), `not-finite`.
 */
export function testRankSum(
  first: readonly number[],
  second: readonly number[],
  { alternative = 'two-sided' }: Pick<TestOptions, 'alternative'> = {},
): Statistic<RankSumResult> {
  const problem = findValueProblem([first, second], 1)
  if (problem !== undefined) return problem
  const [m, n] = [first.length, second.length]
  const { ranks, ties } = rankValues([...first, ...second])
  if (ties[0] === m + n) return { ok: false, error: { kind: 'constant' } }
  const u = sumOf(first, (_, index) => at(ranks, index)) - (m * (m + 1)) / 2
  const isExact = m < EXACT_BELOW && n < EXACT_BELOW && ties.length === 0
  const p = isExact
    ? exactP(countRankSums(m, n), u, alternative)
    : correctedP(u - (m * n) / 2, rankSumSd(m, n, ties), alternative)
  return settle({
    method: isExact ? 'rank-sum-exact' : 'rank-sum-normal',
    statistic: u,
    df: [],
    p,
    alternative,
    assumptions: takeByDesign('independence', 'same-shape'),
    superiority: u / (m * n),
  })
}

/** The standard deviation of U where the groups do not differ. */
export function rankSumSd(m: number, n: number, ties: readonly number[]): number {
  const all = m + n
  return Math.sqrt(((m * n) / 12) * (all + 1 - tieTerm(ties) / (all * (all - 1))))
}

/** p by an exact distribution. */
export function exactP(distribution: RankDistribution, value: number, alternative: Alternative): number {
  const [below, above] = [probabilityBelow(distribution, value), probabilityAbove(distribution, value)]
  if (alternative === 'two-sided') return twice(Math.min(below, above))
  return alternative === 'greater' ? above : below
}

/** p by the normal distribution of a rank statistic's distance from its expectation, with half a step less. */
export function correctedP(distance: number, sd: number, alternative: Alternative): number {
  if (alternative === 'two-sided') return twice(normalTail(Math.max(0, Math.abs(distance) - 0.5) / sd))
  return alternative === 'greater' ? normalTail((distance - 0.5) / sd) : normalTail(-(distance + 0.5) / sd)
}
