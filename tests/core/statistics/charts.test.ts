import { describe, expect, it } from 'vitest'

import { makeBoxPlot } from '#core/statistics/charts/boxPlot.ts'
import { changesSince, makeChangeLine } from '#core/statistics/charts/change.ts'
import { makeForestRows } from '#core/statistics/charts/forest.ts'
import { makeCorrelationMatrix } from '#core/statistics/charts/heatMap.ts'
import { makeHistogram } from '#core/statistics/charts/histogram.ts'
import { fitLine } from '#core/statistics/charts/scatter.ts'
import { makeRiskTable, makeSurvivalSteps } from '#core/statistics/charts/survivalSteps.ts'
import { chooseTicks } from '#core/statistics/charts/ticks.ts'
import { estimateOddsRatio } from '#core/statistics/compare/effectSizes.ts'
import { estimateSurvival, survivalAt } from '#core/statistics/survival/kaplanMeier.ts'

describe('data of charts', () => {
  it('ticks are round numbers around the data', () => {
    expect(chooseTicks(0.3, 9.2, 5)).toEqual([0, 2, 4, 6, 8, 10])
    expect(chooseTicks(0, 0.5, 5)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    expect(chooseTicks(-12, 31, 4)).toEqual([-20, -10, 0, 10, 20, 30, 40])
  })

  it('a histogram has every value in one bin, the upper end belonging to it', () => {
    const histogram = makeHistogram([1, 2, 2, 3, 4, 4.5, 6, 6])
    expect(histogram).toMatchObject({ ok: true, value: { n: 8 } })
    if (!histogram.ok) return
    const { bins } = histogram.value
    expect(bins).toEqual([
      { from: 1, to: 2, count: 3 },
      { from: 2, to: 3, count: 1 },
      { from: 3, to: 4, count: 1 },
      { from: 4, to: 5, count: 1 },
      { from: 5, to: 6, count: 2 },
    ])
    expect(makeHistogram([4, 4, 4], 'freedman-diaconis')).toMatchObject({ ok: true, value: { n: 3 } })
  })

  it('more classes come from a small spread among many values', () => {
    const values = Array.from({ length: 1000 }, (_, index) => Math.sin(index) ** 3)
    const [few, many] = (['sturges', 'freedman-diaconis'] as const).map((rule) => makeHistogram(values, rule))
    expect(few?.ok === true && many?.ok === true && few.value.bins.length < many.value.bins.length).toBe(true)
  })

  it('a box has whiskers to the outermost values that are no outliers', () => {
    expect(makeBoxPlot([1, 2, 3, 4, 5, 6, 7, 8, 30])).toMatchObject({
      ok: true,
      value: { median: 5, q1: 3, q3: 7, lowWhisker: 1, highWhisker: 8, outliers: [30] },
    })
  })

  it('a line of change has bars of its kind, and a gap where nobody came', () => {
    const visits = [
      { visit: 'V1', values: [1, 2, 3, null] },
      { visit: 'V2', values: [null, null] },
      { visit: 'V3', values: [5] },
    ]
    expect(makeChangeLine(visits, 'sd')).toEqual({
      ok: true,
      value: [
        { visit: 'V1', n: 3, missingCount: 1, mean: 2, low: 1, high: 3 },
        { visit: 'V2', n: 0, missingCount: 2, mean: null, low: null, high: null },
        { visit: 'V3', n: 1, missingCount: 0, mean: 5, low: null, high: null },
      ],
    })
    const line = makeChangeLine(visits.slice(0, 1), 'interval')
    expect(line.ok ? line.value[0]?.low : null).toBeCloseTo(2 - 2.4841377117503, 12)
    expect(changesSince([1, 2, null], [4, null, 9])).toEqual({ ok: true, value: [3, null, null] })
  })

  it('a band is narrowest at the middle of x', () => {
    const fit = fitLine([1, 2, 3, 4, 5], [2, 4.5, 5.5, 8, 10.5], { steps: 5 })
    if (!fit.ok) throw new RangeError(fit.error.kind)
    const widths = fit.value.band.map(({ low, high }) => high - low)
    expect(Math.min(...widths)).toBe(widths[2])
    expect(fit.value.slope).toBeCloseTo(2.05, 12)
  })

  it('a matrix is symmetric, over who has both values, and says where there is no correlation', () => {
    const { cells } = makeCorrelationMatrix(
      [
        { name: 'a', cells: [1, 2, 3, 4, 5] },
        { name: 'b', cells: [2, 1, 4, null, 9] },
        { name: 'c', cells: [7, 7, 7, 7, 7] },
      ],
      'spearman',
    )
    expect(cells[0]?.[1]).toEqual(cells[1]?.[0])
    expect(cells[0]?.[1]).toHaveProperty('r', expect.closeTo(0.8, 12))
    expect(cells[0]?.[0]).toEqual({ n: 5, r: 1, p: null })
    expect(cells[2]?.[0]).toEqual({ n: 5, because: { kind: 'constant' } })
  })

  it('a survival curve starts at 1, falls at events and marks who was lost sight of', () => {
    const seen = [
      { time: 2, event: true },
      { time: 3, event: false },
      { time: 5, event: true },
      { time: 8, event: false },
    ]
    const curve = estimateSurvival(seen)
    if (!curve.ok) throw new RangeError(curve.error.kind)
    expect(makeSurvivalSteps(curve.value)).toMatchObject({
      steps: [
        { time: 0, survival: 1 },
        { time: 2, survival: 0.75 },
        { time: 5, survival: 0.375 },
      ],
      end: 8,
      marks: [
        { time: 3, survival: 0.75 },
        { time: 8, survival: 0.375 },
      ],
    })
    expect([0, 2, 4.9, 5].map((time) => survivalAt(curve.value.points, time))).toEqual([1, 0.75, 0.75, 0.375])
    expect(makeRiskTable([seen], 4)).toEqual({ times: [0, 2, 4, 6, 8], rows: [[4, 4, 2, 1, 1]] })
  })

  it('a forest weighs by precision and says which rows differ', () => {
    const rows = makeForestRows(
      [
        {
          name: 'all',
          n: 200,
          effect: estimateOddsRatio([
            [60, 40],
            [30, 70],
          ]),
        },
        {
          name: 'women',
          n: 24,
          effect: estimateOddsRatio([
            [7, 5],
            [5, 7],
          ]),
        },
        {
          name: 'men',
          n: 3,
          effect: estimateOddsRatio([
            [2, 0],
            [0, 1],
          ]),
        },
      ],
      'ratio',
    )
    expect(rows).toMatchObject([
      { name: 'all', weight: 1, isDifferent: true },
      { name: 'women', isDifferent: false },
      { name: 'men', because: { kind: 'zero-cell' } },
    ])
    expect(rows[0]).toHaveProperty('estimate', expect.closeTo(3.5, 12))
    expect(rows[1]).toHaveProperty('weight', expect.closeTo(0.1302, 3))
  })
})
