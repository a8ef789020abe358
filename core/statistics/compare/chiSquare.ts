import { err } from '#core/result.ts'

import { findTableProblem, totalsOf } from '../describe/crossTable.ts'
import type { Counts } from '../describe/crossTable.ts'
import { areCounts, at, sum } from '../numbers.ts'
import { settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { chiSquareTail, halfBinomialBelow, twice } from '../special/distributions.ts'
import { checkDiscordantPairs, checkExpectedCounts, takeByDesign } from './assumptions.ts'
import { expectedCounts } from './expected.ts'
import type { TestResult } from './testResult.ts'

export interface ChiSquareResult extends TestResult<'chi-square' | 'chi-square-yates'> {
  readonly expected: Counts
  /** How strong the relation is, from 0 to 1. */
  readonly cramersV: number
}

/**
 * Pearson's χ² test of a table of counts; `yates` corrects tables of two by two for continuity (no other). Errors:
 * `wrong-shape`, `not-a-count`, `empty-margin`.
 */
export function testChiSquare(
  counts: Counts,
  { yates = false }: { readonly yates?: boolean } = {},
): Statistic<ChiSquareResult> {
  const problem = findTableProblem(counts)
  if (problem !== undefined) return problem
  const expected = expectedCounts(counts)
  const flat = expected.flat()
  const distances = counts.flat().map((count, index) => Math.abs(count - at(flat, index)))
  const isCorrected = yates && flat.length === 4
  const less = isCorrected ? Math.min(0.5, ...distances) : 0
  const statistic = sum(distances.map((distance, index) => (distance - less) ** 2 / at(flat, index)))
  const plain = sum(distances.map((distance, index) => distance ** 2 / at(flat, index)))
  const [rows, columns] = [counts.length, counts[0]?.length ?? 0]
  const df = (rows - 1) * (columns - 1)
  return settle({
    method: isCorrected ? 'chi-square-yates' : 'chi-square',
    statistic,
    df: [df],
    p: chiSquareTail(statistic, df),
    alternative: 'two-sided',
    assumptions: [...takeByDesign('independence'), checkExpectedCounts(counts)],
    expected,
    cramersV: Math.sqrt(plain / totalsOf(counts).total / (Math.min(rows, columns) - 1)),
  })
}

export type McNemarResult = TestResult<'mcnemar' | 'mcnemar-corrected' | 'mcnemar-exact'>

/**
 * McNemar's test of a square table of pairs (before by after), in larger tables Bowker's test of symmetry. Tables of
 * two by two are corrected for continuity unless that is turned off, or tested exactly. Errors: `wrong-shape`, `not-a-
 * count`, `constant` (no pair differs).
 */
export function testMcNemar(
  counts: Counts,
  { form = 'corrected' }: { readonly form?: 'plain' | 'corrected' | 'exact' } = {},
): Statistic<McNemarResult> {
  const size = counts.length
  if (size < 2 || counts.some((line) => line.length !== size)) return err({ kind: 'wrong-shape' })
  if (!areCounts(counts.flat())) return err({ kind: 'not-a-count' })
  const pairs = counts.flatMap((line, row) =>
    line.slice(0, row).map((count, column) => [count, counts[column]?.[row] ?? 0] as const),
  )
  const differing = sum(pairs.map(([b, c]) => b + c))
  if (differing === 0) return err({ kind: 'constant' })
  const shared = {
    alternative: 'two-sided',
    assumptions: [...takeByDesign('independent-pairs'), checkDiscordantPairs(differing)],
  } as const
  if (size === 2 && form === 'exact') {
    const less = Math.min(...(pairs[0] ?? [0]))
    const p = twice(halfBinomialBelow(less, differing))
    return settle({
      ...shared,
      method: 'mcnemar-exact',
      statistic: less,
      df: [],
      p,
      assumptions: takeByDesign('independent-pairs'),
    })
  }
  const isCorrected = size === 2 && form === 'corrected' && pairs.some(([b, c]) => b !== c)
  const less = isCorrected ? 1 : 0
  // A pair of cells that nobody is in says nothing, and its degree of freedom stays, as in R's mcnemar.test.
  const terms = pairs.map(([b, c]) => (b + c === 0 ? 0 : (Math.abs(b - c) - less) ** 2 / (b + c)))
  const [statistic, df] = [sum(terms), pairs.length]
  return settle({
    ...shared,
    method: isCorrected ? 'mcnemar-corrected' : 'mcnemar',
    statistic,
    df: [df],
    p: chiSquareTail(statistic, df),
  })
}
