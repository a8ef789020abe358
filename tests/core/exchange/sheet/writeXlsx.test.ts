import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { streamXlsx, writeXlsx } from '#core/exchange/sheet/writeXlsx.ts'

import type { Cells } from './making.ts'

const MANY_COLUMNS = Array.from({ length: 30 }, (_, at) => `c${at}`)

async function* asStream(rows: Cells): AsyncGenerator<readonly string[]> {
  yield* rows
}

async function streamed(rows: Cells): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const columns = Math.max(...rows.map(({ length }) => length))
  for await (const piece of streamXlsx({ name: '表', columns, rows: asStream(rows) })) pieces.push(piece)
  return Buffer.concat(pieces)
}

function cellsOf(bytes: Uint8Array): unknown {
  const read = readSheets(bytes)
  return read.ok ? read.sheets.map(({ name, rows }) => ({ name, rows: rows.map(({ cells }) => cells) })) : read.error
}

describe.each<[string, (rows: Cells) => Promise<Uint8Array>]>([
  ['written at once', async (rows) => writeXlsx([{ name: '表', rows }])],
  ['made while it is fetched', streamed],
])('a workbook that is %s', (_, write) => {
  it('is read again as it was', async () => {
    const rows = [
      ['编号', 'a'],
      ['<b>&"', ' two  spaces '],
      ['_x000D_', 'a\r\nb'],
      ['=1+1', '@SUM(A1)'],
    ]
    expect(cellsOf(await write(rows))).toEqual([{ name: '表', rows }])
  })

  it('keeps blank cells blank, and columns behind Z', async () => {
    const last = MANY_COLUMNS.map((name, at) => (at % 2 === 0 ? '' : name))
    expect(cellsOf(await write([MANY_COLUMNS, last]))).toEqual([{ name: '表', rows: [MANY_COLUMNS, last] }])
  })

  it('has no cell that a spreadsheet runs', async () => {
    const xml = new TextDecoder().decode(unzipSync(await write([['a'], ['=1+1'], ['+1']]))['xl/worksheets/sheet1.xml'])
    expect(xml).not.toMatch(/<f[ >]/)
    expect([...xml.matchAll(/<c [^>]*t="(\w+)"/g)].map(([, type]) => type)).toEqual(Array(3).fill('inlineStr'))
  })
})

it('both ways write the same parts', async () => {
  const rows = [
    ['a', 'b'],
    ['1', ''],
    ['', '2'],
  ]
  expect(unzipSync(await streamed(rows))).toEqual(unzipSync(writeXlsx([{ name: '表', rows }])))
})

it('a long sheet comes in pieces while its rows are still being made', async () => {
  let made = 0
  async function* rows(): AsyncGenerator<readonly string[]> {
    for (; made < 20_000; made += 1) yield [`row ${made}`, String(Math.sin(made))]
  }
  const madeAt: number[] = []
  for await (const piece of streamXlsx({ name: 'a', columns: 2, rows: rows() })) if (piece.length > 0) madeAt.push(made)
  expect(madeAt.filter((at) => at > 0 && at < 20_000).length).toBeGreaterThan(3)
})
