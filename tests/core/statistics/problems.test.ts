import { describe, expect, it } from 'vitest'

import { testAnova } from '#core/statistics/compare/anova.ts'
import { testChiSquare, testMcNemar } from '#core/statistics/compare/chiSquare.ts'
import { testPearson, testSpearman } from '#core/statistics/compare/correlation.ts'
import { estimateOddsRatio, estimateRiskDifference } from '#core/statistics/compare/effectSizes.ts'
import { testFisher } from '#core/statistics/compare/fisher.ts'
import { testFisherTable } from '#core/statistics/compare/fisherTable.ts'
import { estimateShift } from '#core/statistics/compare/hodgesLehmann.ts'
import { testKruskalWallis } from '#core/statistics/compare/kruskal.ts'
import { testRankSum } from '#core/statistics/compare/rankSum.ts'
import { testNormality } from '#core/statistics/compare/shapiroWilk.ts'
import { testSignedRank } from '#core/statistics/compare/signedRank.ts'
import { testPairedMeans, testStudent, testWelch } from '#core/statistics/compare/tTest.ts'
import { estimateSurvival } from '#core/statistics/survival/kaplanMeier.ts'
import { testLogRank } from '#core/statistics/survival/logRank.ts'

/** What has no answer says why. */

const failure = (result: { ok: true } | { ok: false; error: { kind: string } }) =>
  result.ok ? 'ok' : result.error.kind
const many = (n: number) => Array.from({ length: n }, (_, index) => index)

describe('a statistic that is not there says why', () => {
  it.each([
    ['one value a group', testWelch([1], [2, 3]), 'too-few'],
    ['groups that do not vary', testStudent([2, 2], [2, 2]), 'constant'],
    ['pairs of unequal number', testPairedMeans([1, 2], [1]), 'unequal-lengths'],
    ['an infinite value', testWelch([1, Infinity], [1, 2]), 'not-finite'],
    ['a level of 0', testWelch([1, 2], [1, 2], { level: 0 }), 'wrong-level'],
    ['ranks that are all the same', testRankSum([3, 3], [3]), 'constant'],
    ['differences that are all zero', testSignedRank([0, 0]), 'constant'],
    ['an empty group', testKruskalWallis([[1, 2], []]), 'too-few'],
    ['one group', testAnova([[1, 2]]), 'too-few-groups'],
    ['more differences than can be made', estimateShift(many(3000), many(3000)), 'too-large'],
    ['two values to be normal', testNormality([1, 2]), 'too-few'],
    ['5,001 values to be normal', testNormality(many(5001)), 'too-large'],
    ['points on a line', testPearson(many(9), many(9)), 'perfect-fit'],
    ['a variable that is constant', testSpearman([1, 1, 1], [1, 2, 3]), 'constant'],
    [
      'an empty column',
      testChiSquare([
        [1, 0],
        [2, 0],
      ]),
      'empty-margin',
    ],
    [
      'half a person',
      testFisher([
        [0.5, 1],
        [2, 3],
      ]),
      'not-a-count',
    ],
    ['rows of different lengths', testChiSquare([[1, 2], [3]]), 'wrong-shape'],
    [
      'three columns for two',
      testFisher([
        [1, 2, 3],
        [3, 4, 5],
      ]),
      'wrong-shape',
    ],
    [
      'pairs that do not differ',
      testMcNemar([
        [5, 0],
        [0, 7],
      ]),
      'constant',
    ],
    [
      'odds of nobody',
      estimateOddsRatio([
        [0, 5],
        [2, 3],
      ]),
      'zero-cell',
    ],
    [
      'a table of a hundred thousand',
      testFisherTable([
        [50_000, 40_000, 9],
        [30_000, 9, 9],
      ]),
      'too-large',
    ],
    ['nobody to survive', estimateSurvival([]), 'too-few'],
    ['a time before the start', estimateSurvival([{ time: -1, event: true }]), 'negative-time'],
    ['curves without an event', testLogRank([[{ time: 1, event: false }], [{ time: 2, event: false }]]), 'no-event'],
  ])('%s', (_, result, kind) => {
    expect(failure(result)).toBe(kind)
  })

  it('and half a count more makes odds of nobody a number, and no event at all is a difference', () => {
    expect(
      estimateOddsRatio(
        [
          [0, 5],
          [2, 3],
        ],
        { addHalf: true },
      ),
    ).toMatchObject({ ok: true, value: { estimate: (0.5 * 3.5) / (5.5 * 2.5) } })
    expect(
      estimateRiskDifference([
        [0, 5],
        [0, 9],
      ]),
    ).toMatchObject({ ok: true, value: { estimate: 0 } })
  })
})

describe('what a test takes for granted', () => {
  it('is told with how the data look', () => {
    const skewed = [1, 1.1, 1.2, 1.3, 1.1, 1.2, 40, 1, 1.15, 1.25]
    const plain = [10, 11, 12, 13, 14, 15, 16, 9, 8, 12.5]
    const test = testStudent(skewed, plain)
    expect(test).toMatchObject({
      ok: true,
      value: {
        assumptions: [
          { kind: 'independence', verdict: 'by-design' },
          { kind: 'normality', of: { kind: 'group', index: 0 }, verdict: 'doubtful' },
          { kind: 'normality', of: { kind: 'group', index: 1 }, verdict: 'holds' },
          { kind: 'equal-variances' },
        ],
      },
    })
    expect(testWelch([1, 2], [3, 5])).toMatchObject({
      ok: true,
      value: { assumptions: [{}, { verdict: 'unknown', because: { kind: 'too-few' } }, { verdict: 'unknown' }] },
    })
  })

  it('of χ² is that enough is expected in each cell', () => {
    const found = (table: number[][]) => {
      const test = testChiSquare(table)
      return test.ok ? test.value.assumptions.find(({ kind }) => kind === 'expected-counts') : undefined
    }
    expect(
      found([
        [10, 10],
        [10, 10],
      ]),
    ).toMatchObject({ verdict: 'holds', least: 10, below5: 0 })
    expect(
      found([
        [1, 9],
        [4, 8],
      ]),
    ).toMatchObject({ verdict: 'doubtful', below5: 2 })
    // One cell of six below 5 is allowed in a larger table, none in one of two by two.
    expect(
      found([
        [4, 20, 20],
        [6, 22, 22],
      ]),
    ).toMatchObject({ verdict: 'holds', below5: 1 })
  })
})
