import type { Column, FieldType, PageOption } from '#core/form/definition/column.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { World } from '#tests/server/support/world.ts'
import { announce } from '#tests/server/support/world.ts'

/**
 * A study with every type of field, each kind of list, and every kind of rule: within a page, within a row, and across
 * pages.
 */

interface Entered {
  readonly column: Omit<Column, 'prop' | 'label' | 'type'>
  /** What is entered, in canonical form; and what another person reads in the same source. */
  readonly value: JsonValue
  readonly other: JsonValue
}

const choices = [
  { label: '甲', value: 'a' },
  { label: '乙', value: 'b' },
  { label: '丙', value: 'c' },
]
const levels = [
  {
    label: '内科',
    value: 'in',
    children: [
      { label: '心内', value: 'heart' },
      { label: '肺', value: 'lung' },
    ],
  },
]
const herbs = [
  { id: 'h1', name: '甘草', latin: 'Glycyrrhiza' },
  { id: 'h2', name: '川芎', latin: 'Chuanxiong' },
]

/**
 * One of each type; the compiler asks for a new one. Files are taken at the tablet, rows are added there, and nobody
 * enters a title.
 */
export const TYPES: Readonly<Record<Exclude<FieldType, 'upload' | 'dynamic' | 'title'>, Entered>> = {
  input: { column: {}, value: '胸闷，气短', other: '胸闷' },
  autocomplete: { column: { dicData: choices }, value: '心悸', other: '心慌' },
  textarea: { column: {}, value: '第一行\n第二行', other: '第一行' },
  number: { column: { zl: { unit: 'kg', precision: 1 } }, value: 36.5, other: 35.6 },
  array: { column: {}, value: ['一', '二'], other: ['一', '三'] },
  url: { column: {}, value: ['https://a.example/1'], other: ['https://a.example/2'] },
  radio: { column: { dicData: choices }, value: 'a', other: 'b' },
  checkbox: { column: { dicData: choices }, value: ['a', 'c'], other: ['a', 'b'] },
  select: { column: { dicData: choices }, value: 'b', other: 'c' },
  cascader: { column: { dicData: levels }, value: ['in', 'heart'], other: ['in', 'lung'] },
  tree: { column: { dicData: levels }, value: 'heart', other: 'lung' },
  year: { column: {}, value: '2019', other: '2018' },
  month: { column: {}, value: '2024-05', other: '2024-06' },
  week: { column: {}, value: '2024-05-20', other: '2024-05-27' },
  date: { column: {}, value: '2024-05-21', other: '2024-05-12' },
  time: { column: {}, value: '08:30:00', other: '08:03:00' },
  slider: { column: { min: 0, max: 100 }, value: 40, other: 60 },
  datetime: { column: {}, value: '2024-05-21 08:30:00', other: '2024-05-21 18:30:00' },
  daterange: { column: {}, value: ['2024-05-01', '2024-05-21'], other: ['2024-05-01', '2024-05-22'] },
  timerange: { column: {}, value: ['08:00:00', '09:00:00'], other: ['08:00:00', '10:00:00'] },
  datetimerange: {
    column: {},
    value: ['2024-05-01 08:00:00', '2024-05-02 08:00:00'],
    other: ['2024-05-01 08:00:00', '2024-05-03 08:00:00'],
  },
  table: {
    column: {
      dicData: herbs as never,
      props: { label: 'name', value: 'id' },
      children: { column: [{ prop: 'name', label: '名称', type: 'input' }] },
    },
    value: 'h1',
    other: 'h2',
  },
}

/**
 * What a type can be besides: several answers, part of a date, a list kept elsewhere, a value that is taken from
 * another page.
 */
export const KINDS: Readonly<Record<string, Entered & { readonly type: FieldType }>> = {
  partial: { type: 'date', column: { zl: { partial: 'year' } }, value: '2021', other: '2021-04' },
  monthOfYear: { type: 'month', column: { valueFormat: 'MM' }, value: '05', other: '06' },
  range: { type: 'slider', column: { range: true, min: 0, max: 100 }, value: [10, 20], other: [10, 30] },
  several: { type: 'select', column: { dicData: choices, multiple: true }, value: ['a', 'b'], other: ['a', 'c'] },
  branches: { type: 'tree', column: { dicData: levels, multiple: true }, value: ['heart', 'lung'], other: ['heart'] },
  ways: {
    type: 'cascader',
    column: { dicData: levels, multiple: true },
    value: [
      ['in', 'heart'],
      ['in', 'lung'],
    ],
    other: [['in', 'heart']],
  },
  lastStep: { type: 'cascader', column: { dicData: levels, emitPath: false }, value: 'lung', other: 'heart' },
  herbs: {
    type: 'table',
    column: {
      multiple: true,
      dicData: herbs as never,
      props: { label: 'name', value: 'id' },
      children: { column: [{ prop: 'name', label: '名称', type: 'input' }] },
    },
    value: ['h1', 'h2'],
    other: ['h2'],
  },
  yesno: {
    type: 'radio',
    column: {
      zl: { widget: 'yesno' },
      dicData: [
        { label: '是', value: '1' },
        { label: '否', value: '0' },
      ],
    },
    value: '1',
    other: '0',
  },
  kept: { type: 'select', column: { dicUrl: '/dict/wards', remote: true, filterable: true }, value: 'w2', other: 'w1' },
  region: { type: 'select', column: { dicUrl: '/dict/regions', cascader: ['city'] }, value: 'zj', other: 'js' },
  city: { type: 'select', column: { dicUrl: '/dict/cities?of={{region}}' }, value: 'hz', other: 'nb' },
  card: { type: 'input', column: { unique: true }, value: 'A-0017', other: 'A-0071' },
  words: { type: 'input', column: { encode: true }, value: '头痛', other: '头疼' },
  contact: { type: 'input', column: { zl: { identifier: true } }, value: '张三', other: '张叁' },
  taken: {
    type: 'table',
    column: { fkCrfPageId: 'RULES', fkCrfPageColumn: 'drugs.drug' },
    value: '川芎',
    other: '甘草',
  },
  phone: { type: 'input', column: { zl: { validation: 'phone' } }, value: '13800000000', other: '13900000000' },
}

export const LISTS = {
  '/dict/wards': [
    { label: '一病区', value: 'w1' },
    { label: '二病区', value: 'w2' },
  ],
  '/dict/regions': [
    { label: '浙江', value: 'zj' },
    { label: '江苏', value: 'js' },
  ],
  'region>/dict/cities?of={{region}}': {
    by: {
      zj: [
        { label: '杭州', value: 'hz' },
        { label: '宁波', value: 'nb' },
      ],
      js: [{ label: '南京', value: 'nj' }],
    },
  },
}

/** Why it is not there is said of these, beside no value. */
export const MISSING = { lost: { m: 'ND', reason: '未做' }, unknown: { m: 'UNK', reason: '患者不详' } } as const

/** Types that a row can hold: all that a page can, but tables in tables. */
const typed = Object.entries(TYPES) as readonly (readonly [keyof typeof TYPES, Entered])[]
const columnOf = (prop: string, type: FieldType, { column }: Pick<Entered, 'column'>): Column => ({
  ...column,
  prop,
  label: prop,
  type,
})

/** The page with a field of every type and kind, and a table whose rows have one of every type. */
export const EVERY: PageOption = {
  column: [
    { prop: 'head', label: '说明', type: 'title' },
    ...typed.map(([type, entered]) => columnOf(`f_${type}`, type, entered)),
    ...Object.entries(KINDS).map(([code, kind]) => columnOf(code, kind.type, kind)),
    ...Object.keys(MISSING).map((code) => columnOf(code, 'number', { column: {} })),
    { prop: 'f_upload', label: '照片', type: 'upload' },
    {
      prop: 'f_dynamic',
      label: '明细',
      type: 'dynamic',
      children: {
        column: [
          ...typed.map(([type, entered]) => columnOf(`r_${type}`, type, entered)),
          { prop: 'r_lost', label: 'lost', type: 'number' },
          { prop: 'r_upload', label: '照片', type: 'upload' },
        ],
      },
    },
  ],
  zl: { lists: LISTS as never },
}

const yes = [
  { label: '是', value: '1' },
  { label: '否', value: '0' },
]
const says = (text: string) => ({ zh: text, en: text })

/** The page with every kind of rule: of the page, of a row, and of what is on the other page. */
export const RULES: PageOption = {
  column: [
    { prop: 'smokes', label: '吸烟', type: 'radio', dicData: yes },
    { prop: 'packs', label: '每日包数', type: 'number', zl: { show: "page.smokes == '1'" } },
    { prop: 'never', label: '从不', type: 'input', zl: { show: "page.smokes == '0'" } },
    { prop: 'since', label: '多久', type: 'input', zl: { require: "page.smokes == '1'" } },
    { prop: 'fixed', label: '固定', type: 'input', zl: { readOnlyWhen: "page.smokes == '1'" } },
    {
      prop: 'weight',
      label: '体重',
      type: 'number',
      zl: {
        checks: [
          { id: 'high', when: 'page.weight > 100.0', severity: 'query', message: says('请核对') },
          { id: 'higher', when: 'page.weight > 200.0', severity: 'warning', message: says('偏高') },
          { id: 'highest', when: 'page.weight > 300.0', severity: 'error', message: says('不可能') },
        ],
      },
    },
    { prop: 'half', label: '一半', type: 'number', zl: { calculate: 'page.weight / 2.0' } },
    { prop: 'tenfold', label: '十倍', type: 'number', zl: { calculate: 'form.V1.EVERY.f_number * 10.0' } },
    { prop: 'womanly', label: '另页', type: 'input', zl: { show: 'visit.EVERY.f_radio == "a"' } },
    { prop: 'manly', label: '另页二', type: 'input', zl: { show: 'visit.EVERY.f_radio == "b"' } },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      zl: { rowKey: ['drug'] },
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          {
            prop: 'dose',
            label: '剂量',
            type: 'number',
            zl: { checks: [{ id: 'much', when: 'row.dose > 50.0', severity: 'warning', message: says('偏大') }] },
          },
          { prop: 'times', label: '次数', type: 'number' },
          { prop: 'daily', label: '日剂量', type: 'number', zl: { calculate: 'row.dose * row.times' } },
          { prop: 'stopped', label: '停药', type: 'radio', dicData: yes },
          {
            prop: 'why',
            label: '停药原因',
            type: 'input',
            zl: { show: 'row.stopped == "1"', require: 'row.stopped == "1"' },
          },
        ],
      },
    },
    { prop: 'total', label: '总剂量', type: 'number', zl: { calculate: 'sum(page.drugs.map(drug, drug.daily))' } },
    { prop: 'many', label: '多重用药', type: 'input', zl: { show: 'size(page.drugs) >= 2' } },
  ],
}

export interface EveryField {
  readonly versionId: string
  /** The pages of a patient in an entry pass. */
  of(patientId: string, pass: 1 | 2): Readonly<Record<'every' | 'rules', EntryTarget>>
}

/** Releases it as the version that data are entered under from now on. */
export async function releaseEveryField({ services: { pool }, study, people }: World): Promise<EveryField> {
  const [versionId, folderId] = [newId(), newId()]
  const pages = { every: newId(), rules: newId() }
  await pool.query(
    `INSERT INTO crf_version (id, project_id, version_no, profile, created_by)
     SELECT $1, $2, max(version_no) + 1, 'formal', $3 FROM crf_version WHERE project_id = $2`,
    [versionId, study.projectId, people.admin.userId],
  )
  await pool.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, code, sort) VALUES ($1, $2, '筛选', 'V1', 1)`,
    [versionId, folderId],
  )
  for (const [sort, [id, code, option]] of (
    [
      [pages.every, 'EVERY', EVERY],
      [pages.rules, 'RULES', RULES],
    ] as const
  ).entries()) {
    await pool.query(
      `INSERT INTO crf_page (version_id, page_id, folder_id, name, code, repeatable, sort, option) VALUES ($1, $2, $3, $4, $4, false, $5, $6)`,
      [versionId, id, folderId, code, sort, JSON.stringify(option)],
    )
  }
  await announce(pool, study, people.admin, [{ kind: 'version', rowId: versionId }])
  const target = (patientId: string, pageId: string, pass: 1 | 2): EntryTarget => ({
    patientId,
    folderId,
    folderRepeat: '0',
    pageId,
    pageRepeat: '0',
    parentEntryId: null,
    pass,
  })
  return {
    versionId,
    of: (patientId, pass) => ({
      every: target(patientId, pages.every, pass),
      rules: target(patientId, pages.rules, pass),
    }),
  }
}
