import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readCsv } from '#core/exchange/csv.ts'

/** Delimited text: what was written is what is read, and a broken file is refused with its line. */

const LIMITS = { records: 100, cells: 20, recordLength: 1_000 }

function cellsOf(text: string, delimiter = ','): readonly (readonly string[])[] {
  const result = readCsv(text, delimiter, LIMITS)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.records.map(({ cells }) => cells)
}

describe('delimited text', () => {
  it('gives back any cells that were quoted, with any line end and delimiter', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '中', '"', ',', ';', '\t', '\n', '\r', ' ', "'"),
      maxLength: 8,
    })
    const row = fc
      .array(cell, { minLength: 1, maxLength: 6 })
      .filter((cells) => cells.some((text) => text.trim() !== ''))
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom(',', ';', '\t'),
        fc.boolean(),
        (rows, end, delimiter, closed) => {
          const lines = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter))
          expect(cellsOf(lines.join(end) + (closed ? end : ''), delimiter)).toEqual(rows)
        },
      ),
      { seed: 20_260_301, numRuns: 500 },
    )
  })

  it.each<[string, readonly (readonly string[])[]]>([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa,b\r\n1,\r\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['5" tube,b', [['5" tube', 'b']]],
    ['a,"b ""c"" d"', [['a', 'b "c" d']]],
    ['a,""', [['a', '']]],
    ['a,', [['a', '']]],
    ['', []],
    ['\n\n,,\n  \n', []],
  ])('%j', (text, rows) => {
    expect(cellsOf(text)).toEqual(rows)
  })

  it('numbers rows as a spreadsheet does, blank ones and lines within cells included', () => {
    const result = readCsv('h\n\n"two\nlines"\n,\nlast', ',', LIMITS)
    expect(result.ok && result.records.map(({ row }) => row)).toEqual([1, 3, 5])
  })

  it.each([
    ['a,"b\nc\nd', { kind: 'not-csv', line: 1 }],
    ['a\n"b\nc"\nd,"e"f', { kind: 'not-csv', line: 4 }],
    ['a\n'.repeat(101), { kind: 'too-large' }],
    [','.repeat(21), { kind: 'too-large' }],
    ['x'.repeat(1_001), { kind: 'too-large' }],
  ])('refuses %j', (text, error) => {
    expect(readCsv(text, ',', LIMITS)).toEqual({ ok: false, error })
  })
})
