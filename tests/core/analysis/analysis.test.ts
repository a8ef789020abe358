import { describe, expect, test } from 'vitest'
import { dayOfCell, scaleOf } from '#core/analysis/column.ts'
import type { AnalysisColumn } from '#core/analysis/column.ts'
import { columnsNeeded, isComplete } from '#core/analysis/request.ts'
import type { AnalysisRequest } from '#core/analysis/request.ts'
import type { ColumnSet } from '#core/analysis/rows.ts'
import { runAnalysis } from '#core/analysis/runAnalysis.ts'
import type { Analysis, AnalysisFound } from '#core/analysis/runAnalysis.ts'

/** What becomes of columns: which rows count, which test is offered first, what is missing and why. */

function column(name: string, cells: AnalysisColumn['cells'], more: Partial<AnalysisColumn> = {}): AnalysisColumn {
  const type = cells.some((cell) => typeof cell === 'string') ? 'text' : 'number'
  return { name, label: name, type, unit: null, decimals: null, codes: [], ...more, cells }
}
const codes = (...labels: readonly string[]) => labels.map((label, at) => ({ code: String(at), label }))
const setOf = (...columns: readonly AnalysisColumn[]): ColumnSet => ({ rows: columns[0]?.cells.length ?? 0, columns })

const ask = (more: Partial<AnalysisRequest>): AnalysisRequest => ({
  kind: 'describe',
  variables: [],
  group: null,
  visit: null,
  event: null,
  eventCode: null,
  start: null,
  ...more,
})

function found<Kind extends AnalysisFound['kind']>(
  request: AnalysisRequest & { readonly kind: Kind },
  set: ColumnSet,
): Analysis & { readonly found: Extract<AnalysisFound, { kind: Kind }> } {
  const result = runAnalysis(request, set)
  if (!result.ok) throw new Error(result.error)
  return result.value as Analysis & { readonly found: Extract<AnalysisFound, { kind: Kind }> }
}

/** Forty values that look normal, and as many that grow by powers. */
const EVEN = [31, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 52, 53, 55, 58, 62]
const SKEWED = Array.from({ length: 20 }, (_, at) => 2 ** at)
const ARMS = codes('对照组', '试验组')
const arm = (each: number) =>
  column('arm', [...Array.from({ length: each }, () => 0), ...Array.from({ length: each }, () => 1)], { codes: ARMS })

describe('a variable', () => {
  test('is measured, counted or a date; what tells rows apart and free text is none of them', () => {
    const is = (name: string, type: AnalysisColumn['type'], list = codes()) => scaleOf({ name, type, codes: list })
    expect([is('weight', 'number'), is('smokes', 'number', codes('否', '是')), is('seen', 'date')]).toEqual([
      'number',
      'category',
      'date',
    ])
    expect([is('center', 'text'), is('subjects.center', 'text')]).toEqual(['category', 'category'])
    expect([is('note', 'text'), is('subject_key', 'text'), is('visit_no', 'number'), is('at', 'time')]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('of time counts days, with their hours as parts', () => {
    expect(dayOfCell('1970-01-03')).toBe(2)
    expect(dayOfCell('1970-01-03 12:00')).toBe(2.5)
    expect(dayOfCell('不详')).toBeNull()
  })
})

describe('what is chosen', () => {
  test('is enough for an analysis or not, and names the columns that are read, each once', () => {
    expect(isComplete(ask({}))).toBe(false)
    expect(isComplete(ask({ variables: ['a'] }))).toBe(true)
    expect(isComplete(ask({ kind: 'compare', variables: ['a'] }))).toBe(false)
    expect(isComplete(ask({ kind: 'relate', variables: ['a'] }))).toBe(false)
    expect(isComplete(ask({ kind: 'survival', variables: ['a'], event: 'b', eventCode: '1' }))).toBe(true)
    expect(columnsNeeded(ask({ variables: ['a', 'b'], group: 'b', start: 'c' }))).toEqual(['a', 'b', 'c'])
  })

  test('that is not there, does not fit or has no row is said, and nothing computed', () => {
    const set = setOf(column('weight', [60, 70]), column('visit', ['V1', 'V1']))
    expect(runAnalysis(ask({ variables: ['height'] }), set)).toEqual({ ok: false, error: 'unknown-variable' })
    expect(runAnalysis(ask({ variables: ['weight'], group: 'weight' }), set)).toEqual({
      ok: false,
      error: 'not-fitting',
    })
    expect(runAnalysis(ask({ variables: ['weight'], visit: 'V9' }), set)).toEqual({ ok: false, error: 'no-rows' })
    expect(runAnalysis(ask({ kind: 'change', variables: ['weight'] }), set)).toEqual({
      ok: false,
      error: 'not-fitting',
    })
  })
})

describe('a description', () => {
  test('is of the rows of a visit, says how many subjects they are, and why what is missing is missing', () => {
    const set = setOf(
      column('weight', [60, { m: 'ND', reason: '' }, null, '约70', 90], { type: 'number' }),
      column('visit', ['V1', 'V1', 'V1', 'V1', 'V2']),
      column('subject_key', ['a', 'a', 'b', 'c', 'a']),
    )
    const {
      rows,
      subjects,
      found: result,
    } = found({ ...ask({ variables: ['weight'], visit: 'V1' }), kind: 'describe' }, set)
    expect([rows, subjects]).toEqual([4, 3])
    expect(result.described[0]).toMatchObject({
      scale: 'number',
      parts: [
        {
          group: null,
          description: {
            value: {
              n: 1,
              mean: 60,
              missing: [
                { reason: 'ND', count: 1 },
                { reason: null, count: 1 },
                { reason: 'no-number', count: 1 },
              ],
            },
          },
        },
      ],
    })
  })

  test('by group has everybody at last, categories by their labels, and who has no group apart', () => {
    const set = setOf(
      column('smokes', [0, 1, 1, 5], { codes: codes('否', '是') }),
      column('arm', [0, 1, null, 1], { codes: ARMS }),
    )
    const { found: result } = found({ ...ask({ variables: ['smokes'], group: 'arm' }), kind: 'describe' }, set)
    const [smokes] = result.described
    expect(smokes?.parts.map(({ group }) => group)).toEqual(['对照组', '试验组', null])
    expect(result.withoutGroup).toEqual([{ reason: null, count: 1 }])
    expect(smokes).toMatchObject({ scale: 'category', categories: codes('否', '是') })
    expect(smokes?.parts.at(-1)).toMatchObject({
      description: { value: { n: 2, missing: [{ reason: 'no-choice', count: 1 }] } },
    })
  })
})

describe('a comparison', () => {
  const compare = (cells: AnalysisColumn['cells'], by: AnalysisColumn, more: Partial<AnalysisColumn> = {}) =>
    found({ ...ask({ variables: ['y'], group: by.name }), kind: 'compare' }, setOf(column('y', cells, more), by)).found

  test('of values that look normal begins with Welch’s t test, of others with the rank-sum test', () => {
    const even = compare([...EVEN, ...EVEN.map((value) => value + 5)], arm(20))
    expect(even.tests.map(({ code }) => code)).toEqual(['welch-t', 'student-t', 'rank-sum'])
    expect(even.favoured).toMatchObject({ by: 'shape', choice: { kind: 'normal', by: 'shapiro-wilk' } })
    expect(even.groups).toEqual(['对照组', '试验组'])
    expect(even.tests[0]?.effects[0]).toMatchObject({ kind: 'mean-difference', result: { value: { estimate: -5 } } })
    const skewed = compare([...SKEWED, ...SKEWED.map((value) => value * 3)], arm(20))
    expect(skewed.tests[0]?.code).toBe('rank-sum')
  })

  test('of more than two groups is an analysis of variance; a group without a value is none', () => {
    const by = column(
      'arm',
      [...EVEN, ...EVEN, ...EVEN, 0].map((_, at) => Math.floor(at / 20)),
      {
        codes: codes('甲', '乙', '丙', '丁'),
      },
    )
    const result = compare([...EVEN, ...EVEN.map((value) => value + 3), ...EVEN.map((value) => value + 6), null], by)
    expect(result.tests.map(({ code }) => code)).toEqual(['welch-anova', 'anova', 'kruskal-wallis'])
    expect(result.groups).toEqual(['甲', '乙', '丙'])
    expect(result.missing).toEqual([{ reason: null, count: 1 }])
  })

  test('of counts begins with χ² where enough is expected, otherwise with Fisher’s; risks are of the yes', () => {
    const yesNo = { codes: codes('否', '是') }
    const many = compare(
      Array.from({ length: 40 }, (_, at) => at % 2),
      arm(20),
      yesNo,
    )
    expect(many.tests.map(({ code }) => code)).toEqual(['chi-square', 'fisher', 'chi-square-yates'])
    expect(many.event).toBe('是')
    const few = compare([1, 1, 1, 0, 0, 0, 0, 0], arm(4), yesNo)
    expect(few.tests[0]?.code).toBe('fisher')
    expect(few.favoured).toMatchObject({ by: 'expected-counts', assumption: { verdict: 'doubtful' } })
    const risk = few.tests.find(({ code }) => code === 'chi-square')?.effects[0]
    expect(risk).toMatchObject({ kind: 'risk-difference', result: { value: { estimate: 0.75 } } })
  })

  test('with one group says that there are too few', () => {
    const result = compare([1, 2, 3, 4], column('arm', [0, 0, 0, 0], { codes: ARMS }))
    expect(result.tests.every(({ result: one }) => !one.ok)).toBe(true)
  })
})

describe('a relation', () => {
  test('of two numbers leaves out who lacks one; of two categories it is a table with labels', () => {
    const numbers = found(
      { ...ask({ variables: ['x', 'y'] }), kind: 'relate' },
      setOf(column('x', [1, 2, 3, 4, null]), column('y', [2, 4, 7, 8, 9])),
    ).found
    expect(numbers).toMatchObject({ of: 'numbers', n: 4, leftOut: 1 })
    const crossed = found(
      { ...ask({ variables: ['arm', 'smokes'] }), kind: 'relate' },
      setOf(arm(2), column('smokes', [0, 1, 1, 1], { codes: codes('否', '是') })),
    ).found
    expect(crossed).toMatchObject({
      of: 'categories',
      event: '是',
      table: { value: { rows: ['对照组', '试验组'], columns: ['否', '是'], total: 4 } },
    })
  })

  test('of a number and a category is a comparison, and says which is which', () => {
    const mixed = found(
      { ...ask({ variables: ['arm', 'x'] }), kind: 'relate' },
      setOf(arm(2), column('x', [1, 2, 3, 4])),
    ).found
    expect(mixed).toEqual({ kind: 'relate', of: 'mixed', number: 'x', category: 'arm' })
  })
})

describe('a course over visits', () => {
  test('follows each subject: changes are of who has both visits, and a second row in a visit is not used', () => {
    const set = setOf(
      column('pain', [8, 6, 7, 3, 99, 4]),
      column('visit', ['V1', 'V1', 'V1', 'V2', 'V2', 'V2'], {
        codes: [
          { code: 'V1', label: '基线' },
          { code: 'V2', label: '第 4 周' },
        ],
      }),
      column('subject_key', ['a', 'b', 'c', 'a', 'a', 'b']),
    )
    const { found: result } = found({ ...ask({ variables: ['pain'] }), kind: 'change' }, set)
    expect(result).toMatchObject({ visits: ['基线', '第 4 周'], repeats: 1 })
    const [all] = result.groups
    expect(all?.points).toMatchObject({
      value: [
        { n: 3, mean: 7 },
        { n: 2, missingCount: 1, mean: 3.5 },
      ],
    })
    expect(all?.changes).toMatchObject([{ visit: '第 4 周', description: { value: { n: 2, mean: -3.5 } } }])
  })
})

describe('a survival', () => {
  const EVENT = column('died', [1, 0, 1, 1, null], { codes: codes('否', '是') })

  test('is of who has a time and a known end, by group with a log-rank test', () => {
    const set = setOf(column('days', [5, 10, 12, null, 20]), EVENT, column('arm', [0, 0, 1, 1, 1], { codes: ARMS }))
    const { found: result } = found(
      { ...ask({ variables: ['days'], event: 'died', eventCode: '1', group: 'arm' }), kind: 'survival' },
      set,
    )
    expect(result).toMatchObject({ event: '是', withoutTime: 1, withoutEvent: 1, isDays: false })
    expect(result.curves.map((curve) => (curve.ok ? [curve.value.group, curve.value.n] : null))).toEqual([
      ['对照组', 2],
      ['试验组', 1],
    ])
    expect(result.test?.code).toBe('log-rank')
  })

  test('counts days from one date to another; one before the other is said, not left out', () => {
    const dates = (...days: readonly string[]) => days
    const set = (last: string) =>
      setOf(
        column('start', dates('2020-01-01', '2020-01-01', '2020-01-01', '2020-01-01', '2020-01-01'), { type: 'date' }),
        column('end', dates('2020-01-11', '2020-01-21', '2020-01-31', last, '2020-01-02'), { type: 'date' }),
        EVENT,
      )
    const request = {
      ...ask({ variables: ['end'], start: 'start', event: 'died', eventCode: '1' }),
      kind: 'survival',
    } as const
    expect(found(request, set('2020-02-10')).found.curves[0]).toMatchObject({ value: { n: 4, steps: { end: 40 } } })
    expect(found(request, set('2019-12-31')).found.curves[0]).toMatchObject({ error: { kind: 'negative-time' } })
  })
})

describe('table one', () => {
  test('tells groups by their codes, also where two have one label, and codes by their labels', () => {
    const set = setOf(
      column('age', [40, 50, 60, 70], { decimals: 0 }),
      column('sex', ['F', 'M', 'F', 'M'], {
        codes: [
          { code: 'F', label: '女' },
          { code: 'M', label: '男' },
        ],
      }),
      column('arm', [0, 0, 1, 1], { codes: codes('组', '组') }),
    )
    const { found: result } = found({ ...ask({ variables: ['age', 'sex'], group: 'arm' }), kind: 'tableOne' }, set)
    expect(result.table).toMatchObject({
      value: {
        columns: [
          { group: '组', n: 2 },
          { group: '组', n: 2 },
        ],
        rows: [
          { id: 'age', decimals: 1 },
          { id: 'sex', categories: [{ label: '女' }, { label: '男' }] },
        ],
      },
    })
  })
})
