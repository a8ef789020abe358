import { expect, test } from 'vitest'
import { readCsv } from '#core/exchange/csv.ts'
import { csvText } from '#core/exchange/writeCsv.ts'

test('a spreadsheet reads back what was written, in any script, with commas, quotes and line ends', () => {
  const rows = [
    ['字段', 'a "b", c', '第一行\n第二行'],
    ['x', '', 'y'],
  ]
  const read = readCsv(csvText(rows), ',', { records: 10, cells: 10, recordLength: 1000 })
  expect(read.ok && read.records.map(({ cells }) => cells)).toEqual(rows)
})

test('no text runs as a formula, and a number stays a number', () => {
  expect(csvText([['=1+1', '+x', '-2', '@SUM(A1)', '\tz', -2, 0.5, null]])).toBe(
    `\uFEFF'=1+1,'+x,'-2,'@SUM(A1),'\tz,-2,0.5,\r\n`,
  )
})
