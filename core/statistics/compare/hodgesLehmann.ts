import { err } from '#core/result.ts'

import { at, medianOf } from '../numbers.ts'
import { findValueProblem, isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { BoundedInterval, Statistic } from '../problem.ts'
import { normalLimit } from '../special/distributions.ts'
import { countRankSums, countSignedRanks, probabilityBelow, rankQuantile } from '../special/rankCounts.ts'
import type { RankDistribution } from '../special/rankCounts.ts'
import { EXACT_BELOW, rankSumSd } from './rankSum.ts'
import { rankValues } from './ranks.ts'
import { signedRankSd } from './signedRank.ts'

/** A shift by Hodges and Lehmann with the interval that belongs to the rank test (Moses). */
export interface ShiftEstimate {
  readonly method: 'exact' | 'normal'
  readonly estimate: number
  readonly interval: BoundedInterval
  /** What the exact interval covers: few values reach fewer levels. Null where the interval is approximate. */
  readonly achieved: number | null
}

/** Most differences or averages that are made: about 2,000 values in each of two groups. */
export const MOST_DIFFERENCES = 4_000_000

/**
 * How much greater the first group is than the second: the median of all differences. Errors: `too-few`, `too-large`,
 * `not-finite`, `wrong-level`.
 */
export function estimateShift(
  first: readonly number[],
  second: readonly number[],
  level: number = USUAL_LEVEL,
): Statistic<ShiftEstimate> {
  const problem = findValueProblem([first, second], 1)
  if (problem !== undefined) return problem
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const [m, n] = [first.length, second.length]
  if (m * n > MOST_DIFFERENCES) return err({ kind: 'too-large', limit: MOST_DIFFERENCES })
  const isExact = m < EXACT_BELOW && n < EXACT_BELOW && rankValues([...first, ...second]).ties.length === 0
  const differences = new Float64Array(m * n)
  first.forEach((a, i) => {
    second.forEach((b, j) => {
      differences[i * n + j] = a - b
    })
  })
  return finish(differences.sort(), {
    level,
    sd: rankSumSd(m, n, []),
    distribution: isExact ? countRankSums(m, n) : null,
  })
}

/**
 * The middle of values, or of differences of pairs: the median of all averages of two (and of each with itself). Errors
 * as `estimateShift`.
 */
export function estimateMiddle(values: readonly number[], level: number = USUAL_LEVEL): Statistic<ShiftEstimate> {
  const problem = findValueProblem([values], 1)
  if (problem !== undefined) return problem
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const n = values.length
  const pairs = (n * (n + 1)) / 2
  if (pairs > MOST_DIFFERENCES) return err({ kind: 'too-large', limit: MOST_DIFFERENCES })
  const isExact = n < EXACT_BELOW && !values.includes(0) && rankValues(values.map(Math.abs)).ties.length === 0
  const averages = new Float64Array(pairs)
  let next = 0
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      averages[next] = at(values, i) / 2 + at(values, j) / 2
      next += 1
    }
  }
  return finish(averages.sort(), {
    level,
    sd: signedRankSd(n, []),
    distribution: isExact ? countSignedRanks(n) : null,
  })
}

interface Order {
  readonly level: number
  /** Of the rank statistic, without ties. */
  readonly sd: number
  readonly distribution: RankDistribution | null
}

function finish(sorted: Float64Array, { level, sd, distribution }: Order): Statistic<ShiftEstimate> {
  const all = sorted.length
  const rank =
    distribution === null ? Math.floor(all / 2 - normalLimit(level) * sd) : rankQuantile(distribution, (1 - level) / 2)
  const from = Math.max(1, rank)
  return settle({
    method: distribution === null ? 'normal' : 'exact',
    estimate: medianOf([...sorted.subarray((all - 1) >> 1, (all >> 1) + 1)]),
    interval: { low: at(sorted, from - 1), high: at(sorted, all - from), level },
    achieved: distribution === null ? null : 1 - 2 * probabilityBelow(distribution, from - 1),
  })
}
