import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeBoxPlot } from '#core/statistics/charts/boxPlot.ts'
import { makeChangeLine } from '#core/statistics/charts/change.ts'
import { makeCorrelationMatrix } from '#core/statistics/charts/heatMap.ts'
import { makeHistogram } from '#core/statistics/charts/histogram.ts'
import { fitLine } from '#core/statistics/charts/scatter.ts'
import { makeSurvivalSteps } from '#core/statistics/charts/survivalSteps.ts'
import { testAnova, testWelchAnova } from '#core/statistics/compare/anova.ts'
import { testChiSquare, testMcNemar } from '#core/statistics/compare/chiSquare.ts'
import { testPearson, testSpearman } from '#core/statistics/compare/correlation.ts'
import {
  estimateOddsRatio,
  estimateRiskDifference,
  estimateRiskRatio,
  standardizeDifference,
} from '#core/statistics/compare/effectSizes.ts'
import { testFisher } from '#core/statistics/compare/fisher.ts'
import { testFisherTable } from '#core/statistics/compare/fisherTable.ts'
import { estimateMiddle, estimateShift } from '#core/statistics/compare/hodgesLehmann.ts'
import { testKruskalWallis } from '#core/statistics/compare/kruskal.ts'
import { testEqualVariances } from '#core/statistics/compare/levene.ts'
import { testRankSum } from '#core/statistics/compare/rankSum.ts'
import { testNormality } from '#core/statistics/compare/shapiroWilk.ts'
import { testSignedRank } from '#core/statistics/compare/signedRank.ts'
import { testOneMean, testPairedMeans, testStudent, testWelch } from '#core/statistics/compare/tTest.ts'
import { describeNumbers } from '#core/statistics/describe/describe.ts'
import { estimateProportion } from '#core/statistics/describe/proportions.ts'
import { estimateSurvival } from '#core/statistics/survival/kaplanMeier.ts'
import { testLogRank } from '#core/statistics/survival/logRank.ts'
import { layOut } from '#core/statistics/tableOne/layout.ts'
import { makeTableOne } from '#core/statistics/tableOne/tableOne.ts'

/** Whatever the numbers: a statistic of finite numbers with p within 0 and 1, or a problem with a kind. Never NaN. */

const wild = fc.oneof(
  fc.double(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0, 5, 5, 1e308, -1e308, 1e-320, 1e16, 1e16 + 2, 0.1 + 0.2, 0.3),
)
const list = fc.oneof(
  fc.array(wild, { maxLength: 14 }),
  fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 30 }),
  fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { maxLength: 60 }),
)
const counts = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })).chain(([rows, columns]) =>
  fc.array(
    fc.array(fc.oneof({ weight: 9, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: wild }), {
      minLength: columns,
      maxLength: columns,
    }),
    { minLength: rows, maxLength: rows },
  ),
)
const observations = fc.array(fc.record({ time: fc.oneof(fc.nat(9), wild), event: fc.boolean() }), { maxLength: 12 })

/** Places of numbers that are not finite, and of p values that are none. */
function findBad(value: unknown, path = ''): string[] {
  if (typeof value === 'number') {
    const isP = path.endsWith('.p') && (value < 0 || value > 1)
    return Number.isFinite(value) && !isP ? [] : [`${path}: ${value}`]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => findBad(inner, `${path}.${key}`))
}

describe('whatever the numbers', () => {
  it('statistics of lists are finite or a problem', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(list, list, list, (x, y, z) => {
        const results = [
          describeNumbers(x),
          testNormality(x),
          testOneMean(x, 1),
          testPairedMeans(x, y),
          testStudent(x, y),
          testWelch(x, y, { alternative: 'less' }),
          testRankSum(x, y),
          testSignedRank(x),
          estimateShift(x, y),
          estimateMiddle(x),
          testAnova([x, y, z]),
          testWelchAnova([x, y, z]),
          testKruskalWallis([x, y, z]),
          testEqualVariances([x, y], 'mean'),
          testPearson(x, y),
          testPearson(x, x.toReversed()),
          testSpearman(
            x,
            x.toSorted((a, b) => a - b),
          ),
          standardizeDifference(x, y),
          makeHistogram(x),
          makeHistogram(x, 'freedman-diaconis'),
          makeBoxPlot(x),
          fitLine(x, x.toReversed()),
          makeChangeLine([{ visit: 'V1', values: x }], 'interval'),
          makeCorrelationMatrix(
            [
              { name: 'x', cells: x },
              { name: 'y', cells: y },
            ],
            'spearman',
          ),
        ]
        expect(results.flatMap((result, index) => findBad(result, String(index)))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('statistics of counts are finite or a problem', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(counts, fc.nat(9), (table, n) => {
        const results = [
          testChiSquare(table, { yates: true }),
          testMcNemar(table),
          testMcNemar(table, { form: 'exact' }),
          testFisher(table),
          testFisherTable(table),
          estimateRiskDifference(table),
          estimateRiskRatio(table),
          estimateOddsRatio(table, { addHalf: true }),
          estimateProportion(table[0]?.[0] ?? 0, n, { method: 'clopper-pearson' }),
        ]
        expect(results.flatMap((result, index) => findBad(result, String(index)))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('curves are finite or a problem', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(observations, observations, (x, y) => {
        const curve = estimateSurvival(x)
        const steps = curve.ok ? makeSurvivalSteps(curve.value) : null
        expect([curve, steps, testLogRank([x, y])].flatMap((result) => findBad(result))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('a table of a paper is finite or a problem, and has its words', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(list, fc.array(fc.constantFrom('A', 'B', 'C', null), { maxLength: 60 }), (cells, groups) => {
        const table = makeTableOne({
          variables: [{ id: 'x', label: 'x', cells: groups.map((_, index) => cells[index] ?? null) }],
          groups,
        })
        expect(findBad(table)).toEqual([])
        const text = table.ok ? JSON.stringify(layOut(table.value, { language: 'en' })) : ''
        expect(text).not.toMatch(/NaN|undefined|Infinity/)
      }),
      { numRuns: 100 },
    )
  })
})
