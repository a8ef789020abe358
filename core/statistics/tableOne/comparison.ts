import { testWelchAnova } from '../compare/anova.ts'
import { checkExpectedCounts } from '../compare/assumptions.ts'
import { testChiSquare } from '../compare/chiSquare.ts'
import { testFisher } from '../compare/fisher.ts'
import { testFisherTable } from '../compare/fisherTable.ts'
import { testKruskalWallis } from '../compare/kruskal.ts'
import { testRankSum } from '../compare/rankSum.ts'
import type { TestResult } from '../compare/testResult.ts'
import { testWelch } from '../compare/tTest.ts'
import type { Counts } from '../describe/crossTable.ts'
import type { Statistic, StatisticsProblem } from '../problem.ts'
import { differenceOfNumbers, differenceOfShares } from './standardizedDifference.ts'
import type { VariableKind } from './variableKind.ts'

/** How groups were compared. */
export type ComparisonMethod = 'welch-t' | 'welch-anova' | 'rank-sum' | 'kruskal-wallis' | 'chi-square' | 'fisher'

export type Comparison =
  | {
      readonly method: ComparisonMethod
      readonly p: number
      /** Whether its assumption is in doubt and no better method was possible (counts too large for Fisher's). */
      readonly isDoubtful: boolean
    }
  | { readonly method: ComparisonMethod; readonly because: StatisticsProblem }

type Values = readonly (readonly (number | string)[])[]

/**
 * Compares groups: normal by Welch's t test, or his analysis of variance for more than two; skewed by the rank-sum test
 * or Kruskal and Wallis's; categories by χ² without correction, or Fisher's exact test where too little is expected.
 */
export function compareGroups(groups: Values, kind: VariableKind, order: readonly string[]): Comparison {
  if (kind === 'categorical') return compareCounts(countLevels(groups, order))
  const numbers = groups.map((values) => values.filter((value) => typeof value === 'number'))
  const [first = [], second = []] = numbers
  const isTwo = groups.length === 2
  if (kind === 'normal')
    return isTwo
      ? comparisonOf('welch-t', testWelch(first, second))
      : comparisonOf('welch-anova', testWelchAnova(numbers))
  return isTwo
    ? comparisonOf('rank-sum', testRankSum(first, second))
    : comparisonOf('kruskal-wallis', testKruskalWallis(numbers))
}

function comparisonOf(method: ComparisonMethod, test: Statistic<TestResult>, isDoubtful = false): Comparison {
  return test.ok ? { method, p: test.value.p, isDoubtful } : { method, because: test.error }
}

/** Of groups in rows; categories that nobody has say nothing. */
function compareCounts(all: Counts): Comparison {
  const counts = all.map((line) => line.filter((_, level) => all.some((other) => (other[level] ?? 0) > 0)))
  const plain = testChiSquare(counts)
  if (!plain.ok) return comparisonOf('chi-square', plain)
  if (checkExpectedCounts(counts).verdict === 'holds') return comparisonOf('chi-square', plain)
  const isTwoByTwo = counts.length === 2 && counts[0]?.length === 2
  const exact: Statistic<TestResult> = isTwoByTwo ? testFisher(counts) : testFisherTable(counts)
  return exact.ok ? comparisonOf('fisher', exact) : comparisonOf('chi-square', plain, true)
}

function countLevels(groups: Values, order: readonly string[]): Counts {
  return groups.map((values) => {
    const counts = new Map<string, number>()
    for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
    return order.map((category) => counts.get(category) ?? 0)
  })
}

/** The greatest standardized difference of all pairs of groups. */
export function greatestDifference(groups: Values, kind: VariableKind, order: readonly string[]): number | null {
  const numbers = groups.map((values) => values.filter((value) => typeof value === 'number'))
  const counts = kind === 'categorical' ? countLevels(groups, order) : []
  const pairs = groups.flatMap((_, second) => Array.from({ length: second }, (__, first) => [first, second] as const))
  const found = pairs.flatMap(([first, second]) => {
    const one =
      kind === 'categorical'
        ? differenceOfShares(counts[first] ?? [], counts[second] ?? [])
        : differenceOfNumbers(numbers[first] ?? [], numbers[second] ?? [])
    return one === null ? [] : [one]
  })
  return found.length === 0 ? null : Math.max(...found)
}
