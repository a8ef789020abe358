import type { CellValue, DataTable, Row, Variable } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'

import type { DayCell, TypedCell, TypedSheet } from '../sheet/streamWorkbook.ts'
import {
  MOST_CHARACTERS,
  MOST_COLUMNS,
  MOST_NAME,
  MOST_ROWS,
  MOST_SHEET_BYTES,
  mostRowBytes,
  streamWorkbook,
} from '../sheet/streamWorkbook.ts'
import { ArchiveTooLarge } from '../sheet/zipStream.ts'
import { CellReport, numericValue, valueText } from './cells.ts'
import type { WriteOptions, WrittenFile } from './contract.ts'
import { DataFailure } from './contract.ts'
import { limitVariables } from './limits.ts'
import { shortenNames } from './shortNames.ts'
import { dataWords } from './words.ts'

/** Writes tables as a workbook: a dictionary, and a sheet for each table. */

/** Rows in a sheet, its head apart. */
const ROWS = MOST_ROWS - 1

/** One file. Dates before March 1900, which spreadsheets do not count, are texts. */
export async function* writeXlsxTables(
  tables: readonly DataTable[],
  options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  yield {
    name: `${options.name}.xlsx`,
    chunks: streamBook(listSheets(tables, options, { rows: ROWS, bytes: MOST_SHEET_BYTES })),
  }
}

async function* streamBook(sheets: AsyncIterable<TypedSheet>): AsyncGenerator<Uint8Array> {
  try {
    yield* streamWorkbook(sheets)
  } catch (error) {
    throw error instanceof ArchiveTooLarge ? new DataFailure({ kind: 'too-large' }) : error
  }
}

/** Where a further sheet is begun. */
export interface SheetLimit {
  readonly rows: number
  readonly bytes: number
}

/** The sheets of a workbook: the dictionary, then those of each table. */
export async function* listSheets(
  tables: readonly DataTable[],
  options: WriteOptions,
  limit: SheetLimit,
): AsyncGenerator<TypedSheet> {
  const words = dataWords(options.language)
  // Sheets of one table are numbered, and each name is given once: what is free is looked for when it is needed.
  const taken = new Set([words.dictionary.toUpperCase()])
  const names = shortenNames(
    tables.map(({ name }) => name),
    { most: MOST_NAME, reserved: new Set([...taken, 'HISTORY']) },
  )
  for (const [at, { name }] of tables.entries()) {
    const to = names[at] ?? name
    taken.add(to.toUpperCase())
    if (to !== name) options.note({ kind: 'table-renamed', table: name, to })
  }
  yield dictionarySheet(tables, options)
  for (const [at, table] of tables.entries()) {
    yield* splitTable(limitVariables(table, MOST_COLUMNS, options), names[at] ?? table.name, taken, {
      options,
      limit,
    })
  }
}

const WIDTHS = [16, 20, 36, 12, 10, 48, 14]

function dictionarySheet(tables: readonly DataTable[], { language, note }: WriteOptions): TypedSheet {
  const words = dataWords(language)
  const { table, variable, label, type, unit, codes, role } = words.columns
  const rowOf = ({ name }: DataTable, { codes: list, ...of }: Variable): TypedCell[] => {
    const text = list.map((one) => `${one.code}=${one.label}`).join('; ')
    if (text.length > MOST_CHARACTERS) note({ kind: 'labels-not-written', table: name, variable: of.name })
    return [name, of.name, cutText(of.label), words.types[of.type], of.unit, cutText(text), words.roles[of.role]]
  }
  return {
    name: words.dictionary,
    columns: WIDTHS.length,
    widths: WIDTHS,
    rows: [
      [[table, variable, label, type, unit, codes, role]],
      ...tables.map((one) => one.variables.map((of) => rowOf(one, of))),
    ],
  }
}

interface Splitting {
  readonly options: WriteOptions
  readonly limit: SheetLimit
}

/** The sheets of a table: a further one, which is numbered, whenever one is full. */
async function* splitTable(
  table: DataTable,
  name: string,
  taken: Set<string>,
  { options, limit }: Splitting,
): AsyncGenerator<TypedSheet> {
  const source = new RowSource(table)
  const head = table.variables.map((variable) => variable.name)
  const report = new CellReport(table, options)
  let parts = 0
  do {
    parts += 1
    const sheet = parts === 1 ? name : numberName(name, parts, taken)
    yield { name: sheet, columns: head.length, rows: sheetRows(source, head, report, limit) }
  } while (await source.hasMore())
  if (parts > 1) options.note({ kind: 'rows-split', table: table.name, parts })
}

function numberName(name: string, number: number, taken: Set<string>): string {
  for (let end = `_${number}`; ; end = `_${end}`) {
    const result = `${name.slice(0, MOST_NAME - end.length)}${end}`
    if (taken.has(result.toUpperCase())) continue
    taken.add(result.toUpperCase())
    return result
  }
}

async function* sheetRows(
  source: RowSource,
  head: readonly string[],
  report: CellReport,
  limit: SheetLimit,
): AsyncGenerator<readonly (readonly TypedCell[])[]> {
  yield [head]
  let bytes = mostRowBytes(head)
  for (let left = limit.rows; left > 0 && bytes < limit.bytes;) {
    const start = source.row
    const batch = await source.takeRows(Math.min(left, ROWS_AT_ONCE))
    if (batch.length === 0) return
    left -= batch.length
    const rows = batch.map((row, at) =>
      report.table.variables.map((_, column) => typedCell(row, column, start + at + 1, report)),
    )
    bytes = rows.reduce((sum, row) => sum + mostRowBytes(row), bytes)
    yield rows
  }
}

/** What is counted together may go beyond the bytes of a sheet by what so few rows have. */
const ROWS_AT_ONCE = 10

/** The rows of a table, taken in such portions as are wanted. */
class RowSource {
  private readonly batches: AsyncIterator<readonly Row[]>
  private waiting: readonly Row[] = []
  /** How many were taken. */
  row = 0

  constructor(table: DataTable) {
    this.batches = table.rows()[Symbol.asyncIterator]()
  }

  /** At most so many; none at the end. */
  async takeRows(most: number): Promise<readonly Row[]> {
    if (!(await this.hasMore())) return []
    const rows = this.waiting.slice(0, most)
    this.waiting = this.waiting.slice(most)
    this.row += rows.length
    return rows
  }

  async hasMore(): Promise<boolean> {
    while (this.waiting.length === 0) {
      const next = await this.batches.next()
      if (next.done === true) return false
      this.waiting = next.value
    }
    return true
  }
}

function typedCell(cells: Row, column: number, row: number, report: CellReport): TypedCell {
  const cell: CellValue = cells[column] ?? null
  if (cell === null || cell === '') return null
  if (isMissing(cell)) return cell.m
  const variable = report.table.variables[column]
  const type = variable?.type ?? 'text'
  if (type !== 'text') {
    const value = numericValue(type, cell)
    if (value !== null) return type === 'number' ? value : (dayCell(type, value, cell) ?? valueText(cell))
    report.noteCell('value-not-of-type', column, row, cell)
  }
  const text = valueText(cell)
  report.refuseNul(text, column, row)
  if (text.length <= MOST_CHARACTERS) return text
  report.noteCell('value-cut', column, row, text)
  return cutText(text)
}

/** 1899-12-30, from which spreadsheets count, and the first day from which they count right. */
const START = -25_569
const FIRST = -25_508

function dayCell(type: 'date' | 'time' | 'datetime', value: number, cell: string | number): DayCell | null {
  if (type === 'time') return { days: value / 86_400, kind: 'time' }
  const days = type === 'date' ? value : value / 86_400
  if (days < FIRST) return null
  if (type === 'date') return { days: days - START, kind: 'date' }
  return { days: days - START, kind: valueText(cell).length > 16 ? 'seconds' : 'minutes' }
}

/** The beginning of a text that a cell holds, without half a character at its end. */
function cutText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  const end = text.charCodeAt(MOST_CHARACTERS - 1)
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? MOST_CHARACTERS - 1 : MOST_CHARACTERS)
}
