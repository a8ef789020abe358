import type { DataTable, Row } from '#core/dataset/table.ts'

import { codes, missing, table, variable } from './making.ts'

/** Tables with what is hard for formats of data, and with nothing that one of them cannot hold. */

const SEX = codes(['1', '男'], ['2', '女'])
const TONGUE = codes(['light-red', '淡红舌'], ['dark-purple-with-spots', '紫暗有瘀斑'])
const GRADE = codes(['0', '无'], ['1', '轻'], ['3', '重'])

/** 1,320 bytes: more than SPSS has in one piece. */
export const LONG_TEXT = '气虚血瘀证，胸痛时作。'.repeat(40)

const variables = [
  variable('SUBJID', { label: '受试者编号', role: 'key' }),
  variable('VISITNUM', { type: 'number', decimals: 0, label: '访视序号', role: 'key' }),
  variable('SEX', { label: '性别', codes: SEX }),
  variable('TONGUE', { label: '舌象', codes: TONGUE }),
  variable('GRADE', { type: 'number', decimals: 0, label: '程度', codes: GRADE }),
  variable('WEIGHT', { type: 'number', decimals: 1, label: '体重', unit: 'kg' }),
  variable('BIRTH', { type: 'date', label: '出生日期' }),
  variable('TAKEN', { type: 'time', label: '服药时间' }),
  variable('SEEN', { type: 'datetime', label: '就诊时间' }),
  variable('COMPLAINT', { label: '主诉' }),
  variable('INITIALS', { label: '姓名缩写' }),
]

const rows: readonly Row[] = [
  ['S001', 1, '1', 'light-red', 0, 70.5, '1958-02-28', '08:30', '2024-05-06 08:30', LONG_TEXT, 'ZSN'],
  ['S001', 2, '2', 'dark-purple-with-spots', 3, -0, '1999-12-31', '23:59:59', '2024-02-29 23:59:59', '=1+1', "'A"],
  [
    'S002',
    1,
    missing('UNK'),
    missing('NA'),
    missing('ND'),
    missing('UNK'),
    missing('UNK'),
    missing('ND'),
    missing('NA'),
    missing('ND'),
    missing('NA'),
  ],
  ['S003', 1, null, null, null, null, null, null, null, null, null],
  ['S004', -7, '1', 'light-red', 1, 1234567.891, '9999-12-31', '00:00', '1959-12-31 00:00:01', 'a "b", c\nd', '张三😀'],
  ['S005', 150, '1', 'light-red', 1, 1e-30, '1583-01-01', '12:00', '9999-12-31 23:59:59', '#N/A;|\t x', '-5'],
  ['S006', 151, '1', 'light-red', 1, -98765432109.125, '1960-01-01', '12:00', '1960-01-01 00:00', 'plain', '@x'],
  ['S007', 152, '1', 'light-red', 1, 0.1, '1970-01-01', '12:00', '1970-01-01 00:00', '‘’', '1'],
]

export const hard: DataTable = table('VITALS', variables, rows, '生命体征')

/** No row, and a single one. */
export const empty: DataTable = table('NOBODY', variables, [], '空表')
export const single: DataTable = table(
  'ONE',
  [variable('A', { label: '甲' }), variable('N', { type: 'number', label: '数' })],
  [['一', 1e-70]],
  '一行',
)

/** Numbers that come in the same order every time. */
function* chances(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/** Texts of so many bytes, of letters, Chinese and signs outside the first plane. */
const LENGTHS = [1, 7, 8, 9, 254, 255, 256, 252, 503, 504, 505, 765, 766, 2_045, 2_046, 5_000]

function textOf(bytes: number, seed: number): string {
  const chance = chances(seed)
  let text = ''
  let left = bytes
  while (left > 0) {
    const kind = Math.floor((chance.next().value ?? 0) * 4)
    const [sign, size] = (
      [
        ['a', 1],
        ['é', 2],
        ['证', 3],
        ['😀', 4],
      ] as const
    )[kind] ?? ['a', 1]
    if (size > left) continue
    text += sign
    left -= size
  }
  return text
}

/** A variable for each length, and in each row a shorter text than in the one before. */
export const wide: DataTable = table(
  'WIDTHS',
  [variable('ROW', { role: 'key' }), ...LENGTHS.map((length) => variable(`T${length}`, { label: `文本 ${length}` }))],
  [0, 1, 2, 3].map((row) => [
    `R${row}`,
    ...LENGTHS.map((length, at) => (row === 3 ? null : textOf(Math.ceil(length / (row + 1)), at + 1))),
  ]),
  '长度',
)

/** Names of 200 characters that differ at their ends, labels that are too long for most. */
export const long: DataTable = table(
  `${'LONG_TABLE_NAME_'.repeat(4)}A`,
  [
    variable(`${'Q_'.repeat(99)}1`, { label: '很长的标签'.repeat(60), role: 'key' }),
    variable(`${'Q_'.repeat(99)}2`, { type: 'number', label: '体'.repeat(30), codes: codes(['1', '是'.repeat(200)]) }),
    variable('IF', { label: 'if' }),
    variable('BY', { type: 'date', label: 'by' }),
  ],
  [
    ['一', 1, 'x', '2024-02-29'],
    ['二', null, null, null],
  ],
  '很长的表名'.repeat(20),
)

export const hardTables: readonly DataTable[] = [hard, empty, single, wide, long]
