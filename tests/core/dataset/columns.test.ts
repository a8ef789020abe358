import { describe, expect, it } from 'vitest'
import { cellsOfEntry, columnsOfPage, rowsOfTable } from '#core/dataset/pageColumns.ts'
import type { PageColumnOptions } from '#core/dataset/pageColumns.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import { PAGE, model } from './fixtures.ts'

/** The variables of a page over its versions, and what stands in them. */

type Versions = readonly (readonly object[])[]
const YES_NO = [
  { label: '是', value: '1' },
  { label: '否', value: '0' },
]
const FILE = {
  id: '0190a000-0000-7000-8000-0000000000d1',
  name: '舌象.jpg',
  type: 'image/jpeg',
  size: 1,
  hash: 'a'.repeat(64),
}

function columnsOf(versions: Versions, more: Partial<PageColumnOptions> = {}) {
  const options: PageColumnOptions = {
    language: 'zh',
    values: 'codes',
    reasons: false,
    isChosen: () => true,
    taken: [],
    ...more,
  }
  return columnsOfPage({ pageId: PAGE, models: versions.map(model) }, options)
}

interface Said {
  readonly options?: Partial<PageColumnOptions>
  readonly missing?: EntryData['missing']
  readonly hidden?: readonly string[]
}

function cells(versions: Versions, values: Readonly<Record<string, JsonValue>>, said: Said = {}) {
  const { columns } = columnsOf(versions, said.options)
  const row = cellsOfEntry(columns, { values, missing: said.missing ?? {} }, new Set(said.hidden))
  return Object.fromEntries(columns.map(({ variable }, at) => [variable.name, row[at]]))
}

describe('a field of each type', () => {
  it.each([
    [{ type: 'input' }, '甲', { x: '甲' }],
    [{ type: 'textarea' }, '一\n二', { x: '一\n二' }],
    [{ type: 'number' }, 7.5, { x: 7.5 }],
    [{ type: 'slider' }, 3, { x: 3 }],
    [{ type: 'radio', dicData: YES_NO }, '1', { x: 1 }],
    [{ type: 'select', dicData: [{ label: '甲', value: 'a' }] }, 'a', { x: 'a' }],
    [{ type: 'checkbox', dicData: YES_NO }, ['1', '0'], { x: '1; 0', x___1: 1, x___0: 1 }],
    [{ type: 'date' }, '2026-01-02', { x: '2026-01-02' }],
    [{ type: 'datetime' }, '2026-01-02 03:04:05', { x: '2026-01-02 03:04:05' }],
    [{ type: 'time' }, '03:04:05', { x: '03:04:05' }],
    [{ type: 'daterange' }, ['2026-01-02', '2026-01-09'], { x_start: '2026-01-02', x_end: '2026-01-09' }],
    [{ type: 'year' }, '2026', { x: '2026' }],
    [{ type: 'month' }, '2026-01', { x: '2026-01' }],
    [{ type: 'upload' }, [FILE], { x: '舌象.jpg' }],
  ] as readonly (readonly [object, JsonValue, object])[])('%o has its variables', (field, value, expected) => {
    expect(cells([[{ prop: 'x', label: '甲', ...field }]], { x: value })).toEqual(expected)
  })

  it('that says nothing to be entered has none', () => {
    expect(columnsOf([[{ prop: 't', label: '标题', type: 'title' }]]).columns).toEqual([])
  })
})

describe('what stands in a cell', () => {
  const weight = [{ prop: 'weight', label: '体重', type: 'number' }]
  const smokes = [{ prop: 'smokes', label: '吸烟', type: 'radio', dicData: YES_NO }]

  it('is the text that was entered where it is no value of the field', () => {
    expect(cells([weight], { weight: '约70' })).toEqual({ weight: '约70' })
  })

  it('is why there is no value, with its words beside it where they are asked for', () => {
    const why = { m: 'ND', reason: '卧床' } as const
    const said = { missing: { weight: why }, options: { reasons: true } }
    expect(cells([weight], {}, said)).toEqual({ weight: why, weight_reason: '卧床' })
  })

  it('is nothing where rules hide the field, whatever is kept', () => {
    expect(cells([weight], { weight: 70 }, { hidden: ['weight'] })).toEqual({ weight: null })
  })

  it('is a label beside the code, or in its place, as it is asked for', () => {
    const both = { options: { values: 'both' } } as const
    expect(cells([smokes], { smokes: '1' }, both)).toEqual({ smokes: 1, smokes_label: '是' })
    expect(cells([smokes], { smokes: '1' }, { options: { values: 'labels' } })).toEqual({ smokes: '是' })
  })
})

describe('a field over two versions', () => {
  it('is one variable with the newest words, and with the choices of both', () => {
    const now = [{ prop: 'arm', label: '分组', type: 'radio', dicData: [{ label: '甲组', value: 'a' }] }]
    const before = [{ prop: 'arm', label: '组别', type: 'radio', dicData: [{ label: '乙组', value: 'b' }] }]
    const [column] = columnsOf([now, before]).columns
    expect(column?.variable.label).toBe('分组')
    expect(column?.variable.codes.map(({ code }) => code)).toEqual(['a', 'b'])
    expect(cells([now, before], { arm: 'b' }, { options: { values: 'labels' } })).toEqual({ arm: '乙组' })
  })

  it('that only the older one has stays a variable', () => {
    const one = (prop: string) => [{ prop, label: '甲', type: 'input' }]
    expect(columnsOf([one('a'), one('b')]).columns.map(({ variable }) => variable.name)).toEqual(['a', 'b'])
  })
})

describe('a table of a page', () => {
  const column = [
    { prop: 'drug', label: '药名', type: 'input' },
    { prop: 'dose', label: '剂量', type: 'number' },
  ]
  const drugs = [{ prop: 'drugs', label: '用药', type: 'dynamic', children: { column } }]
  const values = {
    drugs: [
      { _rid: 'r2', _ord: 'B', drug: '乙', dose: '半片' },
      { _rid: 'r1', _ord: 'A', drug: '甲', dose: 5 },
      { _rid: 'r3', _ord: 'C', _deleted: true, drug: '丙' },
    ],
  }

  it('has its rows in their order, without deleted ones and without what is hidden', () => {
    const { columns, tables } = columnsOf([drugs])
    expect(columns).toEqual([])
    const [table] = tables
    if (table === undefined) throw new Error('no table')
    const read = (hidden: string) => rowsOfTable(table, { values, missing: {} }, new Set([hidden]))
    expect(read('drugs.r1.dose').map((row) => row.cells)).toEqual([
      ['甲', null],
      ['乙', '半片'],
    ])
    expect(read('drugs')).toEqual([])
  })
})

describe('names', () => {
  const named = (...props: readonly string[]) => [props.map((prop) => ({ prop, label: '甲', type: 'input' }))]
  const namesOf = (versions: Versions, more: Partial<PageColumnOptions>) =>
    columnsOf(versions, more).columns.map(({ variable }) => variable.name)

  it('are unique without regard to case, also beside those that are taken', () => {
    const names = namesOf(named('visit', 'A', 'a', 'a_2'), { taken: ['visit'] })
    expect(names).toEqual(['visit_2', 'A', 'a_2', 'a_2_2'])
  })

  it('leave out what was not chosen', () => {
    expect(namesOf(named('a', 'b'), { isChosen: ({ code }) => code === 'b' })).toEqual(['b'])
  })
})
