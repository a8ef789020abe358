import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StudyDefinition } from '#core/exchange/definition.ts'
import { readJson, writeJson } from '#core/exchange/json/json.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readWorkbook } from '#core/exchange/workbook/read.ts'
import { writeWorkbook } from '#core/exchange/workbook/write.ts'
import type { Column } from '#core/form/definition/column.ts'
import { FIELD_TYPES } from '#core/form/definition/column.ts'

import { VITALS } from '../../form/filling.ts'
import { DICTIONARIES, XLS_FORMS, samplePath } from '../samples.ts'
import type { Cells } from '../sheet/making.ts'
import { workbook } from '../sheet/making.ts'

/** The two formats of ours: what is written is read again word for word, and what a person fills in becomes a study. */

type Study = Pick<StudyDefinition, 'pages' | 'folders'>

function fromWorkbook(study: Study): Study {
  const read = readSheets(writeWorkbook(study))
  if (!read.ok) throw new Error(read.error.kind)
  return only(readWorkbook(read.sheets))
}

function only(result: ReturnType<typeof readJson>): Study & Pick<StudyDefinition, 'notCarried'> {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  const { pages, folders, notCarried } = result.definition
  return { pages, folders, notCarried }
}

/** What became of a study on its way through each of the two. */
function throughBoth(study: Study): readonly unknown[] {
  return [only(readJson(writeJson(study))), fromWorkbook(study)]
}

function unchanged({ pages, folders }: Study): readonly unknown[] {
  const same = { pages, folders, notCarried: [] }
  return [same, same]
}

const COLUMNS: readonly Column[] = [
  ...VITALS,
  {
    prop: 'drugs',
    label: '用药',
    type: 'dynamic',
    zl: { rowKey: ['drug'] },
    children: {
      type: 'form',
      limit: 5,
      column: [
        { prop: 'drug', label: '药名', type: 'input' },
        {
          prop: 'dose',
          label: '剂量',
          type: 'number',
          zl: { checks: [{ id: 'c', when: 'row.dose > 9', severity: 'query', message: { zh: '过大' } }] },
        },
      ],
    },
  },
  {
    prop: 'way',
    label: '级联',
    type: 'cascader',
    emitPath: false,
    dicData: [
      { value: '1', label: 'a', children: [{ value: '11', label: 'b' }] },
      { value: '2', label: 'c', disabled: true },
      { value: 3, label: 'd' },
    ],
  },
  {
    prop: 'plain',
    label: '日期',
    type: 'date',
    span: 24,
    required: true,
    format: 'yyyy-MM-dd',
    valueFormat: 'yyyy-MM-dd',
    rules: [{ required: true, message: '日期必须填写', trigger: 'blur' }],
  },
  {
    prop: 'odd',
    label: ' =1+1\n"x" _x000D_ ',
    type: 'input',
    value: ['a'],
    zl: { min: '01', max: 5, labels: { zh: '另', en: 'other' }, kept: { field_type: 'calc' } },
  },
  { prop: 'none', label: '', type: 'radio', dicData: [], zl: {} },
]

const STUDY: Study = {
  pages: [
    { pageCode: 'one', pageName: '基线', option: { column: COLUMNS, labelPosition: 'left', zl: { attachment: true } } },
    {
      pageCode: 'two',
      pageName: 'Second',
      repeatable: true,
      option: {
        column: [],
        group: [
          { label: '甲', prop: 'a', column: [{ prop: 'x', label: 'X', type: 'input' }] },
          { label: '', prop: 'b', column: [] },
        ],
        labelPosition: 'top',
        labelSuffix: '：',
        labelWidth: 120,
      },
    },
    { pageCode: 'three', pageName: 'Third', repeatable: false, option: { column: [] } },
  ],
  folders: [
    { folderCode: 'v0', folderName: '筛选', pages: ['one', 'two'] },
    {
      folderCode: 'v1',
      folderName: '随访',
      pages: ['one'],
      schedule: {
        kind: 'planned',
        anchor: { of: 'visit', folderCode: 'v0', date: 'planned' },
        day: 28,
        before: 3,
        after: 7,
        repeating: true,
      },
    },
    {
      folderCode: 'v2',
      folderName: '基线',
      pages: [],
      schedule: { kind: 'planned', anchor: { of: 'enrolment' }, day: 0, before: 0, after: 0, repeating: false },
    },
    { folderCode: 'log', folderName: '日志', pages: ['three'], schedule: { kind: 'log' } },
    { folderCode: 'un', folderName: '计划外', pages: ['three'], schedule: { kind: 'unscheduled' } },
  ],
}

describe('out and in again is the same', () => {
  it('with everything that a study may say', () => {
    expect(throughBoth(STUDY)).toEqual(unchanged(STUDY))
  })

  const files = [...DICTIONARIES.map((name) => `redcap/${name}`), ...XLS_FORMS.map((name) => `xlsform/${name}`)]
  it.each(files)('with the sample %s', { timeout: 60_000 }, (name) => {
    const { result } = readDefinition({ name, bytes: new Uint8Array(readFileSync(samplePath(name))) }, (bytes) =>
      new TextDecoder().decode(bytes),
    )
    if (!result.ok) throw new Error(result.error.kind)
    expect(throughBoth(result.definition)).toEqual(unchanged(result.definition))
  })

  it('with whatever a column says', { timeout: 60_000 }, () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '1', ' ', '=', '"', '<', '&', '\n', '\r', '是', ',', '_x0041_', '{', '-', '.'),
    })
    const zl = fc.record(
      {
        show: text,
        unit: text,
        note: text,
        min: fc.oneof(fc.integer(), text),
        max: fc.double({ noNaN: true, noDefaultInfinity: true }),
        precision: fc.integer({ min: 0, max: 200 }),
        identifier: fc.boolean(),
        labels: fc.record({ zh: text, en: text }, { requiredKeys: ['zh'] }),
        matrix: text,
      },
      { requiredKeys: [] },
    )
    const item = fc.record(
      {
        value: fc.oneof(
          text.filter((value) => value !== ''),
          fc.integer(),
          fc.boolean(),
        ),
        label: text,
        disabled: fc.boolean(),
        desc: text,
      },
      { requiredKeys: ['value', 'label'] },
    )
    const column = fc.record(
      {
        label: text,
        type: fc.constantFrom(...FIELD_TYPES.filter((type) => type !== 'table')),
        value: fc.oneof(text, fc.array(text), fc.integer()),
        required: fc.boolean(),
        span: fc.integer({ min: 1, max: 24 }),
        dicData: fc.array(item),
        zl,
      },
      { requiredKeys: ['label', 'type'] },
    )
    fc.assert(
      fc.property(fc.array(column, { maxLength: 6 }), (columns) => {
        const own = columns.map((one, at) => ({
          ...one,
          prop: `p${at}`,
          ...(one.type === 'dynamic' ? { children: { column: [] } } : {}),
        }))
        const study: Study = {
          pages: [{ pageCode: 'p', pageName: 'P', option: { column: own as readonly Column[] } }],
          folders: [],
        }
        expect(throughBoth(study)).toEqual(unchanged(study))
      }),
      { numRuns: 60, seed: 3 },
    )
  })
})

const PAGES = [
  ['页面编码', '页面名称', '可重复'],
  ['vs', '生命体征', '否'],
]
const FIELDS = [
  ['页面编码', '字段编码', '标签', '类型', '选项表', '必填', '显示条件', '计算', '所属表格'],
  ['vs', 'sex', '性别', '单选', 'sex', '是'],
  ['vs', 'g', '检查', '分组'],
  ['vs', 'wk', '孕周', '数字', '', '', 'page.sex == "0"'],
  ['vs', 'drugs', '用药', '表格'],
  ['vs', 'name', '药名', '文本', '', '', '', '', 'drugs'],
  ['vs', 'odd', '奇怪', '魔法'],
]

function filled(sheets: Readonly<Record<string, Cells>>) {
  const read = readSheets(
    workbook({
      表单页: PAGES,
      字段: FIELDS,
      选项: [
        ['选项表', '编码', '标签'],
        ['sex', '0', '女'],
        ['sex', '1', '男'],
      ],
      ...sheets,
    }),
  )
  if (!read.ok) throw new Error(read.error.kind)
  return readWorkbook(read.sheets)
}

describe('a workbook that a person filled in', () => {
  it('becomes pages with sections, choices, tables and rules; a type that there is not is text, which is said', () => {
    const result = filled({})
    if (!result.ok) throw new Error(JSON.stringify(result.error))
    const [page] = result.definition.pages
    expect(page?.option.column).toMatchObject([
      {
        prop: 'sex',
        type: 'radio',
        required: true,
        rules: [{ message: '性别必须填写' }],
        dicData: [{ value: '0', label: '女' }, { value: '1' }],
      },
    ])
    expect(page?.option.group).toMatchObject([
      {
        label: '检查',
        prop: 'g',
        column: [
          { prop: 'wk', zl: { show: 'page.sex == "0"' } },
          { prop: 'drugs', children: { column: [{ prop: 'name' }] } },
          { prop: 'odd', type: 'input' },
        ],
      },
    ])
    expect(result.definition.notCarried).toEqual([
      { row: 7, field: 'odd', what: 'field', why: 'unknown-type', text: '魔法' },
    ])
  })

  it('may plan visits', () => {
    const result = filled({
      访视: [
        ['访视编码', '访视名称', '表单页', '类型', '基准', '第几天', '可提前天数', '可推后天数'],
        ['v1', '第一次', 'vs', '计划', '入组', '7', '1', '2'],
      ],
    })
    expect(result.ok && result.definition.folders).toEqual([
      {
        folderCode: 'v1',
        folderName: '第一次',
        pages: ['vs'],
        schedule: { kind: 'planned', anchor: { of: 'enrolment' }, day: 7, before: 1, after: 2, repeating: false },
      },
    ])
  })

  it.each<[string, Readonly<Record<string, Cells>>, string]>([
    ['a page that there is not', { 字段: [...FIELDS, ['nowhere', 'x', 'X', '文本']] }, '字段!8 页面编码'],
    ['a list that there is not', { 字段: [...FIELDS, ['vs', 'x', 'X', '单选', 'nothing']] }, '字段!8 选项表'],
    [
      'a table that there is not',
      { 字段: [...FIELDS, ['vs', 'x', 'X', '文本', '', '', '', '', 'none']] },
      '字段!8 所属表格',
    ],
    ['a code that is none', { 字段: [...FIELDS, ['vs', '1x', 'X', '文本']] }, 'pages.0.option.group.0.column.3.prop'],
    ['a page twice', { 表单页: [...PAGES, ['vs', '又一个']] }, '表单页!3 页面编码'],
    [
      'yes in other words',
      {
        表单页: [
          ['页面编码', '页面名称', '可重复'],
          ['vs', 'V', '也许'],
        ],
      },
      '表单页!2 可重复',
    ],
    [
      'a visit of a page that there is not',
      {
        访视: [
          ['访视编码', '访视名称', '表单页'],
          ['v', 'V', 'no'],
        ],
      },
      'folders.0.pages',
    ],
  ])('with %s names the cell', (_what, sheets, path) => {
    expect(filled(sheets)).toEqual({ ok: false, error: { kind: 'wrong-shape', path } })
  })

  it('and the empty one is a template that explains itself', () => {
    const read = readSheets(writeWorkbook({ pages: [], folders: [] }))
    expect(read.ok && read.sheets.map(({ name, rows }) => [name, rows.length > 1])).toEqual([
      ['说明', true],
      ['访视', false],
      ['表单页', false],
      ['字段', false],
      ['选项', false],
      ['检查', false],
    ])
    expect(read.ok && readWorkbook(read.sheets)).toEqual({ ok: false, error: { kind: 'empty' } })
  })
})

describe('JSON that is no study of ours is refused', () => {
  const page = { pageCode: 'p', pageName: 'P', option: { column: [] } }
  const study = { format: 'zhenglu-study', formatVersion: 1, pages: [page], folders: [] }
  it.each<[string, string, unknown]>([
    ['another format', '{"survey":"Questionnaire"}', { kind: 'unknown-format' }],
    [
      'a resource of FHIR',
      '{"resourceType":"Questionnaire"}',
      { kind: 'fhir', resourceType: 'Questionnaire', expressions: [] },
    ],
    ['a list', '[]', { kind: 'unknown-format' }],
    ['a cut file', '{"format":"zhenglu-study"', { kind: 'wrong-shape', path: '' }],
    ['a later version', JSON.stringify({ ...study, formatVersion: 2 }), { kind: 'newer-version', version: 2 }],
    ['more than it may say', JSON.stringify({ ...study, secret: 1 }), { kind: 'wrong-shape' }],
    [
      'a column that is none',
      JSON.stringify({ ...study, pages: [{ ...page, option: { column: [{ prop: 'x', label: 1, type: 'input' }] } }] }),
      { kind: 'wrong-shape', path: 'pages.0.option.column.0.label' },
    ],
    [
      'a code that reaches into objects',
      JSON.stringify({
        ...study,
        pages: [{ ...page, option: { column: [{ prop: 'constructor', label: 'x', type: 'input' }] } }],
      }),
      { kind: 'wrong-shape', path: 'pages.0.option.column.0.prop' },
    ],
    [
      'a key that reaches into objects',
      writeJson({ pages: [page], folders: [] }).replace('"column"', '"__proto__": {"x": 1}, "column"'),
      { kind: 'wrong-shape', path: 'pages.0.option.__proto__' },
    ],
    [
      'text that cannot be stored',
      JSON.stringify({ ...study, pages: [{ ...page, pageName: 'a\0' }] }),
      { kind: 'wrong-shape', path: 'pages.0.pageName' },
    ],
    [
      'a code twice',
      JSON.stringify({ ...study, pages: [page, page] }),
      { kind: 'wrong-shape', path: 'pages.1.pageCode' },
    ],
    ['no pages', JSON.stringify({ ...study, pages: [] }), { kind: 'empty' }],
    ['brackets within brackets', `${'['.repeat(5_000_000)}`, { kind: 'wrong-shape', path: '' }],
    [
      'objects within objects',
      `{"format":"zhenglu-study","formatVersion":1,"pages":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      { kind: 'wrong-shape', path: '' },
    ],
  ])('%s', { timeout: 20_000 }, (_what, text, error) => {
    const start = performance.now()
    expect(readJson(text)).toMatchObject({ ok: false, error })
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
