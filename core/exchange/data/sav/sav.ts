import type { CellValue, DataTable, VariableType } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'

import { ByteBlock, streamRows } from '../byteBlock.ts'
import type { TableProfile } from '../cells.ts'
import { CellReport, RowWriter, noteTrailing, numericValue, profileTable, valueText } from '../cells.ts'
import type { WriteOptions, WrittenFile } from '../contract.ts'
import { cutUtf8 } from '../utf8.ts'
import { SavCommands } from './savCommands.ts'
import { putDictionary } from './savDictionary.ts'
import type { SavVariable } from './savVariables.ts'
import { MOST_BYTES, listSavVariables } from './savVariables.ts'

/**
 * Writes tables as SPSS system files (.sav) in UTF-8. Missing reasons are user missing values with labels: of strings
 * the codes themselves, of numbers and days three numbers that nothing measures.
 */

/** A file for each table. */
export async function* writeSavTables(
  tables: readonly DataTable[],
  options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  for (const table of tables) yield { name: `${table.name}.sav`, chunks: streamSav(table, options) }
}

const LABEL_BYTES = 64

async function* streamSav(table: DataTable, options: WriteOptions): AsyncGenerator<Uint8Array> {
  const profile = await profileTable(table)
  noteTrailing(table, profile, options)
  const variables = listSavVariables(table, profile, options)
  const block = new ByteBlock()
  const label = cutUtf8(table.label, LABEL_BYTES)
  if (label !== table.label) options.note({ kind: 'table-label-cut', table: table.name, text: table.label })
  putDictionary(block, variables, { label, createdAt: options.createdAt, rows: profile.rows })
  const cases = new SavCases(block, variables, profile, new CellReport(table, options))
  yield* streamRows(block, table, cases)
  cases.end()
  yield block.take()
}

/** SPSS counts seconds from 1582-10-14, the day before the Gregorian calendar, and has no day before that calendar. */
const START_DAYS = 141_428
const DAY = 86_400

class SavCases extends RowWriter<SavVariable> {
  private readonly commands: SavCommands
  private readonly scratch = new ByteBlock()

  constructor(block: ByteBlock, variables: readonly SavVariable[], profile: TableProfile, report: CellReport) {
    super(variables, profile, report)
    this.commands = new SavCommands(block)
  }

  protected putCell(variable: SavVariable, cell: CellValue, column: number): void {
    if (variable.source.type === 'text') this.putString(variable, cell, column)
    else this.commands.putNumber(this.numberOf(variable, cell, column))
  }

  end(): void {
    this.commands.end()
  }

  /** Null for no value. */
  private numberOf({ source, reasons }: SavVariable, cell: CellValue, column: number): number | null {
    if (cell === null || cell === '') return null
    if (isMissing(cell)) return Number(reasons.get(cell.m))
    const value = numericValue(source.type, cell)
    if (value === null) {
      this.report.noteCell('value-not-of-type', column, this.row, cell)
      return null
    }
    const result = savNumber(source.type, value)
    // Three numbers mean a missing reason, and the most negative one means no value.
    const isTaken = result === -Number.MAX_VALUE || [...reasons.values()].includes(result ?? 0)
    if (result !== null && !isTaken) return result
    this.report.noteCell('value-out-of-range', column, this.row, cell)
    return null
  }

  private putString({ width, segments, reasons }: SavVariable, cell: CellValue, column: number): void {
    let text = cell === null ? '' : isMissing(cell) ? cell.m : valueText(cell)
    this.report.refuseNul(text, column, this.row)
    if (!isMissing(cell) && reasons.size > 0 && [...reasons.values()].includes(text)) {
      this.report.noteCell('like-reason', column, this.row, text)
    }
    if ((this.profile.variables[column]?.bytes ?? 0) > MOST_BYTES) {
      const short = cutUtf8(text, MOST_BYTES)
      if (short !== text) this.report.noteCell('value-cut', column, this.row, text)
      text = short
    }
    const { scratch } = this
    scratch.at = 0
    scratch.putPadded(text, width, SPACE)
    this.commands.putString(scratch.bytes, width, segments.length)
  }
}

const SPACE = 0x20

function savNumber(type: VariableType, value: number): number | null {
  if (type === 'number' || type === 'time') return value
  const result = type === 'date' ? (value + START_DAYS) * DAY : value + START_DAYS * DAY
  return result < DAY ? null : result
}
