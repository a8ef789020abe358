import { expect, it } from 'vitest'
import { writeRTables } from '#core/exchange/data/r/rFiles.ts'

import { codes, make, missing, table, variable } from './making.ts'

it('keeps answers apart from missing reasons and from formulas by an apostrophe, which the script takes off', async () => {
  const rows = ['NA', 'ND', 'NAB', '=1+1', "'x", '-1', '5', '证'].map((text) => [text])
  const { files } = await make(writeRTables, [table('T', [variable('A')], [...rows, [missing('NA')]])])
  expect(files.get('T.csv')?.toString('utf8').split('\r\n')).toEqual([
    'A',
    "'NA",
    "'ND",
    'NAB',
    "'=1+1",
    "''x",
    "'-1",
    '5',
    '证',
    'NA',
    '',
  ])
  expect(files.get('data.R')?.toString('utf8')).toContain(`x <- sub("^'", "", x)`)
})

it('writes every line break as R has it, and tells how many', async () => {
  const { files, notes } = await make(writeRTables, [table('T', [variable('A')], [['a\r\nb'], ['a\rb'], ['a\nb']])])
  expect(files.get('T.csv')?.toString('utf8')).toBe('A\r\n"a\nb"\r\n"a\nb"\r\n"a\nb"\r\n')
  expect(notes).toEqual([{ kind: 'line-breaks', table: 'T', variable: 'A', cells: 2 }])
})

it('tells what the script will not read as its type', async () => {
  const variables = [variable('N', { type: 'number' }), variable('D', { type: 'date' })]
  const { notes } = await make(writeRTables, [
    table('T', variables, [
      ['约70', '2024-05'],
      [1, '2024-05-06'],
    ]),
  ])
  expect(notes).toEqual([
    { kind: 'value-not-of-type', table: 'T', variable: 'N', row: 1, text: '约70' },
    { kind: 'value-not-of-type', table: 'T', variable: 'D', row: 1, text: '2024-05' },
  ])
})

it('names labels, units and codes in the script, whatever signs they have', async () => {
  const variables = [
    variable('A', { label: '说"\\明\n2', codes: codes(['1', '男'], ['"2"', '女`;stop()']) }),
    variable('B', { type: 'number', unit: 'kg' }),
  ]
  const { files } = await make(writeRTables, [table('T', variables, [], '表')])
  const script = files.get('data.R')?.toString('utf8') ?? ''
  expect(script).toContain(String.raw`as_variable(cells[[1]], "text", "说\"\\明\n2", codes = c(`)
  expect(script).toContain(
    String.raw`    "男" = "1",` + '\n' + String.raw`    "女` + '`' + String.raw`;stop()" = "\"2\"")),`,
  )
  expect(script).toContain('as_variable(cells[[2]], "number", "B", unit = "kg")')
})
