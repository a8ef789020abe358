import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import type { DataTable } from '#core/dataset/table.ts'
import type { WriteNote } from '#core/exchange/data/contract.ts'
import { listSheets, writeXlsxTables } from '#core/exchange/data/xlsx.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'

import { codes, make, missing, table, variable } from './making.ts'

async function workbook(...tables: readonly DataTable[]) {
  const { files, notes } = await make(writeXlsxTables, tables)
  const bytes = files.get('data.xlsx') ?? Buffer.alloc(0)
  const read = readSheets(bytes)
  if (!read.ok) throw new Error(read.error.kind)
  return { sheets: read.sheets.map(({ name, rows }) => ({ name, rows: rows.map(({ cells }) => cells) })), notes, bytes }
}

it('begins with a dictionary of every variable', async () => {
  const variables = [
    variable('SEX', { label: '性别', codes: codes(['1', '男'], ['2', '女']), role: 'key' }),
    variable('WEIGHT', { type: 'number', label: '体重', unit: 'kg' }),
  ]
  const { sheets } = await workbook(table('VS', variables, [['1', 70.5]]))
  expect(sheets).toEqual([
    {
      name: '数据字典',
      rows: [
        ['数据表', '变量名', '标签', '类型', '单位', '代码表', '用途'],
        ['VS', 'SEX', '性别', '文本', '', '1=男; 2=女', '标识'],
        ['VS', 'WEIGHT', '体重', '数值', 'kg', '', '数据项'],
      ],
    },
    {
      name: 'VS',
      rows: [
        ['SEX', 'WEIGHT'],
        ['1', '70.5'],
      ],
    },
  ])
})

it('has numbers as numbers, texts as texts and days as days that are shown as such', async () => {
  const variables = [
    variable('N', { type: 'number' }),
    variable('D', { type: 'date' }),
    variable('I', { type: 'datetime' }),
    variable('T', { type: 'time' }),
    variable('A'),
  ]
  const { bytes, sheets } = await workbook(
    table('VS', variables, [
      [-5, '1900-03-01', '9999-12-31 23:59:59', '06:00', '-5'],
      [1e-300, '1900-02-28', '1899-12-31 00:00', '08:30:30', '=1+1'],
      [missing('ND'), missing('UNK'), null, null, missing('NA')],
    ]),
  )
  const xml = new TextDecoder().decode(unzipSync(bytes)['xl/worksheets/sheet2.xml'])
  expect(xml).toContain('<c r="A2" s="2"><v>-5</v></c><c r="B2" s="3"><v>61</v></c>')
  expect(xml).toContain(
    '<c r="D2" s="4"><v>0.25</v></c><c r="E2" s="0" t="inlineStr"><is><t xml:space="preserve">-5</t></is></c>',
  )
  expect(xml).toContain(
    '<c r="A3" s="2"><v>1e-300</v></c><c r="B3" s="0" t="inlineStr"><is><t xml:space="preserve">1900-02-28</t></is></c>',
  )
  expect(sheets[1]?.rows.slice(1)).toEqual([
    ['-5', '1900-03-01', '9999-12-31 23:59:59', '06:00:00', '-5'],
    ['1e-300', '1900-02-28', '1899-12-31 00:00', '08:30:30', '=1+1'],
    ['ND', 'UNK', '', '', 'NA'],
  ])
})

it('keeps signs that XML has no place for, and what looks like their escape', async () => {
  const texts = ['a\u0001b', 'a\r\nb', '_x0041_', '<&>"', '\uFFFF', '😀', ' x ']
  const { sheets } = await workbook(
    table(
      'T',
      [variable('A')],
      texts.map((text) => [text]),
    ),
  )
  expect(sheets[1]?.rows.slice(1)).toEqual(texts.map((text) => [text]))
})

it('keeps what is no number as text, and tells it', async () => {
  const { sheets, notes } = await workbook(table('T', [variable('N', { type: 'number' })], [['约70'], [Infinity]]))
  expect(sheets[1]?.rows.slice(1)).toEqual([['约70'], ['Infinity']])
  expect(notes.map(({ kind }) => kind)).toEqual(['value-not-of-type', 'value-not-of-type'])
})

it('cuts a text of more than 32,767 characters, not within one, and tells it whole', async () => {
  const text = `${'a'.repeat(32_766)}😀`
  const { sheets, notes } = await workbook(table('T', [variable('A')], [[text]]))
  expect(sheets[1]?.rows[1]).toEqual(['a'.repeat(32_766)])
  expect(notes).toEqual([{ kind: 'value-cut', table: 'T', variable: 'A', row: 1, text }])
})

it('names each sheet once, in at most 31 characters', async () => {
  const names = ['A_TABLE_WITH_A_VERY_LONG_NAME_OF_ONE', 'A_TABLE_WITH_A_VERY_LONG_NAME_OF_TWO', 'History', 'B']
  const { sheets, notes } = await workbook(...names.map((name) => table(name, [variable('A')], [])))
  expect(sheets.map(({ name }) => name)).toEqual([
    '数据字典',
    'A_TABLE_WITH_A_VERY_LONG_NAME_O',
    'A_TABLE_WITH_A_VERY_LONG_NAME_1',
    'History_1',
    'B',
  ])
  expect(notes.map((note) => 'to' in note && note.to)).toEqual(sheets.slice(1, 4).map(({ name }) => name))
})

it('goes on in a numbered sheet where one is full, and tells it', async () => {
  const notes: WriteNote[] = []
  const rows = Array.from({ length: 7 }, (_, at) => [`r${at}`])
  const options = {
    language: 'en',
    createdAt: '',
    name: 'd',
    title: '',
    note: (note: WriteNote) => notes.push(note),
  } as const
  const sheets: [string, unknown[]][] = []
  for await (const { name, rows: batches } of listSheets(
    [table('T', [variable('A')], rows), table('T_2', [], [])],
    options,
    { rows: 3, bytes: Infinity },
  )) {
    const all: unknown[] = []
    for await (const batch of batches) all.push(...batch)
    sheets.push([name, all])
  }
  expect(sheets.slice(1)).toEqual([
    ['T', [['A'], ['r0'], ['r1'], ['r2']]],
    ['T__2', [['A'], ['r3'], ['r4'], ['r5']]],
    ['T_3', [['A'], ['r6']]],
    ['T_2', [[]]],
  ])
  expect(notes).toEqual([{ kind: 'rows-split', table: 'T', parts: 3 }])
})

it('does not begin a sheet for no row where the last is just full', async () => {
  const options = { language: 'en', createdAt: '', name: 'd', title: '', note: () => undefined } as const
  const names: string[] = []
  for await (const { name, rows } of listSheets([table('T', [variable('A')], [['1'], ['2'], ['3']])], options, {
    rows: 3,
    bytes: Infinity,
  })) {
    names.push(name)
    for await (const batch of rows) expect(batch.length).toBeGreaterThan(0)
  }
  expect(names).toEqual(['Dictionary', 'T'])
})

it('goes on in a numbered sheet where the bytes of one are used up', async () => {
  const options = { language: 'en', createdAt: '', name: 'd', title: '', note: () => undefined } as const
  const rows = Array.from({ length: 60 }, () => ['&'.repeat(100)])
  const counts: number[] = []
  for await (const { rows: batches } of listSheets([table('T', [variable('A')], rows)], options, {
    rows: 1_000,
    bytes: 20_000,
  })) {
    let count = -1
    for await (const batch of batches) count += batch.length
    counts.push(count)
  }
  expect(counts.slice(1).reduce((sum, count) => sum + count)).toBe(60)
  expect(Math.max(...counts.slice(1))).toBeLessThan(35)
})

it('refuses a NUL', async () => {
  await expect(workbook(table('T', [variable('A')], [['\u0000']]))).rejects.toMatchObject({ reason: { kind: 'nul' } })
})
