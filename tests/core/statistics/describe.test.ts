import { describe, expect, it } from 'vitest'

import { crossCategories } from '#core/statistics/describe/crossTable.ts'
import { describeByGroup, describeNumbers, splitByGroup } from '#core/statistics/describe/describe.ts'
import { describeCategories, estimateProportion } from '#core/statistics/describe/proportions.ts'
import { quantileOf } from '#core/statistics/describe/quantiles.ts'

describe('numbers', () => {
  it('are described apart from cells without a value, which are counted by their reasons', () => {
    const described = describeNumbers([3, null, { reason: 'not done' }, 5, { reason: 'not done' }, 10])
    expect(described).toMatchObject({
      ok: true,
      value: {
        n: 3,
        missingCount: 3,
        missing: [
          { reason: null, count: 1 },
          { reason: 'not done', count: 2 },
        ],
        mean: 6,
        median: 5,
        min: 3,
        max: 10,
        range: 7,
      },
    })
  })

  it('without any value have counts and nothing else', () => {
    expect(describeNumbers([null])).toMatchObject({
      ok: true,
      value: { n: 0, missingCount: 1, mean: null, sd: null, interval: null, median: null, geometricMean: null },
    })
  })

  it('of one value have a mean and no spread', () => {
    expect(describeNumbers([7])).toMatchObject({ ok: true, value: { mean: 7, sd: null, se: null, iqr: 0 } })
  })

  it('have no geometric mean where one is zero, and no CV where the mean is not positive', () => {
    expect(describeNumbers([0, 4])).toMatchObject({ ok: true, value: { geometricMean: null } })
    expect(describeNumbers([-1, 1])).toMatchObject({ ok: true, value: { cv: null } })
  })

  it('that are infinite, and levels that are none, are refused', () => {
    expect(describeNumbers([1, Number.POSITIVE_INFINITY])).toEqual({ ok: false, error: { kind: 'not-finite' } })
    expect(describeNumbers([1, 2], { level: 95 })).toEqual({ ok: false, error: { kind: 'wrong-level' } })
    expect(describeNumbers([1e308, -1e308])).toEqual({ ok: false, error: { kind: 'out-of-reach' } })
  })

  it('have quartiles by interpolation, or as SAS takes them', () => {
    const values = [1, 2, 3, 4, 10, 20]
    expect([0.25, 0.5, 0.75].map((share) => quantileOf(values, share))).toEqual([2.25, 3.5, 8.5])
    expect([0.25, 0.5, 0.75].map((share) => quantileOf(values, share, 'sas-5'))).toEqual([2, 3.5, 10])
  })

  it('are described by group, each in the order in which it comes', () => {
    expect(describeByGroup([1, 9, 3, null], ['B', 'A', 'B', 'A'])).toMatchObject({
      ok: true,
      value: [
        { group: 'B', value: { n: 2, mean: 2 } },
        { group: 'A', value: { n: 1, mean: 9, missingCount: 1 } },
      ],
    })
    expect(splitByGroup([1], [])).toEqual({ ok: false, error: { kind: 'unequal-lengths' } })
  })
})

describe('categories', () => {
  it('are counted as shares of those who have one, also the ones that nobody has', () => {
    const described = describeCategories(['f', 'm', null, 'f', { reason: 'refused' }], { order: ['m', 'f', 'x'] })
    expect(described).toMatchObject({
      ok: true,
      value: {
        n: 3,
        missingCount: 2,
        categories: [
          { category: 'm', count: 1, share: 1 / 3 },
          { category: 'f', count: 2, share: 2 / 3 },
          { category: 'x', count: 0, share: 0, interval: { low: 0 } },
        ],
      },
    })
  })

  it('of nobody have no shares', () => {
    expect(describeCategories([null], { order: ['m'] })).toMatchObject({ ok: true, value: { n: 0, categories: [] } })
    expect(estimateProportion(0, 0)).toEqual({ ok: false, error: { kind: 'too-few', needed: 1, given: 0 } })
    expect(estimateProportion(3, 2)).toEqual({ ok: false, error: { kind: 'not-a-count' } })
  })

  it('make a table of pairs with shares of rows and columns; pairs with a gap are left out', () => {
    const table = crossCategories(['yes', 'yes', 'no', 'yes', null], ['A', 'B', 'A', 'A', 'A'], { rows: ['no', 'yes'] })
    expect(table).toMatchObject({
      ok: true,
      value: {
        rows: ['no', 'yes'],
        columns: ['A', 'B'],
        rowTotals: [1, 3],
        columnTotals: [3, 1],
        total: 4,
        leftOut: 1,
        cells: [
          [
            { count: 1, ofRow: 1, ofColumn: 1 / 3, ofAll: 0.25 },
            { count: 0, ofRow: 0, ofColumn: 0 },
          ],
          [
            { count: 2, ofRow: 2 / 3, ofColumn: 2 / 3 },
            { count: 1, ofRow: 1 / 3, ofColumn: 1 },
          ],
        ],
      },
    })
    expect(crossCategories(['a'], [])).toEqual({ ok: false, error: { kind: 'unequal-lengths' } })
  })
})
