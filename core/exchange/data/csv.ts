import type { CellValue, DataTable, Variable } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'

import { withoutFormula } from '../formula.ts'
import { ByteBlock } from './byteBlock.ts'
import { cellText } from './cells.ts'
import type { WriteOptions, WrittenFile } from './contract.ts'
import { DataFailure } from './contract.ts'

/** Writes tables as delimited text (RFC 4180), as `writeCsv.ts` does, but however long they are. */

/** A file for each table, for spreadsheets: it begins with the mark of UTF-8, and no text in it is run as a formula. */
export async function* writeCsvTables(
  tables: readonly DataTable[],
  // What stands in a file of texts stands there as it was entered: nothing is to be told.
  _options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  for (const table of tables) {
    yield { name: `${table.name}.csv`, chunks: streamCsv(table, { hasMark: true, protectText: withoutFormula }) }
  }
}

export interface CsvStyle {
  /** Whether the file begins with the mark of UTF-8. */
  readonly hasMark: boolean
  /**
   * What is written for a text that does not begin with a letter or digit, or may be protected otherwise
   * (`looksClose`).
   */
  readonly protectText: (text: string) => string
  /** Whether a text that begins with a letter has to be protected as well. */
  readonly looksClose?: (text: string) => boolean
}

const BREAK = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c

/** The bytes of a table, its head of names first. @throws DataFailure */
export async function* streamCsv(table: DataTable, style: CsvStyle): AsyncGenerator<Uint8Array> {
  const writer = new CsvRows(table, style)
  const { block } = writer
  writer.putHead()
  for await (const batch of table.rows()) {
    for (const row of batch) {
      writer.putRow(row)
      if (block.isFull) yield block.take()
    }
  }
  yield block.take()
}

class CsvRows {
  readonly block = new ByteBlock()
  private readonly table: DataTable
  private readonly style: CsvStyle
  /** Codes of a closed list that look like numbers: nobody typed them, and a spreadsheet takes them for no formula. */
  private readonly numbers: readonly (ReadonlySet<string> | null)[]
  private row = 0

  constructor(table: DataTable, style: CsvStyle) {
    this.table = table
    this.style = style
    this.numbers = table.variables.map(numericCodes)
  }

  putHead(): void {
    if (this.style.hasMark) this.block.putText('\uFEFF')
    this.block.putText(this.table.variables.map(({ name }) => name).join(','))
    this.block.putText('\r\n')
  }

  putRow(row: readonly CellValue[]): void {
    const { block } = this
    const count = this.table.variables.length
    this.row += 1
    for (let column = 0; column < count; column += 1) {
      if (column > 0) block.putByte(COMMA)
      const cell = row[column] ?? null
      if (cell === null) continue
      if (typeof cell === 'string') this.putCell(cell, column)
      else if (isMissing(cell) || Number.isFinite(cell)) this.putPlain(cellText(cell))
      else this.putCell(cellText(cell), column)
    }
    block.putByte(RETURN)
    block.putByte(BREAK)
  }

  private putCell(text: string, column: number): void {
    if (text === '') return
    if (!this.needsProtection(text)) return this.putQuotable(text, column)
    this.putQuotable(this.numbers[column]?.has(text) === true ? text : this.style.protectText(text), column)
  }

  private needsProtection(text: string): boolean {
    const first = text.charCodeAt(0)
    if (first < 0x30) return true
    if (first <= 0x39) return false
    return first <= 0x40 || this.style.looksClose?.(text) === true
  }

  /** Writes a text, and does so again in quotes as soon as it shows that it needs them. */
  private putQuotable(text: string, column: number): void {
    const { block } = this
    const start = block.at
    block.reserve(text.length * 3)
    const { bytes } = block
    let at = start
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit >= 0x80) {
        if (!/[",\r\n\0]/.test(text)) return block.putText(text)
        return this.putQuoted(text, column)
      }
      if (unit <= COMMA && (unit === COMMA || unit === QUOTE || unit === BREAK || unit === RETURN || unit === 0)) {
        return this.putQuoted(text, column)
      }
      bytes[at] = unit
      at += 1
    }
    block.at = at
  }

  private putQuoted(text: string, column: number): void {
    if (text.includes('\u0000')) {
      const variable = this.table.variables[column]?.name ?? ''
      throw new DataFailure({ kind: 'nul', table: this.table.name, variable, row: this.row })
    }
    this.block.putText(`"${text.replaceAll('"', '""')}"`)
  }

  /** Letters, digits and signs of numbers. */
  private putPlain(text: string): void {
    this.block.putText(text)
  }
}

function numericCodes({ codes }: Variable): ReadonlySet<string> | null {
  const numbers = codes.map(({ code }) => code).filter((code) => /^-\d+(?:\.\d+)?$/.test(code))
  return numbers.length === 0 ? null : new Set(numbers)
}
