import type { CellValue, DataTable, Row } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'

import { encodePieces } from '../byteBlock.ts'
import { CellReport, numericValue } from '../cells.ts'
import type { WriteOptions, WrittenFile } from '../contract.ts'
import { streamCsv } from '../csv.ts'
import { listScript } from './rScript.ts'

/**
 * Writes tables for R: a file of delimited text for each, and a script that reads them with types, factors, labels and
 * units. Texts that a spreadsheet would run, that begin with an apostrophe or that read like a missing reason get an
 * apostrophe, which the script takes off again: so the files are safe in a spreadsheet, and exact in R.
 */

const REASONS: ReadonlySet<string> = new Set(MISSING_CODES)

/** A file for each table, then the script. */
export async function* writeRTables(tables: readonly DataTable[], options: WriteOptions): AsyncGenerator<WrittenFile> {
  for (const table of tables) {
    const checked = watchRows(table, options)
    yield {
      name: `${table.name}.csv`,
      chunks: streamCsv(checked, { hasMark: false, protectText, looksClose: (text) => REASONS.has(text) }),
    }
  }
  yield { name: `${options.name}.R`, chunks: asPieces(encodePieces(listScript(tables, options))) }
}

async function* asPieces(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
}

/** More than a spreadsheet would run, so that taking one apostrophe off is always right. */
function protectText(text: string): string {
  return /^['=+\-@\t\r]/.test(text) || REASONS.has(text) ? `'${text}` : text
}

/** The same table, its rows with R's only line break; what is not of its type is told, and so are those changes. */
function watchRows(table: DataTable, options: WriteOptions): DataTable {
  return { ...table, rows: () => passRows(table, options) }
}

async function* passRows(table: DataTable, options: WriteOptions): AsyncGenerator<readonly Row[]> {
  const report = new CellReport(table, options)
  const returns = table.variables.map(() => 0)
  let number = 0
  for await (const batch of table.rows()) {
    yield batch.map((row) => {
      number += 1
      return table.variables.map(({ type }, column): CellValue => {
        const cell = row[column] ?? null
        if (cell === null || isMissing(cell)) return cell
        if (type !== 'text') {
          if (cell !== '' && numericValue(type, cell) === null) {
            report.noteCell('value-not-of-type', column, number, cell)
          }
          return cell
        }
        if (typeof cell !== 'string' || !cell.includes('\r')) return cell
        returns[column] = (returns[column] ?? 0) + 1
        return cell.replaceAll(/\r\n?/g, '\n')
      })
    })
  }
  for (const [column, cells] of returns.entries()) {
    const variable = table.variables[column]?.name ?? ''
    if (cells > 0) options.note({ kind: 'line-breaks', table: table.name, variable, cells })
  }
}
