import { expect, it } from 'vitest'
import { writeDtaTables } from '#core/exchange/data/dta/dta.ts'

import { codes, make, missing, table, variable } from './making.ts'
import { hard, long, wide } from './samples.ts'

const PARTS = [
  '<stata_dta>',
  '<map>',
  '<variable_types>',
  '<varnames>',
  '<sortlist>',
  '<formats>',
  '<value_label_names>',
  '<variable_labels>',
  '<characteristics>',
  '<data>',
  '<strls>',
  '<value_labels>',
  '</stata_dta>',
]

it.each([hard, long, wide, table('T', [], [])])('its map says where each part begins: $name', async (one) => {
  const { files } = await make(writeDtaTables, [one])
  const bytes = files.get(`${one.name}.dta`) ?? Buffer.alloc(0)
  const map = bytes.indexOf('<map>') + 5
  const places = Array.from({ length: 14 }, (_, at) => Number(bytes.readBigUInt64LE(map + at * 8)))
  expect(PARTS.map((part, at) => bytes.toString('latin1', places[at], (places[at] ?? 0) + part.length))).toEqual(PARTS)
  expect(places.at(-1)).toBe(bytes.length)
})

it('tells what is no value of its type or too far for the format', async () => {
  const variables = [
    variable('N', { type: 'number' }),
    variable('D', { type: 'date' }),
    variable('C', { codes: codes(['1', '是'], ['2', '否']) }),
  ]
  const { notes } = await make(writeDtaTables, [
    table('T', variables, [
      ['70 kg', '0099-12-31', '3'],
      [1e308, '0100-01-01', '1'],
      [missing('ND'), missing('UNK'), missing('NA')],
    ]),
  ])
  expect(notes).toEqual([
    { kind: 'value-not-of-type', table: 'T', variable: 'N', row: 1, text: '70 kg' },
    { kind: 'value-out-of-range', table: 'T', variable: 'D', row: 1, text: '0099-12-31' },
    { kind: 'value-not-of-type', table: 'T', variable: 'C', row: 1, text: '3' },
    { kind: 'value-out-of-range', table: 'T', variable: 'N', row: 2, text: '1e+308' },
  ])
})

it.each([
  ['01', '2'],
  ['1', 'x'],
  ['1', '1.5'],
  ['1', '99999999999'],
])(
  'keeps texts whose codes are not all plain whole numbers (%s, %s), and tells that their labels are lost',
  async (...list) => {
    const { notes } = await make(writeDtaTables, [
      table('T', [variable('C', { codes: list.map((code) => ({ code, label: '签' })) })], [[list[0]]]),
    ])
    expect(notes).toEqual([{ kind: 'labels-not-written', table: 'T', variable: 'C' }])
  },
)

it('renames what means something else to Stata', async () => {
  const names = ['if', 'in', 'strL', 'str20', 'IFX']
  const { notes } = await make(writeDtaTables, [
    table(
      'T',
      names.map((name) => variable(name)),
      [],
    ),
  ])
  expect(notes.map((note) => 'variable' in note && note.variable)).toEqual(['if', 'in', 'strL', 'str20'])
})
