import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import type { CellValue, DataTable } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'
import { writeParquetTables } from '#server/exports/parquet.ts'
import { make, missing, table, variable } from '#tests/core/exchange/data/making.ts'
import { empty, hard, hardTables } from '#tests/core/exchange/data/samples.ts'

async function bytesOf(one: DataTable) {
  const { files, notes } = await make(writeParquetTables, [one])
  const file = new Uint8Array(files.get(`${one.name}.parquet`) ?? [])
  return { file: file.buffer, notes }
}

/** A value as the reader gives it, as it was entered. */
function plainValue(value: unknown, type: string, seconds: boolean): unknown {
  if (value === null || value === undefined) return null
  if (type === 'date' && value instanceof Date) return value.toISOString().slice(0, 10)
  if (type === 'datetime' && value instanceof Date) {
    return value
      .toISOString()
      .slice(0, seconds ? 19 : 16)
      .replace('T', ' ')
  }
  if (type === 'time') return new Date(Number(value)).toISOString().slice(11, seconds ? 19 : 16)
  return value
}

describe.each(hardTables.map((one) => [one.name.slice(0, 20), one] as const))('table %s', (_, one) => {
  it('is read as it was, a missing reason of a number as no value', async () => {
    const { file } = await bytesOf(one)
    const read = (await parquetReadObjects({ file })) as Record<string, unknown>[]
    const rows: (readonly CellValue[])[] = []
    for await (const batch of one.rows()) rows.push(...batch)
    const expected = rows.map((row) =>
      one.variables.map(({ type }, at): unknown => {
        const cell = row[at] ?? null
        if (isMissing(cell ?? null)) return type === 'text' && isMissing(cell) ? cell.m : null
        return cell === 0 ? 0 : cell
      }),
    )
    expect(
      read.map((found, at) =>
        one.variables.map(({ name, type }, column) => {
          const cell = expected[at]?.[column]
          return plainValue(found[name], type, typeof cell === 'string' && /:\d\d:/.test(cell))
        }),
      ),
    ).toEqual(expected)
  })
})

it('says the types, the labels, the units and the codes', async () => {
  const { file } = await bytesOf(hard)
  const metadata = parquetMetadata(file)
  expect(metadata.schema.slice(1).map(({ name, logical_type: type }) => [name, type?.type])).toEqual([
    ['SUBJID', 'STRING'],
    ['VISITNUM', undefined],
    ['SEX', 'STRING'],
    ['TONGUE', 'STRING'],
    ['GRADE', undefined],
    ['WEIGHT', undefined],
    ['BIRTH', 'DATE'],
    ['TAKEN', 'TIME'],
    ['SEEN', 'TIMESTAMP'],
    ['COMPLAINT', 'STRING'],
    ['INITIALS', 'STRING'],
  ])
  const own = metadata.key_value_metadata?.find(({ key }) => key === 'zhenglu')?.value ?? ''
  expect(JSON.parse(own)).toMatchObject({ table: 'VITALS', label: '生命体征' })
  const { variables } = JSON.parse(own) as { variables: unknown[] }
  expect(variables[2]).toMatchObject({ name: 'SEX', label: '性别', codes: [{ code: '1', label: '男' }, {}] })
  expect(variables[5]).toMatchObject({ name: 'WEIGHT', unit: 'kg' })
})

it('has the columns of a table without rows', async () => {
  const { file } = await bytesOf(empty)
  expect(parquetMetadata(file)).toMatchObject({ num_rows: 0n, schema: { length: empty.variables.length + 1 } })
})

it('tells what it could not write', async () => {
  const { notes } = await bytesOf(
    table(
      'T',
      [variable('N', { type: 'number' }), variable('D', { type: 'date' })],
      [
        ['约70', missing('UNK')],
        [NaN, '2023-02-29'],
      ],
    ),
  )
  expect(notes).toEqual([
    { kind: 'reasons-not-written', table: 'T', variable: 'D', cells: 1 },
    { kind: 'value-not-of-type', table: 'T', variable: 'N', row: 1, text: '约70' },
    { kind: 'value-not-of-type', table: 'T', variable: 'N', row: 2, text: 'NaN' },
    { kind: 'value-not-of-type', table: 'T', variable: 'D', row: 2, text: '2023-02-29' },
  ])
})

it('writes long tables in groups while their rows are still being made', async () => {
  let made = 0
  const variables = Array.from({ length: 100 }, (_, at) => variable(`V${at}`, { type: 'number' }))
  const long: DataTable = {
    ...table('LONG', variables, []),
    async *rows() {
      for (made = 0; made < 12_000; made += 1_000) {
        yield Array.from({ length: 1_000 }, (_, row) => variables.map((__, at) => made + row + at / 100))
      }
    },
  }
  const { file } = await bytesOf(long)
  const metadata = parquetMetadata(file)
  expect(metadata.row_groups.map(({ num_rows: rows }) => Number(rows))).toEqual([5_000, 5_000, 2_000])
  const read = (await parquetReadObjects({ file, columns: ['V99'], rowStart: 11_999, rowEnd: 12_000 })) as unknown[]
  expect(read).toEqual([{ V99: 11_999.99 }])
})
