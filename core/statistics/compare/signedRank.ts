import { err } from '#core/result.ts'

import { at, sumOf } from '../numbers.ts'
import { findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { countSignedRanks } from '../special/rankCounts.ts'
import { takeByDesign } from './assumptions.ts'
import { correctedP, EXACT_BELOW, exactP } from './rankSum.ts'
import { rankValues, tieTerm } from './ranks.ts'
import type { TestOptions, TestResult } from './testResult.ts'

export interface SignedRankResult extends TestResult<'signed-rank-exact' | 'signed-rank-normal'> {
  /** The sum of the ranks of positive differences (R's V). */
  readonly statistic: number
  /** Differences that are zero and were left out. */
  readonly zeros: number
}

/**
 * Wilcoxon's signed-rank test of differences about 0: exact below 50 of them without ties and zeros, otherwise by the
 * normal distribution with regard to ties and a correction for continuity. Zeros are left out. Equal to R's
 * `wilcox.test`. Errors: `too-few`, `constant` (all zero), `not-finite`.
 */
export function testSignedRank(
  differences: readonly number[],
  { alternative = 'two-sided' }: Pick<TestOptions, 'alternative'> = {},
): Statistic<SignedRankResult> {
  const problem = findValueProblem([differences], 1)
  if (problem !== undefined) return problem
  const kept = differences.filter((value) => value !== 0)
  const n = kept.length
  const zeros = differences.length - n
  if (n === 0) return err({ kind: 'constant' })
  const { ranks, ties } = rankValues(kept.map(Math.abs))
  const v = sumOf(kept, (value, index) => (value > 0 ? at(ranks, index) : 0))
  const isExact = n < EXACT_BELOW && ties.length === 0 && zeros === 0
  const p = isExact
    ? exactP(countSignedRanks(n), v, alternative)
    : correctedP(v - (n * (n + 1)) / 4, signedRankSd(n, ties), alternative)
  return settle({
    method: isExact ? 'signed-rank-exact' : 'signed-rank-normal',
    statistic: v,
    df: [],
    p,
    alternative,
    assumptions: takeByDesign('independent-pairs', 'symmetric-differences'),
    zeros,
  })
}

/** As `testSignedRank`, of the differences (first less second) of pairs. Also the error `unequal-lengths`. */
export function testSignedRankPairs(
  first: readonly number[],
  second: readonly number[],
  options: Pick<TestOptions, 'alternative'> = {},
): Statistic<SignedRankResult> {
  if (first.length !== second.length) return err({ kind: 'unequal-lengths' })
  return testSignedRank(
    first.map((value, index) => value - at(second, index)),
    options,
  )
}

/** The standard deviation of V where differences are symmetric about 0. */
export function signedRankSd(n: number, ties: readonly number[]): number {
  return Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - tieTerm(ties) / 48)
}
