import { csvText } from '#core/exchange/writeCsv.ts'
import { withoutFormula } from '#core/exchange/formula.ts'

import type { CellValue, TableColumn } from './contract.ts'

/** Rows as text that leaves the app: a CSV file, or what a spreadsheet takes from the clipboard. */

type Facts<Fact> = ReadonlyMap<string, Fact>

interface Taken<Row, Fact> {
  readonly columns: readonly TableColumn<Row, Fact>[]
  readonly rows: readonly Row[]
  readonly facts: Facts<Fact>
  readonly rowKey: (row: Row) => string
}

/** A CSV file of the columns that are shown. No cell can run as a formula. */
export function csvOf<Row, Fact>(taken: Taken<Row, Fact>): string {
  return csvText([taken.columns.map(({ title }) => title), ...cellsOf(taken)])
}

/** What is pasted into a spreadsheet: cells apart by tabs, rows by lines. No cell can run as a formula. */
export function sheetText<Row, Fact>(taken: Taken<Row, Fact>): string {
  return [taken.columns.map(({ title }) => title), ...cellsOf(taken)]
    .map((row) => row.map(sheetCell).join('\t'))
    .join('\n')
}

function cellsOf<Row, Fact>({ columns, rows, facts, rowKey }: Taken<Row, Fact>): readonly (readonly CellValue[])[] {
  return rows.map((row) => {
    const fact = facts.get(rowKey(row))
    return columns.map(({ text }) => text(row, fact))
  })
}

function sheetCell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = withoutFormula(value)
  return /["\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
