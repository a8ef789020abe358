import type {
  ClinicalPage,
  ClinicalQuery,
  ClinicalStudy,
  ClinicalSubject,
  ClinicalVersion,
} from '#core/exchange/clinical/subject.ts'
import type { Column, PageOption } from '#core/form/definition/column.ts'
import type { JsonValue } from '#core/json.ts'
import type { MissingReason } from '#core/sync/entryChange.ts'

/** A study with a field of every type, visits and pages that repeat, a table, two versions, and what was entered. */

/** An id that tells what it is of. */
export function idOf(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
}

export const CENTER = idOf(1)
export const NURSE = idOf(11)
export const MONITOR = idOf(12)
export const [BASELINE, UNPLANNED] = [idOf(21), idOf(22)]
export const [EVERYTHING, EVENT, DRUGS] = [idOf(31), idOf(32), idOf(33)]
export const [FIRST, SECOND] = [idOf(41), idOf(42)]

const CHOICES = [
  { value: '1', label: '轻度', labelEn: 'Mild' },
  { value: '2', label: '重度', labelEn: 'Severe' },
  { value: 'a,"b', label: '其他', labelEn: 'Other' },
]
const TREE = [
  {
    value: 'zj',
    label: '浙江',
    children: [
      { value: 'hz', label: '杭州' },
      { value: 'nb', label: '宁波' },
    ],
  },
]
const day = { format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd' }
const moment = { format: 'yyyy-MM-dd HH:mm:ss', valueFormat: 'yyyy-MM-dd HH:mm:ss' }
const clock = { format: 'HH:mm:ss', valueFormat: 'HH:mm:ss' }

/** A field of every type and kind of value, with a value of it. */
const FIELDS: readonly (readonly [column: Omit<Column, 'label'> & { readonly label?: string }, value: JsonValue])[] = [
  [{ prop: 'text', type: 'input' }, '张三 <b>&"\'</b>'],
  [{ prop: 'lines', type: 'textarea' }, ' 第一行\n第二行\t制表\r\n '],
  [{ prop: 'auto', type: 'autocomplete' }, '阿司匹林'],
  [{ prop: 'whole', type: 'number', zl: { precision: 0, unit: 'mmHg' } }, 120],
  [{ prop: 'decimal', type: 'number', zl: { precision: 1, unit: 'kg' } }, 61.5],
  [{ prop: 'any', type: 'number' }, -0.0001],
  [{ prop: 'tags', type: 'array' }, ['甲', 'b,c', '"d"', '']],
  [{ prop: 'links', type: 'url' }, ['https://example.org/a?b=1&c=2']],
  [{ prop: 'grade', type: 'radio', dicData: CHOICES }, '2'],
  [
    {
      prop: 'yes',
      type: 'radio',
      dicData: [
        { value: '1', label: '是', labelEn: 'Yes' },
        { value: '0', label: '否', labelEn: 'No' },
      ],
      zl: { widget: 'yesno' },
    },
    '0',
  ],
  [{ prop: 'several', type: 'checkbox', dicData: CHOICES }, ['1', 'a,"b']],
  [{ prop: 'one', type: 'select', dicData: CHOICES }, '1'],
  [{ prop: 'many', type: 'select', multiple: true, dicData: CHOICES }, ['2']],
  [{ prop: 'place', type: 'cascader', dicData: TREE }, ['zj', 'hz']],
  [
    { prop: 'places', type: 'cascader', multiple: true, dicData: TREE },
    [
      ['zj', 'hz'],
      ['zj', 'nb'],
    ],
  ],
  [{ prop: 'last', type: 'cascader', emitPath: false, dicData: TREE }, 'nb'],
  [{ prop: 'branch', type: 'tree', dicData: TREE }, 'hz'],
  [{ prop: 'branches', type: 'tree', multiple: true, dicData: TREE }, ['hz', 'nb']],
  [{ prop: 'year', type: 'year' }, '2024'],
  [{ prop: 'month', type: 'month', valueFormat: 'yyyy-MM' }, '2024-05'],
  [{ prop: 'monthOfYear', type: 'month', valueFormat: 'MM' }, '05'],
  [{ prop: 'week', type: 'week' }, '2024-05-06'],
  [{ prop: 'date', type: 'date', ...day }, '2024-05-06'],
  [{ prop: 'partly', type: 'date', ...day, zl: { partial: 'year' } }, '2024-05'],
  [{ prop: 'time', type: 'time', ...clock }, '08:30:15'],
  [{ prop: 'minutes', type: 'time', format: 'HH:mm', valueFormat: 'HH:mm' }, '08:30'],
  [{ prop: 'moment', type: 'datetime', ...moment }, '2024-05-06 08:30:15'],
  [{ prop: 'momentOfMinutes', type: 'datetime', format: 'yyyy-MM-dd HH:mm' }, '2024-05-06 08:30'],
  [{ prop: 'pain', type: 'slider', max: 10 }, 7],
  [{ prop: 'painRange', type: 'slider', range: true, max: 10 }, [2, 7]],
  [{ prop: 'days', type: 'daterange', ...day }, ['2024-05-06', '2024-05-08']],
  [{ prop: 'openDays', type: 'daterange', ...day }, ['2024-05-06', '']],
  [{ prop: 'hours', type: 'timerange', ...clock }, ['08:00:00', '09:30:00']],
  [{ prop: 'moments', type: 'datetimerange', ...moment }, ['2024-05-06 08:00:00', '2024-05-07 09:00:00']],
  [
    { prop: 'photo', type: 'upload' },
    [
      { id: idOf(90), name: '化验单,1.jpg', type: 'image/jpeg', size: 12, hash: 'a'.repeat(64) },
      { id: idOf(91), name: 'b.pdf', type: 'application/pdf', size: 3, hash: 'b'.repeat(64) },
    ],
  ],
  [{ prop: 'picked', type: 'table', dicData: CHOICES }, '1'],
  [{ prop: 'pickedMany', type: 'table', multiple: true, dicData: CHOICES }, ['1', '2']],
]

/** What people enter and no data type takes: each is kept as it is. */
export const MISFITS: Readonly<Record<string, JsonValue>> = {
  whole: '约70',
  decimal: '12.34.5',
  grade: '9',
  several: ['1', '9'],
  date: '2024-02-31',
  time: '25:00',
  moment: '昨天',
  days: ['2024/5/6', '2024/5/8'],
  place: ['a/b', 'c'],
  text: 'half \uFFFE of it',
}

/** Values that their items do not say exactly. */
export const INEXACT: Readonly<Record<string, JsonValue>> = {
  minutes: '08:30:00',
  momentOfMinutes: '2024-05-06 08:30:00',
}

const label = (column: Omit<Column, 'label'>): Column => ({ ...column, label: `字段 ${column.prop}` })
const ALL: readonly Column[] = FIELDS.map(([column]) => label(column))

/** A value of every field that has one. */
export const VALUES: Readonly<Record<string, JsonValue>> = Object.fromEntries(
  FIELDS.map(([{ prop }, value]) => [prop, value]),
)

const rows: Column = {
  prop: 'drugs',
  label: '合并用药',
  type: 'dynamic',
  children: {
    column: [
      label({ prop: 'name', type: 'input' }),
      label({ prop: 'dose', type: 'number', zl: { precision: 1, unit: 'mg' } }),
      label({ prop: 'route', type: 'checkbox', dicData: CHOICES }),
      label({ prop: 'text', type: 'input' }),
    ],
  },
}

function versionOf(
  id: string,
  versionNo: number,
  since: string,
  pages: Readonly<Record<string, PageOption>>,
): ClinicalVersion {
  const page = (pageId: string, pageCode: string, pageName: string, repeatable: boolean, sort: number) => ({
    id: pageId,
    pageCode,
    pageName,
    repeatable,
    sort,
    option: JSON.stringify(pages[pageCode]),
  })
  const [all, event, drugs] = [
    page(EVERYTHING, 'ALL', '全部字段', false, 0),
    page(EVENT, 'AE', '不良事件', true, 1),
    page(DRUGS, 'CM', '合并用药', false, 2),
  ]
  return {
    id,
    versionNo,
    since,
    folders: [
      {
        id: BASELINE,
        folderCode: 'V1',
        folderName: '基线',
        folderNameEn: 'Baseline',
        sort: 0,
        pages: [all, event, drugs],
      },
      {
        id: UNPLANNED,
        folderCode: 'UNS',
        folderName: '计划外访视',
        sort: 1,
        pages: [all, event],
        schedule: { kind: 'unscheduled' },
      },
    ],
  }
}

const EVENT_PAGE: PageOption = {
  column: [label({ prop: 'term', type: 'input' }), label({ prop: 'grade', type: 'radio', dicData: CHOICES })],
}
const DRUG_PAGE: PageOption = {
  column: [label({ prop: 'taken', type: 'radio', dicData: CHOICES })],
  group: [{ label: '用药', prop: 'meds', column: [rows] }],
}

export const STUDY: ClinicalStudy = {
  studyName: '测试研究 <1>',
  createdAt: '2026-11-30T08:00:00.000Z',
  versions: [
    versionOf(FIRST, 1, '2026-01-01', {
      ALL: { column: ALL.slice(0, 10), group: [{ label: '其余', prop: 'rest', column: ALL.slice(10) }] },
      AE: EVENT_PAGE,
      CM: DRUG_PAGE,
    }),
    // In the second version one field is a number of another unit, and one is new.
    versionOf(SECOND, 2, '2026-06-01', {
      ALL: {
        column: [label({ prop: 'whole', type: 'number', zl: { precision: 2, unit: 'kPa' } }), ...ALL.slice(4)],
      },
      AE: { column: [...EVENT_PAGE.column, label({ prop: 'serious', type: 'date', ...day })] },
      CM: DRUG_PAGE,
    }),
  ],
  users: [
    { id: NURSE, name: '王护士' },
    { id: MONITOR, name: 'Monitor <M>' },
  ],
  centers: [{ id: CENTER, code: '01', name: '第一医院' }],
}

export function pageOf(
  pageId: string,
  values: Readonly<Record<string, JsonValue>>,
  more: Partial<ClinicalPage> = {},
): ClinicalPage {
  return {
    id: idOf(200),
    folderId: BASELINE,
    folderRepeat: '0',
    pageId,
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1,
    versionId: FIRST,
    status: 'process',
    values,
    missing: {},
    hidden: [],
    deleted: false,
    updatedBy: NURSE,
    updatedAt: '2026-07-01T01:02:03.000Z',
    ...more,
  }
}

export const ND: MissingReason = { m: 'ND', reason: '患者拒绝 <拒>' }

export const ROWS: JsonValue = [
  { _rid: idOf(72), _ord: 'b', name: '布洛芬', dose: 200.5, route: ['1', '2'], text: 'x' },
  { _rid: idOf(71), _ord: 'a', name: '阿司匹林', dose: '约100', route: ['1'] },
  { _rid: idOf(73), _ord: 'c', _deleted: true, name: '删除了' },
]

export function subjectOf(
  key: string,
  pages: readonly ClinicalPage[],
  more: Partial<ClinicalSubject> = {},
): ClinicalSubject {
  return { key, centerId: CENTER, visits: [], pages, trail: [], queries: [], ...more }
}

export function queryOn(place: Partial<ClinicalQuery['place']>, more: Partial<ClinicalQuery> = {}): ClinicalQuery {
  return {
    id: idOf(80),
    no: 12,
    place: {
      patientId: idOf(2),
      folderId: BASELINE,
      folderRepeat: '0',
      pageId: EVERYTHING,
      pageRepeat: '0',
      parentEntryId: null,
      pass: 1,
      table: null,
      rid: null,
      code: null,
      ...place,
    },
    versionId: FIRST,
    source: 'monitor',
    rule: null,
    state: 'answered',
    stateAt: '2026-07-03T00:00:00.000Z',
    thread: [
      turn('raise', 'open', '请核对 <源文件>', MONITOR, '2026-07-02T00:00:00.000Z'),
      turn('answer', 'answered', '已核对', NURSE, '2026-07-03T00:00:00.000Z'),
    ],
    ...more,
  }
}

function turn(
  act: 'raise' | 'answer',
  state: 'open' | 'answered',
  text: string,
  by: string,
  receivedAt: string,
): ClinicalQuery['thread'][number] {
  return {
    key: idOf(81),
    act,
    effect: 'applied',
    state,
    text,
    category: act === 'answer' ? 'confirmed' : null,
    content: null,
    by,
    byName: by === NURSE ? '王护士' : 'Monitor <M>',
    role: null,
    at: receivedAt,
    receivedAt,
  }
}

/** Subjects whose pages hold all of this. */
export const SUBJECTS: readonly ClinicalSubject[] = [
  subjectOf(
    '01-001',
    [
      pageOf(EVERYTHING, VALUES),
      pageOf(EVENT, { term: '头痛', grade: '1' }, { pageRepeat: idOf(61), status: 'other' }),
      pageOf(EVENT, { term: '恶心' }, { pageRepeat: idOf(62), missing: { grade: ND } }),
      pageOf(DRUGS, { drugs: ROWS }, { missing: { taken: { m: 'UNK', reason: '' }, [`${idOf(71)}.text`]: ND } }),
    ],
    {
      visits: [
        {
          folderId: BASELINE,
          folderRepeat: '0',
          actualDate: '2026-07-01',
          outcome: null,
          outcomeReason: null,
          removed: false,
        },
      ],
      queries: [
        queryOn({ code: 'whole' }),
        queryOn(
          { code: 'text', table: 'drugs', rid: idOf(72), pageId: DRUGS },
          { id: idOf(82), no: 13, state: 'open', source: 'system', rule: 'r1' },
        ),
      ],
    },
  ),
  subjectOf('01-002', [
    pageOf(EVERYTHING, { ...VALUES, ...MISFITS }, { folderId: UNPLANNED, folderRepeat: idOf(63) }),
    pageOf(EVERYTHING, { ...VALUES, ...INEXACT }, { folderId: UNPLANNED, folderRepeat: idOf(64) }),
    pageOf(EVENT, { term: '皮疹', serious: '2026-07-01', gone: 'x' }, { versionId: SECOND }),
    pageOf(EVENT, { term: '皮疹2' }, { versionId: SECOND, pass: 2 }),
  ]),
  subjectOf(idOf(3), []),
]

export async function* stream<Value>(values: readonly Value[]): AsyncIterable<Value> {
  for (const value of values) yield await Promise.resolve(value)
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
