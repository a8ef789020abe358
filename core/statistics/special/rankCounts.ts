import { at, sum } from '../numbers.ts'

/**
 * The exact distributions of rank statistics without ties, by counting. Counts are sums of positive numbers, so that a
 * tail keeps its digits.
 */

/** A distribution over 0, 1, …: as counts, the sum of which is `all`. It is symmetric. */
export interface RankDistribution {
  readonly counts: Float64Array
  readonly all: number
}

/**
 * In how many ways `m` of `m + n` ranks give each value of Mann and Whitney's U (0 … mn). For m, n up to 50 in some
 * milliseconds.
 */
export function countRankSums(m: number, n: number): RankDistribution {
  const most = m * n
  // ways[i] after round j: of i ranks of the first group among i + j, by U.
  const ways = Array.from({ length: m + 1 }, () => {
    const none = new Float64Array(most + 1)
    none[0] = 1
    return none
  })
  for (let j = 1; j <= n; j += 1) {
    for (let i = 1; i <= m; i += 1) {
      const [own, fewer] = [ways[i], ways[i - 1]]
      if (own === undefined || fewer === undefined) continue
      for (let u = i * j; u >= j; u -= 1) own[u] = at(own, u) + at(fewer, u - j)
    }
  }
  return distributionOf(ways[m] ?? new Float64Array(1))
}

/** In how many ways signs on the ranks 1 … n give each sum of the positive ones (0 … n(n + 1)/2). */
export function countSignedRanks(n: number): RankDistribution {
  const counts = new Float64Array((n * (n + 1)) / 2 + 1)
  counts[0] = 1
  for (let rank = 1; rank <= n; rank += 1) {
    for (let u = (rank * (rank + 1)) / 2; u >= rank; u -= 1) counts[u] = at(counts, u) + at(counts, u - rank)
  }
  return distributionOf(counts)
}

function distributionOf(counts: Float64Array): RankDistribution {
  return { counts, all: sum(counts) }
}

/** The probability of at most a value. */
export function probabilityBelow({ counts, all }: RankDistribution, value: number): number {
  const last = counts.length - 1
  if (value >= last) return 1
  // Of the two sides the one with fewer terms is summed: it is the smaller one.
  if (value > last / 2) return 1 - sum(counts.subarray(0, last - value)) / all
  return sum(counts.subarray(0, Math.max(0, value + 1))) / all
}

/** The probability of at least a value: by symmetry. */
export function probabilityAbove(distribution: RankDistribution, value: number): number {
  return probabilityBelow(distribution, distribution.counts.length - 1 - value)
}

/** The smallest value that at least the share `below` of all does not exceed. */
export function rankQuantile(distribution: RankDistribution, below: number): number {
  let value = 0
  // The same allowance for rounding as R's qwilcox.
  while (probabilityBelow(distribution, value) < below * (1 - 16 * Number.EPSILON)) value += 1
  return value
}
