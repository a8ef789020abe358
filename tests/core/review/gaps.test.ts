import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'
import type { ComparedItem } from '#core/review/gaps.ts'
import { comparePasses } from '#core/review/gaps.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { compiled, entry } from '#tests/core/form/filling.ts'
import { VARIANTS, rawOf } from '#tests/core/form/randomPages.ts'

const PAGE: readonly Column[] = [
  { prop: 'name', label: '姓名', type: 'input' },
  { prop: 'weight', label: '体重', type: 'number' },
  { prop: 'double', label: '两倍', type: 'number', zl: { calculate: 'page.weight * 2.0' } },
  {
    prop: 'pulse',
    label: '脉象',
    type: 'checkbox',
    dicData: [
      { label: '浮', value: '0' },
      { label: '沉', value: '1' },
    ],
  },
  { prop: 'onset', label: '发病日期', type: 'date', zl: { partial: 'month' } },
  {
    prop: 'drugs',
    label: '用药',
    type: 'dynamic',
    children: {
      column: [
        { prop: 'drug', label: '药名', type: 'input' },
        { prop: 'dose', label: '剂量', type: 'number' },
      ],
    },
  },
]

/** The fields that were compared, each as often as it was. */
function namesOf(compared: readonly ComparedItem[]): readonly string[] {
  return compared.map(({ field, row }) => (row === null ? field.code : `${row.table.code}.${field.code}`)).toSorted()
}

function differing(first: EntryData, second: EntryData) {
  return comparePasses(compiled(PAGE).page, first, second).gaps.map(({ field, row, kind }) => [
    row === null ? field.code : `${row.table.code}[${row.at}].${field.code}`,
    kind,
  ])
}

describe('two passes of a page', () => {
  it.each<[string, JsonValue | undefined, JsonValue | undefined, string | null]>([
    ['pulse', ['0', '1'], '0,1', null],
    ['weight', 65, '65.0', null],
    ['weight', 65, 66, 'different'],
    ['weight', 65, undefined, 'missing'],
    ['name', '', undefined, null],
    ['name', 'Zhang San', 'zhang san', 'case'],
    ['name', 'Zhang  San ', 'Ｚhang San', 'format'],
    ['name', '张三', '张山', 'different'],
    ['onset', '2024-05', '2024-05-01', 'different'],
    ['pulse', ['0'], ['1'], 'different'],
  ])('%s: %j and %j: %s', (prop, one, other, kind) => {
    const data = (value: JsonValue | undefined) => entry(value === undefined ? {} : { [prop]: value })
    expect(differing(data(one), data(other))).toEqual(kind === null ? [] : [[prop, kind]])
  })

  it('differ in why there is no value, and where only one says why', () => {
    const because = (reason: string): EntryData => ({ values: {}, missing: { weight: { m: 'ND', reason } } })
    expect(differing(because('卧床'), because('卧床'))).toEqual([])
    expect(differing(because('卧床'), because('拒绝'))).toEqual([['weight', 'different']])
    expect(differing(because('卧床'), entry({}))).toEqual([['weight', 'missing']])
    expect(differing(because('卧床'), entry({ weight: 65 }))).toEqual([['weight', 'different']])
  })

  it('differ in why a table has no rows; where one has rows, they are the difference, and stand beside the reason of the other', () => {
    const none = (reason: string, rows: readonly JsonValue[] = []): EntryData => ({
      values: rows.length === 0 ? {} : { drugs: rows },
      missing: { drugs: { m: 'NA', reason } },
    })
    const row = (rid: string, more: Record<string, JsonValue> = {}) => ({ _rid: rid, _ord: 'a', drug: '甘草', ...more })
    expect(differing(none('未用药'), none('未用药'))).toEqual([])
    expect(differing(none('未用药'), none('未问'))).toEqual([['drugs', 'different']])
    expect(differing(none('未用药'), entry({}))).toEqual([['drugs', 'missing']])
    expect(differing(none('未用药', [row('a', { _deleted: true })]), entry({}))).toEqual([['drugs', 'missing']])
    const found = comparePasses(compiled(PAGE).page, none('未用药'), entry({ drugs: [row('b')] }))
    expect(found.gaps).toMatchObject([
      {
        kind: 'row',
        first: { value: null, missing: { m: 'NA', reason: '未用药' } },
        second: { value: { drug: '甘草' }, missing: null },
      },
    ])
    // A table that has rows has no such reason, whatever was left with them.
    expect(differing(none('未用药', [row('a')]), entry({ drugs: [row('b')] }))).toEqual([])
    expect(comparePasses(compiled(PAGE).page, none('未用药'), none('未用药')).compared).toMatchObject([
      { field: { code: 'drugs' }, row: null, gap: null },
    ])
  })

  it('do not differ in what is calculated', () => {
    expect(differing(entry({ weight: 65, double: 130 }), entry({ weight: 65, double: 131 }))).toEqual([])
  })

  it('are compared row by row in the order of the rows, without those taken away; a row too many is one that only one has', () => {
    const row = (rid: string, order: string, more: Record<string, JsonValue>) => ({ _rid: rid, _ord: order, ...more })
    const first = entry({
      drugs: [row('a', 'a1', { drug: '黄芪', dose: 9 }), row('b', 'a0', { drug: '甘草', dose: 6 })],
    })
    const second = entry({
      drugs: [
        row('c', 'a0', { drug: '甘草', dose: 3 }),
        row('d', 'a1', { drug: '人参', _deleted: true }),
        row('e', 'a2', { drug: '黄芪', dose: 9 }),
        row('f', 'a3', { drug: '当归' }),
      ],
    })
    expect(differing(first, second)).toEqual([
      ['drugs[0].dose', 'different'],
      ['drugs[2].drugs', 'row'],
    ])
  })
})

describe('rows with key columns', () => {
  const KEYED: readonly Column[] = [
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      zl: { rowKey: ['drug'] },
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          { prop: 'dose', label: '剂量', type: 'number' },
          { prop: 'photo', label: '照片', type: 'upload' },
        ],
      },
    },
  ]
  const row = (rid: string, more: Record<string, JsonValue>) => ({ _rid: rid, _ord: rid, ...more })
  const compare = (first: JsonValue, second: JsonValue) =>
    comparePasses(compiled(KEYED).page, entry({ drugs: first }), entry({ drugs: second }))

  it('are found again wherever they stand, and however the key is written', () => {
    const { gaps, compared } = compare(
      [row('a', { drug: '黄芪', dose: 9 }), row('b', { drug: 'Ginseng', dose: 6 })],
      [row('c', { drug: ' ginseng', dose: 6 }), row('d', { drug: '黄芪', dose: 10 })],
    )
    expect(gaps.map(({ key, kind, first, second }) => [key, kind, first.value, second.value])).toEqual([
      ['drugs.a.dose', 'different', 9, 10],
      ['drugs.b.drug', 'case', 'Ginseng', ' ginseng'],
    ])
    expect(namesOf(compared)).toEqual(['drugs.dose', 'drugs.dose', 'drugs.drug', 'drugs.drug'])
  })

  it('stand alone where only one pass has the key; of two with one key the first is the first', () => {
    const { gaps } = compare(
      [row('a', { drug: '黄芪', dose: 9 }), row('b', { drug: '黄芪', dose: 3 })],
      [row('c', { drug: '黄芪', dose: 9 }), row('d', { drug: '当归', dose: 5 })],
    )
    expect(
      gaps.map(({ key, kind, row: pair, first, second }) => [
        key,
        kind,
        pair?.first,
        pair?.second,
        first.value,
        second.value,
      ]),
    ).toEqual([
      ['drugs.b._row', 'row', 'b', null, { drug: '黄芪', dose: 3 }, null],
      ['drugs.d._row', 'row', null, 'd', null, { drug: '当归', dose: 5 }],
    ])
  })

  it('with the same photo under two ids do not differ', () => {
    const photo = (id: string, hash: string) => [{ id, name: 'a.jpg', type: 'image/jpeg', size: 1, hash }]
    expect(
      compare(
        [row('a', { drug: '黄芪', photo: photo('1', 'x') })],
        [row('c', { drug: '黄芪', photo: photo('2', 'x') })],
      ).gaps,
    ).toEqual([])
    expect(
      compare(
        [row('a', { drug: '黄芪', photo: photo('1', 'x') })],
        [row('c', { drug: '黄芪', photo: photo('2', 'y') })],
      ).gaps,
    ).toHaveLength(1)
  })
})

describe('whatever two entries hold', () => {
  const data = fc.tuple(...VARIANTS.map((column) => fc.option(rawOf(column)))).map((values): EntryData => ({
    values: Object.fromEntries(
      values.flatMap((value, at) => (value === null ? [] : [[VARIANTS[at]?.prop ?? '', value as JsonValue]])),
    ),
    missing: {},
  }))
  const { page } = compiled(VARIANTS)

  it('an entry does not differ from itself, and two differ the same either way round', () => {
    fc.assert(
      fc.property(data, data, (one, other) => {
        expect(comparePasses(page, one, one).gaps).toEqual([])
        const [there, back] = [comparePasses(page, one, other), comparePasses(page, other, one)]
        expect(
          back.gaps.map(({ field, kind, first, second }) => ({ field, kind, first: second, second: first })),
        ).toEqual(there.gaps.map(({ field, kind, first, second }) => ({ field, kind, first, second })))
        expect(namesOf(back.compared)).toEqual(namesOf(there.compared))
      }),
      { numRuns: 60 },
    )
  })
})
