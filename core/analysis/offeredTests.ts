import { testAnova, testWelchAnova } from '#core/statistics/compare/anova.ts'
import { checkExpectedCounts } from '#core/statistics/compare/assumptions.ts'
import type { Assumption } from '#core/statistics/compare/assumptions.ts'
import { testChiSquare } from '#core/statistics/compare/chiSquare.ts'
import {
  estimateOddsRatio,
  estimateRiskDifference,
  estimateRiskRatio,
  standardizeDifference,
} from '#core/statistics/compare/effectSizes.ts'
import { testFisher } from '#core/statistics/compare/fisher.ts'
import { testFisherTable } from '#core/statistics/compare/fisherTable.ts'
import { estimateShift } from '#core/statistics/compare/hodgesLehmann.ts'
import { testKruskalWallis } from '#core/statistics/compare/kruskal.ts'
import { testRankSum } from '#core/statistics/compare/rankSum.ts'
import type { TestResult } from '#core/statistics/compare/testResult.ts'
import { testStudent, testWelch } from '#core/statistics/compare/tTest.ts'
import type { Counts } from '#core/statistics/describe/crossTable.ts'
import type { Interval, Statistic } from '#core/statistics/problem.ts'
import { chooseKind } from '#core/statistics/tableOne/variableKind.ts'
import type { KindChoice } from '#core/statistics/tableOne/variableKind.ts'

/** The tests that fit values and groups: the one that the data favour first, the others beside it. */

export const testCodes = [
  'welch-t',
  'student-t',
  'rank-sum',
  'welch-anova',
  'anova',
  'kruskal-wallis',
  'chi-square',
  'chi-square-yates',
  'fisher',
  'pearson',
  'spearman',
  'log-rank',
  'paired-t',
  'signed-rank',
] as const
export type TestCode = (typeof testCodes)[number]

export type EffectKind =
  | 'mean-difference'
  | 'hedges-g'
  | 'shift'
  | 'superiority'
  | 'eta-squared'
  | 'omega-squared'
  | 'epsilon-squared'
  | 'risk-difference'
  | 'risk-ratio'
  | 'odds-ratio'
  | 'conditional-odds-ratio'
  | 'cramers-v'
  | 'pearson-r'
  | 'spearman-rho'

/** How large a difference or relation is. An estimate that is null is infinite. */
export interface NamedEffect {
  readonly kind: EffectKind
  readonly result: Statistic<{ readonly estimate: number | null; readonly interval: Interval | null }>
}

export interface OfferedTest {
  readonly code: TestCode
  readonly result: Statistic<TestResult>
  readonly effects: readonly NamedEffect[]
}

/** Why the first test is the first. */
export type Favoured =
  | { readonly by: 'shape'; readonly choice: KindChoice }
  | { readonly by: 'expected-counts'; readonly assumption: Assumption }
  | { readonly by: 'exact-too-large' }

export interface Offer {
  readonly tests: readonly OfferedTest[]
  readonly favoured: Favoured | null
}

export function nameEffect<Value>(
  kind: EffectKind,
  from: Statistic<Value>,
  read: (value: Value) => { readonly estimate: number | null; readonly interval: Interval | null },
): NamedEffect {
  return { kind, result: from.ok ? { ok: true, value: read(from.value) } : from }
}

/**
 * Tests of numbers by group. Where every group looks normal, Welch's come first: they hold with equal variances and
 * without, and table one has them; otherwise tests by ranks.
 */
export function offerNumberTests(groups: readonly (readonly number[])[]): Offer {
  const choice = chooseShape(groups)
  const [first = [], second = []] = groups
  const [means, equal, ranks] = groups.length === 2 ? testsOfTwo(first, second) : testsOfMany(groups)
  return {
    tests: choice.kind === 'normal' ? [means, equal, ranks] : [ranks, means, equal],
    favoured: { by: 'shape', choice },
  }
}

/** A variable that was measured is not made a category by having two values only. */
function chooseShape(groups: readonly (readonly number[])[]): KindChoice {
  const choice = chooseKind(groups)
  return choice.kind === 'categorical' ? { kind: 'skewed', by: 'too-few' } : choice
}

type Three = readonly [means: OfferedTest, equal: OfferedTest, ranks: OfferedTest]

function testsOfTwo(first: readonly number[], second: readonly number[]): Three {
  const [welch, student, ranks] = [testWelch(first, second), testStudent(first, second), testRankSum(first, second)]
  const hedges = nameEffect('hedges-g', standardizeDifference(first, second), ({ g, gInterval }) => ({
    estimate: g,
    interval: gInterval,
  }))
  return [
    { code: 'welch-t', result: welch, effects: [nameEffect('mean-difference', welch, (one) => one), hedges] },
    { code: 'student-t', result: student, effects: [nameEffect('mean-difference', student, (one) => one), hedges] },
    {
      code: 'rank-sum',
      result: ranks,
      effects: [
        nameEffect('shift', estimateShift(first, second), (one) => one),
        nameEffect('superiority', ranks, ({ superiority }) => ({ estimate: superiority, interval: null })),
      ],
    },
  ]
}

function testsOfMany(groups: readonly (readonly number[])[]): Three {
  const [welch, anova, kruskal] = [testWelchAnova(groups), testAnova(groups), testKruskalWallis(groups)]
  const eta = nameEffect('eta-squared', anova, ({ etaSquared }) => ({ estimate: etaSquared, interval: null }))
  return [
    { code: 'welch-anova', result: welch, effects: [eta] },
    {
      code: 'anova',
      result: anova,
      effects: [
        eta,
        nameEffect('omega-squared', anova, ({ omegaSquared }) => ({ estimate: omegaSquared, interval: null })),
      ],
    },
    {
      code: 'kruskal-wallis',
      result: kruskal,
      effects: [
        nameEffect('epsilon-squared', kruskal, ({ epsilonSquared }) => ({ estimate: epsilonSquared, interval: null })),
      ],
    },
  ]
}

/**
 * Tests of counts, with groups in rows: χ² first where enough is expected in each cell, otherwise Fisher's, unless the
 * table is too large for it. Rows and columns that hold nothing say nothing and are left away.
 */
export function offerCountTests(all: Counts): Offer {
  const counts = withoutEmpty(all)
  const isTwoByTwo = counts.length === 2 && counts[0]?.length === 2
  const plain = testChiSquare(counts)
  const strength = nameEffect('cramers-v', plain, ({ cramersV }) => ({ estimate: cramersV, interval: null }))
  const effects = isTwoByTwo
    ? [
        nameEffect('risk-difference', estimateRiskDifference(counts), (one) => one),
        nameEffect('risk-ratio', estimateRiskRatio(counts), (one) => one),
        nameEffect('odds-ratio', estimateOddsRatio(counts), (one) => one),
      ]
    : [strength]
  const chiSquare: OfferedTest = { code: 'chi-square', result: plain, effects }
  const exact = exactTest(counts, isTwoByTwo, strength)
  const corrected: readonly OfferedTest[] = isTwoByTwo
    ? [{ code: 'chi-square-yates', result: testChiSquare(counts, { yates: true }), effects: [strength] }]
    : []
  if (!plain.ok) return { tests: [chiSquare], favoured: null }
  const assumption = checkExpectedCounts(counts)
  if (assumption.verdict === 'holds')
    return { tests: [chiSquare, exact, ...corrected], favoured: { by: 'expected-counts', assumption } }
  if (!exact.result.ok) return { tests: [chiSquare, exact, ...corrected], favoured: { by: 'exact-too-large' } }
  return { tests: [exact, chiSquare, ...corrected], favoured: { by: 'expected-counts', assumption } }
}

function exactTest(counts: Counts, isTwoByTwo: boolean, strength: NamedEffect): OfferedTest {
  if (!isTwoByTwo) return { code: 'fisher', result: testFisherTable(counts), effects: [strength] }
  const exact = testFisher(counts)
  const odds = nameEffect('conditional-odds-ratio', exact, ({ oddsRatio, interval }) => ({
    estimate: oddsRatio,
    interval,
  }))
  return { code: 'fisher', result: exact, effects: [odds] }
}

function withoutEmpty(counts: Counts): Counts {
  const rows = counts.filter((line) => line.some((count) => count > 0))
  return rows.map((line) => line.filter((_, column) => rows.some((other) => (other[column] ?? 0) > 0)))
}
