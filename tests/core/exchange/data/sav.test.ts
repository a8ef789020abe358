import { expect, it } from 'vitest'
import { writeSavTables } from '#core/exchange/data/sav/sav.ts'

import { codes, make, missing, table, variable } from './making.ts'

const NUMBER = variable('N', { type: 'number' })

it('is a system file of UTF-8 that says how many cases and how wide they are', async () => {
  const { files } = await make(writeSavTables, [table('T', [variable('A'), NUMBER], [['一二三', 1]], '表')])
  const bytes = files.get('T.sav') ?? Buffer.alloc(0)
  expect(bytes.toString('latin1', 0, 4)).toBe('$FL2')
  expect(bytes.readInt32LE(64)).toBe(2)
  // Nine bytes of text take two places, the number one.
  expect(bytes.readInt32LE(68)).toBe(3)
  expect(bytes.readInt32LE(80)).toBe(1)
  expect(bytes.toString('utf8', 92, 109)).toBe('30 Nov 2608:00:00')
  expect(bytes.toString('utf8', 109, 112)).toBe('表')
  expect(bytes.includes('UTF-8')).toBe(true)
})

it('tells what is no number, no day of its calendar and no finite number, with what was entered', async () => {
  const variables = [NUMBER, variable('D', { type: 'date' }), variable('I', { type: 'datetime' })]
  const { notes } = await make(writeSavTables, [
    table('T', variables, [
      ['约70', '1582-10-14', '1582-10-14 23:59'],
      [Infinity, '1582-10-15', '2023-02-29 00:00'],
      [NaN, '2024-05', 20_240_506],
      [-Number.MAX_VALUE, '0001-01-01', '2024-05-06'],
    ]),
  ])
  expect(
    notes.map((note) => [
      note.kind,
      'variable' in note && note.variable,
      'row' in note && note.row,
      'text' in note && note.text,
    ]),
  ).toEqual([
    ['value-not-of-type', 'N', 1, '约70'],
    ['value-out-of-range', 'D', 1, '1582-10-14'],
    ['value-out-of-range', 'I', 1, '1582-10-14 23:59'],
    ['value-not-of-type', 'N', 2, 'Infinity'],
    ['value-not-of-type', 'I', 2, '2023-02-29 00:00'],
    ['value-not-of-type', 'N', 3, 'NaN'],
    ['value-not-of-type', 'D', 3, '2024-05'],
    ['value-not-of-type', 'I', 3, '20240506'],
    ['value-out-of-range', 'N', 4, String(-Number.MAX_VALUE)],
    ['value-out-of-range', 'D', 4, '0001-01-01'],
    ['value-not-of-type', 'I', 4, '2024-05-06'],
  ])
})

it('takes other numbers for missing reasons where a value is as small as they are', async () => {
  const usual = Buffer.alloc(8)
  usual.writeDoubleLE(-999_999_999_999_997)
  const extreme = Buffer.alloc(8)
  extreme.writeDoubleLE(-1.1e307)
  const small = await make(writeSavTables, [table('T', [NUMBER], [[-999_999_999_999_997], [missing('ND')]])])
  expect(small.files.get('T.sav')?.includes(extreme)).toBe(true)
  expect(small.notes).toEqual([])
  const plain = await make(writeSavTables, [table('T', [NUMBER], [[-5], [missing('ND')]])])
  expect(plain.files.get('T.sav')?.includes(usual)).toBe(true)
  expect(plain.files.get('T.sav')?.includes(extreme)).toBe(false)
})

it('tells an answer that reads like the missing reason of another row, and only then', async () => {
  const rows = [['NA'], [missing('NA')], ['ND']] as const
  expect((await make(writeSavTables, [table('T', [variable('A')], rows)])).notes).toEqual([
    { kind: 'like-reason', table: 'T', variable: 'A', row: 1, text: 'NA' },
  ])
  expect((await make(writeSavTables, [table('T', [variable('A')], [['NA'], ['ND']])])).notes).toEqual([])
})

it('cuts texts, labels and labels of codes at the bytes of the format, and tells the whole', async () => {
  const text = `a${'证'.repeat(11_000)}`
  const label = '标'.repeat(100)
  const { notes } = await make(writeSavTables, [
    table('T', [variable('A', { label, codes: codes(['1', '签'.repeat(60)]) })], [[text], ['x ']], '表'.repeat(30)),
  ])
  expect(notes.map(({ kind }) => kind)).toEqual([
    'trailing-spaces',
    'label-cut',
    'code-label-cut',
    'table-label-cut',
    'value-cut',
  ])
  expect(notes.at(-1)).toMatchObject({ row: 1, text })
  expect(notes[0]).toEqual({ kind: 'trailing-spaces', table: 'T', variable: 'A', cells: 1 })
})

it('tells codes of a number that are none', async () => {
  const { notes } = await make(writeSavTables, [
    table('T', [variable('N', { type: 'number', codes: codes(['1', '是'], ['x', '否']) })], [[1]]),
  ])
  expect(notes).toEqual([{ kind: 'code-label-left-out', table: 'T', variable: 'N', code: 'x', text: '否' }])
})

it('refuses a NUL', async () => {
  await expect(make(writeSavTables, [table('T', [variable('A')], [['a\u0000']])])).rejects.toMatchObject({
    reason: { kind: 'nul', variable: 'A', row: 1 },
  })
})
