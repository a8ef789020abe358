import { expect, it } from 'vitest'
import { writeDatasetJsonTables } from '#core/exchange/data/datasetJson.ts'

import { codes, make, missing, table, variable } from './making.ts'

async function written(...values: Parameters<typeof table>) {
  const { files, notes } = await make(writeDatasetJsonTables, [table(...values)])
  return { json: JSON.parse(files.get(`${values[0]}.json`)?.toString('utf8') ?? '') as Record<string, unknown>, notes }
}

const VARIABLES = [
  variable('USUBJID', { label: '受试者', role: 'key' }),
  variable('SEQ', { type: 'number', decimals: 0, label: '序号', role: 'key' }),
  variable('VALUE', { type: 'number', decimals: 1, label: '值', unit: 'kg' }),
  variable('DAY', { type: 'date', label: '日期' }),
  variable('TIME', { type: 'time', label: '时间' }),
  variable('AT', { type: 'datetime', label: '时刻' }),
]

it('says what the data are and how many records there are, then the rows', async () => {
  const { json, notes } = await written(
    'VS',
    VARIABLES,
    [
      ['S001', 1, 70.5, '2024-05-06', '08:30', '2024-05-06 08:30'],
      ['S证', 2, -0, null, '08:30:01', '2024-05-06 08:30:59'],
    ],
    '体征',
  )
  expect(Object.keys(json).at(-1)).toBe('rows')
  expect(json).toMatchObject({
    datasetJSONCreationDateTime: '2026-11-30T08:00:00Z',
    datasetJSONVersion: '1.1.0',
    itemGroupOID: 'IG.VS',
    records: 2,
    name: 'VS',
    label: '体征',
    rows: [
      ['S001', 1, 70.5, '2024-05-06', '08:30:00', '2024-05-06T08:30:00'],
      ['S证', 2, 0, null, '08:30:01', '2024-05-06T08:30:59'],
    ],
  })
  expect(json['columns']).toEqual([
    { itemOID: 'IT.VS.USUBJID', name: 'USUBJID', label: '受试者', dataType: 'string', length: 4, keySequence: 1 },
    { itemOID: 'IT.VS.SEQ', name: 'SEQ', label: '序号', dataType: 'integer', keySequence: 2 },
    { itemOID: 'IT.VS.VALUE', name: 'VALUE', label: '值 (kg)', dataType: 'double', displayFormat: '13.1' },
    {
      itemOID: 'IT.VS.DAY',
      name: 'DAY',
      label: '日期',
      dataType: 'date',
      targetDataType: 'integer',
      displayFormat: 'E8601DA10.',
    },
    {
      itemOID: 'IT.VS.TIME',
      name: 'TIME',
      label: '时间',
      dataType: 'time',
      targetDataType: 'integer',
      displayFormat: 'E8601TM8.',
    },
    {
      itemOID: 'IT.VS.AT',
      name: 'AT',
      label: '时刻',
      dataType: 'datetime',
      targetDataType: 'integer',
      displayFormat: 'E8601DT19.',
    },
  ])
  expect(notes).toEqual([])
})

it('is an object with no rows where a table has none', async () => {
  expect((await written('T', VARIABLES, [])).json).toMatchObject({ records: 0, rows: [] })
})

it('calls a number that is not always whole no integer', async () => {
  const { json } = await written('T', [variable('N', { type: 'number', decimals: 0 })], [[1], [1.5]])
  expect(json['columns']).toMatchObject([{ dataType: 'double' }])
})

it('tells the reasons that stand nowhere, and those alone', async () => {
  const variables = [
    variable('A', { type: 'number' }),
    variable('A_REASON', { role: 'reason' }),
    variable('B', { type: 'number' }),
    variable('C', { codes: codes(['1', '是']) }),
  ]
  const { json, notes } = await written('T', variables, [
    [missing('ND'), 'ND', missing('UNK'), missing('NA')],
    [NaN, null, '多', '1'],
  ])
  expect(json['rows']).toEqual([
    [null, 'ND', null, 'NA'],
    [null, null, null, '1'],
  ])
  expect(notes).toEqual([
    { kind: 'reasons-not-written', table: 'T', variable: 'B', cells: 1 },
    { kind: 'labels-not-written', table: 'T', variable: 'C' },
    { kind: 'value-not-of-type', table: 'T', variable: 'A', row: 2, text: 'NaN' },
    { kind: 'value-not-of-type', table: 'T', variable: 'B', row: 2, text: '多' },
  ])
})
