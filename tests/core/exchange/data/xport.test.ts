import { describe, expect, it } from 'vitest'
import { putIbmDouble } from '#core/exchange/data/xport/ibmDouble.ts'
import { writeXport5Tables, writeXport8Tables } from '#core/exchange/data/xport/xport.ts'

import { codes, make, missing, table, variable } from './making.ts'

describe('numbers of a mainframe', () => {
  it.each([
    [0, '0000000000000000'],
    [-0, '0000000000000000'],
    [1, '4110000000000000'],
    [-118.625, 'c276a00000000000'],
    [0.1, '401999999999999a'],
    [16, '4210000000000000'],
    [1 / 16, '4010000000000000'],
    [Number.MAX_SAFE_INTEGER, '4e1fffffffffffff'],
    [2 ** 252 - 2 ** 199, '7ffffffffffffff8'],
    [-(2 ** -260), '8010000000000000'],
  ])('%d', (value, hex) => {
    const bytes = new Uint8Array(8)
    expect(putIbmDouble(bytes, 0, value)).toBe(true)
    expect(Buffer.from(bytes).toString('hex')).toBe(hex)
  })

  it.each([1e-300, 1e-79, 7.3e75, 1e300, 5e-324])('%d is none of them', (value) => {
    expect(putIbmDouble(new Uint8Array(8), 0, value)).toBe(false)
  })
})

const VARIABLES = [
  variable('ADVERSE_EVENT', { label: '不良事件名称与描述，研究者填写' }),
  variable('ADVERSE_EVENT_START', { type: 'date', label: 'b' }),
  variable('DOSE', { type: 'number', label: '剂量', unit: 'mg' }),
]

it('shortens names to 8 and labels to 40 bytes, and tells each', async () => {
  const { notes, files } = await make(writeXport5Tables, [
    table('ADVERSE_EVENTS', VARIABLES, [['头痛', '2024-05-06', 1]]),
  ])
  expect(notes).toEqual([
    { kind: 'table-renamed', table: 'ADVERSE_EVENTS', to: 'ADVERSE_' },
    { kind: 'variable-renamed', table: 'ADVERSE_EVENTS', variable: 'ADVERSE_EVENT', to: 'ADVERSE_' },
    { kind: 'label-cut', table: 'ADVERSE_EVENTS', variable: 'ADVERSE_EVENT', text: '不良事件名称与描述，研究者填写' },
    { kind: 'variable-renamed', table: 'ADVERSE_EVENTS', variable: 'ADVERSE_EVENT_START', to: 'ADVERS_1' },
  ])
  expect([...files.keys()]).toEqual(['adverse_.xpt', 'data.sas'])
  // 39 bytes: the next character would be cut in two.
  expect(files.get('adverse_.xpt')?.includes('不良事件名称与描述，研究者 ')).toBe(true)
})

it('keeps names of 32 characters and labels of 256 bytes in the new form', async () => {
  const { notes } = await make(writeXport8Tables, [table('ADVERSE_EVENTS', VARIABLES, [['头痛', '2024-05-06', 1]])])
  expect(notes).toEqual([])
})

it.each([
  ['the old form', writeXport5Tables, '*******LIBRARY '],
  ['the new form', writeXport8Tables, '*******LIBV8   '],
])('is records of 80 bytes: %s', async (_, write, head) => {
  for (const rows of [
    [],
    [['一', null, 1]],
    [
      ['一', null, 1],
      ['二', '2024-05-06', missing('ND')],
    ],
  ]) {
    const { files } = await make(write, [table('T', VARIABLES, rows)])
    const bytes = files.get('t.xpt') ?? Buffer.alloc(1)
    expect(bytes.length % 80).toBe(0)
    expect(bytes.toString('latin1', 13, 28)).toBe(head)
  }
})

it('writes special missing values, and says what is out of range', async () => {
  const number = [variable('N', { type: 'number' }), variable('D', { type: 'date' })]
  const { files, notes } = await make(writeXport5Tables, [
    table('T', number, [
      [missing('ND'), missing('UNK')],
      [missing('NA'), null],
      [1e-300, '1581-12-31'],
      ['少量', '1582-01-01'],
    ]),
  ])
  const rows = files.get('t.xpt')?.subarray(-80) ?? Buffer.alloc(0)
  expect([0, 8, 16, 24, 32, 40, 48].map((at) => rows.toString('latin1', at, at + 1))).toEqual([
    'D',
    'U',
    'N',
    '.',
    '.',
    '.',
    '.',
  ])
  expect(notes).toEqual([
    { kind: 'value-out-of-range', table: 'T', variable: 'N', row: 3, text: '1e-300' },
    { kind: 'value-out-of-range', table: 'T', variable: 'D', row: 3, text: '1581-12-31' },
    { kind: 'value-not-of-type', table: 'T', variable: 'N', row: 4, text: '少量' },
  ])
})

it('cuts a text of more than 200 bytes at a character, and tells it whole', async () => {
  const text = `ab${'证'.repeat(100)}`
  const { files, notes } = await make(writeXport5Tables, [table('T', [variable('A')], [[text]])])
  expect(files.get('t.xpt')?.includes(`ab${'证'.repeat(66)}`)).toBe(true)
  expect(files.get('t.xpt')?.includes('证'.repeat(67))).toBe(false)
  expect(notes).toEqual([{ kind: 'value-cut', table: 'T', variable: 'A', row: 1, text }])
  expect((await make(writeXport8Tables, [table('T', [variable('A')], [[text]])])).notes).toEqual([])
})

it('comes with a program that labels variables, codes and missing reasons and runs nothing of what was typed', async () => {
  const variables = [
    variable('SEX', { label: "受试者's &性别", codes: codes(['1', '男'], ['2', "%let x='女'"]) }),
    variable('GRADE', { type: 'number', codes: codes(['0', '无'], ['1', '轻']) }),
    variable('WEIGHT', { type: 'number', label: '体重', unit: 'kg' }),
  ]
  const { files } = await make(writeXport5Tables, [table('VS', variables, [], '体征')], { title: '研究 */ x' })
  const program = files.get('data.sas')?.toString('utf8') ?? ''
  expect(program).toContain('/* 研究 * / x 2026-11-30T08:00:00Z */')
  expect(program).toContain("  value $VS_SEX_f\n    '1' = '男'\n    '2' = '%let x=''女'''\n    'ND' = '未做'\n")
  expect(program).toContain(
    "  value VS_GRADE_f\n    0 = '无'\n    1 = '轻'\n    .D = '未做'\n    .U = '不详'\n    .N = '不适用'\n  ;\n",
  )
  expect(program).toContain('libname zlin xport "&folder./vs.xpt" access=readonly;')
  expect(program).toContain("  modify VS (label='体征');\n")
  expect(program).toContain("    SEX = '受试者''s &性别'\n")
  expect(program).toContain("    WEIGHT = '体重 (kg)'\n")
  expect(program).toContain('    SEX $VS_SEX_f.\n    GRADE VS_GRADE_f.\n    WEIGHT zl_reason_f.\n')
  const newer = (await make(writeXport8Tables, [table('VS', variables, [])])).files.get('data.sas')?.toString('utf8')
  expect(newer).toContain('%xpt2loc(libref=work, memlist=VS, filespec="&folder./vs.xpt");')
})
