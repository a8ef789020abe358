import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Column } from '#core/form/definition/column.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'
import type { MigrationMappings } from '#core/study/migration/migrationMappings.ts'
import { NO_MAPPINGS } from '#core/study/migration/migrationMappings.ts'
import { contentNow, migrateChange, nowAt, placeBefore } from '#core/study/migration/migrateChange.ts'
import type { MigratedEntry } from '#core/study/migration/migrateEntry.ts'
import { migrateEntry } from '#core/study/migration/migrateEntry.ts'
import { changesNothing, mappingProblems, planPage } from '#core/study/migration/migrationPlan.ts'
import type { ItemChange } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { contentAt, mergeEntry } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'

/**
 * What becomes of what was entered when a version changes its page: everything has a place, in the data or beside them.
 */

const PAGE = '018f0000-0000-7000-8000-0000000000f1'
const RID = '018f0000-0000-7000-8000-00000000000a'

function model(columns: readonly Column[]): PageModel {
  const parsed = parsePage(JSON.stringify({ column: columns }))
  if (!parsed.ok) throw new Error(parsed.error.kind)
  return parsed.page
}

const choices = (...items: readonly (readonly [string, string])[]) => items.map(([value, label]) => ({ value, label }))
const input = (prop: string): Column => ({ prop, label: prop, type: 'input' })
const said = (more: Partial<MigrationMappings>): MigrationMappings => ({ ...NO_MAPPINGS, ...more })
const rename = (from: string, to: string, table: string | null = null): MigrationMappings =>
  said({ fields: [{ pageId: PAGE, table, from, to }] })
const plan = (before: readonly Column[], after: readonly Column[], mappings: MigrationMappings = NO_MAPPINGS) =>
  planPage(model(before), model(after), mappings)

function migrated(
  before: readonly Column[],
  after: readonly Column[],
  values: EntryData['values'],
  mappings?: MigrationMappings,
  missing: EntryData['missing'] = {},
): MigratedEntry {
  return migrateEntry(plan(before, after, mappings), { values, missing })
}

/** What one value of a field becomes when the field is defined anew under its code. */
function becomes(
  before: Omit<Column, 'prop' | 'label'>,
  after: Omit<Column, 'prop' | 'label'>,
  value: JsonValue,
): { readonly value: JsonValue | undefined; readonly fate: string } {
  const { data, moved, retired, unconverted } = migrated(
    [{ prop: 'x', label: 'x', ...before }],
    [{ prop: 'x', label: 'x', ...after }],
    { x: value },
  )
  const fate =
    retired.length > 0 ? 'retired' : unconverted.length > 0 ? 'to convert' : moved.length > 0 ? 'converted' : 'same'
  return { value: retired[0]?.content.value ?? data.values['x'], fate }
}

describe('the plan of a page', () => {
  test('says of each field whether it goes on, is written otherwise, is retired or new', () => {
    const number: Column = { prop: 'pulse', label: '脉搏', type: 'number' }
    const { fields } = plan(
      [number, input('note'), input('gone')],
      [{ ...number, type: 'input' }, input('note'), input('fresh')],
    )
    expect(fields.map((one) => [one.kind, one.kind === 'retired' ? one.from.code : one.to.code])).toEqual([
      ['converted', 'pulse'],
      ['mapped', 'note'],
      ['new', 'fresh'],
      ['retired', 'gone'],
    ])
  })

  test('of a page that only looks otherwise changes nothing', () => {
    expect(
      changesNothing(plan([input('note')], [{ ...input('note'), label: '备注', required: true }, input('more')])),
    ).toBe(true)
    expect(changesNothing(plan([input('note')], [input('remark')], rename('note', 'remark')))).toBe(false)
  })

  test('takes a person’s word before codes: a field now has the values of one field before', () => {
    const { data, retired } = migrated(
      [input('a'), input('b')],
      [input('b')],
      { a: 'from a', b: 'from b' },
      rename('a', 'b'),
    )
    expect(data.values).toEqual({ b: 'from a' })
    expect(retired).toMatchObject([{ code: 'b', content: { value: 'from b' }, why: 'removed' }])
  })

  test('refuses a word about what is not there, about two fields for one, and about a table for a value', () => {
    const table: Column = { prop: 'drugs', label: '用药', type: 'dynamic', children: { column: [input('name')] } }
    const pages = new Map([
      [
        PAGE,
        { before: model([input('a'), input('b'), table]), after: model([input('c'), { ...table, prop: 'meds' }]) },
      ],
    ])
    const fields = (...list: readonly [string, string, (string | null)?][]) =>
      mappingProblems(
        said({ fields: list.map(([from, to, of = null]) => ({ pageId: PAGE, table: of, from, to })) }),
        pages,
      )
    expect(fields(['a', 'c'])).toEqual([])
    expect(fields(['a', 'c'], ['b', 'c'])).toEqual(['fields.1'])
    expect(fields(['a', 'nowhere'], ['zzz', 'c'], ['a', 'meds'])).toEqual(['fields.0', 'fields.1', 'fields.2'])
    expect(fields(['drugs', 'meds'], ['name', 'name', 'drugs'])).toEqual([])
    expect(
      mappingProblems(said({ choices: [{ pageId: PAGE, table: null, code: 'a', from: '1', to: '2' }] }), pages),
    ).toEqual(['choices.0'])
  })
})

describe('a value', () => {
  const yesNo = { type: 'radio', dicData: choices(['1', '是'], ['0', '否']) } as const
  test.each([
    ['a number becomes text', { type: 'number' }, { type: 'input' }, 1.5, '1.5', 'converted'],
    ['text that is a number becomes one', { type: 'input' }, { type: 'number' }, '1.50', 1.5, 'converted'],
    ['text that is none stays, to be put right', { type: 'input' }, { type: 'number' }, '约70', '约70', 'to convert'],
    ['a code with zeros before it never loses them', { type: 'input' }, { type: 'number' }, '007', '007', 'retired'],
    [
      'more digits than a number holds stay',
      { type: 'input' },
      { type: 'number' },
      '12345678901234567890',
      '12345678901234567890',
      'to convert',
    ],
    ['a date becomes text', { type: 'date' }, { type: 'input' }, '2026-05-06', '2026-05-06', 'same'],
    ['text that is a date becomes one', { type: 'input' }, { type: 'date' }, '2026年5月6日', '2026-05-06', 'converted'],
    ['text that is none stays', { type: 'input' }, { type: 'date' }, '五月', '五月', 'to convert'],
    [
      'an instant is never cut to its day',
      { type: 'datetime' },
      { type: 'date' },
      '2026-05-06 07:08:09',
      '2026-05-06 07:08:09',
      'to convert',
    ],
    [
      'a day is given no time that nobody said',
      { type: 'date' },
      { type: 'datetime' },
      '2026-05-06',
      '2026-05-06',
      'to convert',
    ],
    ['one line and several hold the same', { type: 'input' }, { type: 'textarea' }, 'a,b', 'a,b', 'same'],
    ['a choice becomes one of several', yesNo, { ...yesNo, type: 'checkbox' }, '1', ['1'], 'converted'],
    ['several that are one become it', { ...yesNo, type: 'checkbox' }, yesNo, ['0'], '0', 'converted'],
    ['several have no place where one goes', { ...yesNo, type: 'checkbox' }, yesNo, ['1', '0'], ['1', '0'], 'retired'],
    ['a choice becomes the words that it stood for', yesNo, { type: 'input' }, '1', '是', 'converted'],
    ['words become the choice of that name', { type: 'input' }, yesNo, '否', '0', 'converted'],
    ['and stay where there is none', { type: 'input' }, yesNo, '不详', '不详', 'to convert'],
    [
      'a text with commas is never read as several',
      { type: 'input' },
      { ...yesNo, type: 'checkbox' },
      '甲,乙',
      ['甲,乙'],
      'to convert',
    ],
    [
      'files have no place in a text',
      { type: 'upload' },
      { type: 'input' },
      [{ id: 'f', name: 'n' }],
      [{ id: 'f', name: 'n' }],
      'retired',
    ],
    [
      'rows have none among files',
      { type: 'dynamic', children: { column: [input('n')] } },
      { type: 'upload' },
      [{ _rid: RID, _ord: 'a', n: 'x' }],
      [{ _rid: RID, _ord: 'a', n: 'x' }],
      'retired',
    ],
  ] as readonly (readonly [
    string,
    Omit<Column, 'prop' | 'label'>,
    Omit<Column, 'prop' | 'label'>,
    JsonValue,
    JsonValue,
    string,
  ])[])('%s', (_what, before, after, from, to, fate) => {
    expect(becomes(before, after, from)).toEqual({ value: to, fate })
  })
})

describe('a list of choices', () => {
  const radio = (...dicData: readonly (readonly [string, string])[]) =>
    ({ type: 'radio', dicData: choices(...dicData) }) as const

  test('whose values changed goes by what they mean', () => {
    expect(becomes(radio(['1', '是'], ['0', '否']), radio(['Y', '是'], ['N', '否']), '1')).toEqual({
      value: 'Y',
      fate: 'converted',
    })
    // Two values that changed places still mean what whoever chose them read.
    expect(becomes(radio(['1', '男'], ['2', '女']), radio(['1', '女'], ['2', '男']), '1')).toEqual({
      value: '2',
      fate: 'converted',
    })
  })

  test('whose words changed keeps its values; a value that is gone stays, to be put right', () => {
    expect(becomes(radio(['dh', '淡红']), radio(['dh', '淡红舌']), 'dh')).toEqual({ value: 'dh', fate: 'same' })
    expect(becomes(radio(['a', '甲'], ['b', '乙']), radio(['a', '甲']), 'b')).toEqual({
      value: 'b',
      fate: 'to convert',
    })
  })

  test('goes by what a person said, also of several at once', () => {
    const [before, after] = [radio(['a', '甲'], ['b', '乙']), radio(['c', '丙'], ['d', '丁'])]
    const mappings = said({ choices: [{ pageId: PAGE, table: null, code: 'x', from: 'a', to: 'c' }] })
    const many = (type: 'radio' | 'checkbox', value: JsonValue) =>
      migrated(
        [{ prop: 'x', label: 'x', ...before, type }],
        [{ prop: 'x', label: 'x', ...after, type }],
        { x: value },
        mappings,
      )
    expect(many('radio', 'a').data.values).toEqual({ x: 'c' })
    const { data, moved, unconverted } = many('checkbox', ['a', 'b'])
    expect(data.values).toEqual({ x: ['c', 'b'] })
    expect(moved).toMatchObject([{ old: { value: ['a', 'b'] }, now: { value: ['c', 'b'] } }])
    expect(unconverted).toMatchObject([{ code: 'x', content: { value: ['c', 'b'] } }])
  })

  test('below others is found by its whole way down', () => {
    const tree = (leaf: string): Omit<Column, 'prop' | 'label'> => ({
      type: 'cascader',
      dicData: [{ value: 'g', label: '贵州', children: [{ value: leaf, label: '贵阳' }] }],
    })
    expect(becomes(tree('gy'), tree('gy'), ['g', 'gy'])).toEqual({ value: ['g', 'gy'], fate: 'same' })
    expect(becomes(tree('gy'), tree('01'), ['g', 'gy'])).toEqual({ value: ['g', '01'], fate: 'converted' })
  })
})

describe('a table', () => {
  const drugs = (prop: string, ...columns: readonly Column[]): Column => ({
    prop,
    label: '用药',
    type: 'dynamic',
    children: { column: columns },
  })
  const row = (items: Readonly<Record<string, JsonValue>>) => ({ _rid: RID, _ord: 'a', ...items })

  test('keeps its rows with their places and states when it and its columns get other codes', () => {
    const mappings = said({
      fields: [
        { pageId: PAGE, table: null, from: 'drugs', to: 'meds' },
        { pageId: PAGE, table: 'drugs', from: 'name', to: 'generic' },
      ],
    })
    const before = [drugs('drugs', input('name'), { prop: 'dose', label: '剂量', type: 'number' })]
    const after = [drugs('meds', input('generic'), input('dose'))]
    const { data, retired } = migrated(
      before,
      after,
      { drugs: [{ ...row({ name: '丹参', dose: 3 }), _deleted: true }] },
      mappings,
      { [`${RID}.name`]: { m: 'UNK', reason: '未记' } },
    )
    expect(data).toEqual({
      values: { meds: [{ _rid: RID, _ord: 'a', _deleted: true, generic: '丹参', dose: '3' }] },
      missing: { [`${RID}.generic`]: { m: 'UNK', reason: '未记' } },
    })
    expect(retired).toEqual([])
  })

  test('that loses a column keeps its values beside the data, by row', () => {
    const { data, retired } = migrated(
      [drugs('drugs', input('name'), input('dose'))],
      [drugs('drugs', input('name'))],
      { drugs: [row({ name: '丹参', dose: '3g' })] },
    )
    expect(data.values).toEqual({ drugs: [row({ name: '丹参' })] })
    expect(retired).toMatchObject([{ table: 'drugs', rid: RID, code: 'dose', content: { value: '3g' } }])
  })

  test('that is gone goes as a whole, with the reasons in its rows', () => {
    const { data, retired } = migrated(
      [drugs('drugs', input('name'))],
      [input('x')],
      { drugs: [row({ name: '丹参' })] },
      NO_MAPPINGS,
      { [`${RID}.name`]: { m: 'NA', reason: '' } },
    )
    expect(data).toEqual({ values: {}, missing: {} })
    expect(retired).toMatchObject([
      { table: null, code: 'drugs', content: { value: [row({ name: '丹参' })] } },
      { table: 'drugs', rid: RID, code: 'name', content: { missing: { m: 'NA' } } },
    ])
  })
})

describe('a change that was made under the version before', () => {
  const item = (code: string, base: JsonValue, to: JsonValue, more: Partial<ItemChange> = {}): ItemChange => ({
    table: null,
    rid: null,
    code,
    to: { value: to, missing: null },
    base: { value: base, missing: null },
    isShow: 1,
    reason: null,
    ...more,
  })
  const before: readonly Column[] = [
    input('note'),
    { prop: 'sex', label: '性别', type: 'radio', dicData: choices(['1', '男'], ['2', '女']) },
    input('gone'),
  ]
  const after: readonly Column[] = [
    input('remark'),
    { prop: 'sex', label: '性别', type: 'radio', dicData: choices(['M', '男'], ['F', '女']) },
  ]
  const own = plan(before, after, rename('note', 'remark'))

  test('has the effect on the migrated data that it would have had before', () => {
    const { data } = migrateEntry(own, { values: { note: 'old', sex: '1', gone: 'x' }, missing: {} })
    const change = migrateChange(own, {
      items: [item('note', 'old', 'new'), item('sex', '1', '2'), item('gone', 'x', 'y')],
      rows: [],
      journal: [],
    })
    const merged = mergeEntry(data, change)
    expect(merged.data.values).toEqual({ remark: 'new', sex: 'F' })
    expect(merged.collisions).toEqual([])
    expect(change.retired).toEqual([item('gone', 'x', 'y')])
  })

  test('still meets another’s will as a conflict, in the words of now', () => {
    const merged = mergeEntry(
      { values: { sex: 'F' }, missing: {} },
      migrateChange(own, { items: [item('sex', '1', '2'), item('sex', null, '1')], rows: [], journal: [] }),
    )
    expect(merged.collisions).toMatchObject([{ code: 'sex', server: { value: 'F' }, mine: { value: 'M' } }])
  })

  test('stays one where the release makes one value of what was seen and what was wanted', () => {
    const numbers = plan([input('weight')], [{ ...input('weight'), type: 'number' }])
    const now = { values: { weight: 70 }, missing: {} }
    const merged = (wants: string) =>
      mergeEntry(now, migrateChange(numbers, { items: [item('weight', '65', wants)], rows: [], journal: [] }))
    expect(merged('65.0').collisions).toMatchObject([{ code: 'weight', server: { value: 70 }, mine: { value: 65 } }])
    expect(merged('65').collisions).toEqual([])
  })

  test('to rows of a table follows the table; where the table is gone, it is kept beside the data', () => {
    const table = (prop: string, child: string): Column => ({
      prop,
      label: '用药',
      type: 'dynamic',
      children: { column: [input(child)] },
    })
    const moved = plan(
      [table('drugs', 'name')],
      [table('meds', 'generic')],
      said({ fields: [...rename('drugs', 'meds').fields, ...rename('name', 'generic', 'drugs').fields] }),
    )
    const rows = [
      {
        table: 'drugs',
        rid: RID,
        to: { deleted: true, order: 'a' },
        base: { deleted: false, order: 'a' },
        seen: { name: '丹参' },
        reason: null,
      },
    ]
    expect(migrateChange(moved, { items: [], rows, journal: [] }).rows).toMatchObject([
      { table: 'meds', seen: { generic: '丹参' } },
    ])
    const gone = migrateChange(plan([table('drugs', 'name')], [input('x')]), {
      items: [item('name', null, '丹参', { table: 'drugs', rid: RID })],
      rows,
      journal: [],
    })
    expect(gone).toMatchObject({
      items: [],
      rows: [],
      retired: [{ code: 'name' }, { code: '_row', to: { value: { deleted: true } } }],
    })
  })

  test('and places are found in both directions', () => {
    const note = { table: null, rid: null, code: 'note' }
    expect(nowAt(own, note)).toEqual({ ...note, code: 'remark' })
    expect(placeBefore(own, { ...note, code: 'remark' })).toEqual(note)
    expect(placeBefore(own, { ...note, code: 'nowhere' })).toBeNull()
    expect(contentNow(own, { ...note, code: 'sex' }, { value: '2', missing: null })).toEqual({
      value: 'F',
      missing: null,
    })
  })
})

describe('whatever was entered and however the page changes', () => {
  const CODES = ['a', 'b', 'c', 'd']
  const types = fc.constantFrom<Partial<Column>>(
    { type: 'input' },
    { type: 'number' },
    { type: 'date' },
    { type: 'textarea' },
    { type: 'array' },
    { type: 'upload' },
    { type: 'slider', range: true },
    { type: 'daterange' },
    { type: 'radio', dicData: choices(['1', '是'], ['2', '否']) },
    { type: 'checkbox', dicData: choices(['2', '是'], ['3', '甲']) },
    { type: 'cascader', dicData: [{ value: 'g', label: 'g', children: [{ value: '1', label: '是' }] }] },
    { type: 'title' },
  )
  const columnsOf = (codes: readonly string[], kind: fc.Arbitrary<Partial<Column>>) =>
    fc
      .subarray([...codes])
      .chain((some) =>
        fc.tuple(...some.map((prop) => kind.map((more): Column => ({ prop, label: prop, type: 'input', ...more })))),
      )
  const table = columnsOf(['p', 'q'], types).map((column): Partial<Column> => ({
    type: 'dynamic',
    children: { column },
  }))
  const page = columnsOf(CODES, fc.oneof({ weight: 3, arbitrary: types }, { weight: 1, arbitrary: table }))
  const scalar = fc.oneof(
    fc.constantFrom<JsonValue>('1', '2', '007', '1.50', 'x,y', '', '2026-05-06', '是', 3),
    fc.constant(null),
    fc.constantFrom<JsonValue>(['1', '3'], ['g', '1'], [{ id: 'f', name: 'n' }], [1, 2]),
  )
  const rows = fc
    .array(fc.dictionary(fc.constantFrom('p', 'q', 'r'), scalar), { minLength: 1, maxLength: 2 })
    .map((list) => list.map((one, at): JsonValue => ({ ...one, _rid: `${RID.slice(0, -1)}${at}`, _ord: 'a' })))
  const missing = fc.dictionary(
    fc.constantFrom(...CODES, `${RID.slice(0, -1)}0.p`),
    fc.constant({ m: 'ND' as const, reason: '' }),
  )
  const renames = fc.array(
    fc.record({
      pageId: fc.constant(PAGE),
      table: fc.constant(null),
      from: fc.constantFrom(...CODES),
      to: fc.constantFrom(...CODES),
    }),
    { maxLength: 3 },
  )

  test('every value and reason is in the data where the plan says, or retired as it was', () => {
    fc.assert(
      fc.property(
        page,
        page,
        fc.dictionary(fc.constantFrom(...CODES), fc.oneof(scalar, rows)),
        missing,
        renames,
        (before, after, values, reasons, fields) => {
          const made = planPage(model(before), model(after), said({ fields }))
          const out = migrateEntry(made, { values, missing: reasons })
          const everything = [...leaves({ values, missing: reasons })]
          for (const { key, value } of everything) {
            const stands = [...leaves(out.data)].some((one) => one.key === key && jsonEqual(one.value, value))
            const moved = out.moved
              .flatMap(({ from, old }) => [...leavesOf({ ...from, content: old })])
              .some((one) => one.key === key && jsonEqual(one.value, value))
            const retired = out.retired
              .flatMap((one) => [...leavesOf(one)])
              .some((one) => one.key === key && jsonEqual(one.value, value))
            expect(stands || moved || retired, `${key} = ${JSON.stringify(value)}`).toBe(true)
          }
          // What moved is really where it is said to be.
          for (const { to, now } of out.moved.filter((one) => !isEmpty(one.now.value)))
            expect(valueAt(out.data, to)).toEqual(now.value)
        },
      ),
      { numRuns: 2000 },
    )
  })

  /** Rows too, which `contentAt` shows in no item: here they stand in fields that are no tables. */
  const valueAt = (data: EntryData, place: ItemPlace) =>
    place.table === null ? data.values[place.code] : contentAt(data, place)?.value
  const keyOf = ({
    table: of,
    rid,
    code,
  }: {
    readonly table: string | null
    readonly rid: string | null
    readonly code: string
  }) => [of ?? '', (rid ?? '').replaceAll('"', ''), code].join('/')
  const isEmpty = (value: JsonValue) => value === null || value === '' || (Array.isArray(value) && value.length === 0)

  function* leaves(data: EntryData): Iterable<{ readonly key: string; readonly value: JsonValue }> {
    for (const [code, value] of Object.entries(data.values))
      yield* leavesOf({ table: null, rid: null, code, content: { value, missing: null } })
    for (const [key, reason] of Object.entries(data.missing)) {
      const [rid = '', code] = key.split('.')
      // In which table a row is says the table.
      if (code === undefined)
        yield { key: keyOf({ table: null, rid: null, code: rid }), value: { reason: { ...reason } } }
    }
  }

  function* leavesOf(item: {
    readonly table: string | null
    readonly rid: string | null
    readonly code: string
    readonly content: {
      readonly value: JsonValue
      readonly missing: { readonly m: string; readonly reason: string } | null
    }
  }): Iterable<{ readonly key: string; readonly value: JsonValue }> {
    const { value, missing: reason } = item.content
    if (reason !== null) yield { key: keyOf(item), value: { reason: { ...reason } } }
    if (isEmpty(value)) return
    if (
      !Array.isArray(value) ||
      !value.every((row: JsonValue) => typeof row === 'object' && row !== null && '_rid' in row)
    ) {
      yield { key: keyOf(item), value }
      return
    }
    for (const row of value as readonly Readonly<Record<string, JsonValue>>[]) {
      for (const [code, inside] of Object.entries(row)) {
        if (!code.startsWith('_') && !isEmpty(inside))
          yield { key: keyOf({ table: item.code, rid: JSON.stringify(row['_rid']), code }), value: inside }
      }
    }
  }
})
