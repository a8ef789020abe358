import type { CellValue, DataTable, VariableType } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { MissingCode } from '#core/form/definition/value.ts'

import { ByteBlock, streamRows } from '../byteBlock.ts'
import { CellReport, RowWriter, noteTrailing, numericValue, profileTable, valueText } from '../cells.ts'
import type { TableProfile } from '../cells.ts'
import type { WriteOptions, WriteTables, WrittenFile } from '../contract.ts'
import { limitVariables } from '../limits.ts'
import { cutUtf8 } from '../utf8.ts'
import { putIbmDouble } from './ibmDouble.ts'
import { writeSasProgram } from './sasProgram.ts'
import { putXportHead } from './xportHead.ts'
import type { XportTable, XportVariable, XportVersion } from './xportVariables.ts'
import { XPORT_5, XPORT_8, listXportTables, listXportVariables } from './xportVariables.ts'

/**
 * Writes tables as SAS transport files, each in its own, and the program that reads them. Missing reasons of numbers
 * and days are the special missing values .D, .U and .N, of texts the codes themselves. Texts are UTF-8.
 */

/** The form that agencies ask for: names of 8 characters, labels of 40 bytes, texts of 200. */
export const writeXport5Tables: WriteTables = (tables, options) => writeXportTables(tables, options, XPORT_5)

/** The form with long names, labels and texts. */
export const writeXport8Tables: WriteTables = (tables, options) => writeXportTables(tables, options, XPORT_8)

async function* writeXportTables(
  tables: readonly DataTable[],
  options: WriteOptions,
  version: XportVersion,
): AsyncGenerator<WrittenFile> {
  const limited = tables.map((table) => limitVariables(table, version.variables, options))
  const listed = listXportTables(limited, version, options)
  for (const one of listed) yield { name: `${one.name.toLowerCase()}.xpt`, chunks: streamXport(one, options, version) }
  yield { name: `${options.name}.sas`, chunks: writeSasProgram(listed, options, version) }
}

async function* streamXport(
  written: XportTable,
  options: WriteOptions,
  version: XportVersion,
): AsyncGenerator<Uint8Array> {
  const { table } = written
  const profile = await profileTable(table)
  noteTrailing(table, profile, options)
  const variables = listXportVariables(table, profile, version, options)
  const block = new ByteBlock()
  putXportHead(block, written, variables, { version, rows: profile.rows, createdAt: options.createdAt })
  const rows = new XportRows(block, variables, profile, new CellReport(table, options))
  yield* streamRows(block, table, rows)
  rows.end()
  yield block.take()
}

/** The first byte of the value that says why there is none: a letter, and a point for no reason. */
const REASONS: Readonly<Record<MissingCode, number>> = { ND: 0x44, UNK: 0x55, NA: 0x4e }
const NOTHING = 0x2e
const SPACE = 0x20
const RECORD = 80

/** SAS counts days from 1960 and seconds from then on, and has the years 1582 to 9999. */
const START_DAYS = 3_653
const DAY = 86_400
const FIRST_DAY = -138_061

class XportRows extends RowWriter<XportVariable> {
  private readonly block: ByteBlock
  private size = 0

  constructor(block: ByteBlock, variables: readonly XportVariable[], profile: TableProfile, report: CellReport) {
    super(variables, profile, report)
    this.block = block
  }

  protected putCell(variable: XportVariable, cell: CellValue, column: number): void {
    if (variable.isText) this.putString(variable, cell, column)
    else this.putNumber(variable.source.type, cell, column)
    this.size += variable.width
  }

  end(): void {
    const over = this.size % RECORD
    if (over > 0) this.block.putFill(RECORD - over, SPACE)
  }

  private putNumber(type: VariableType, cell: CellValue, column: number): void {
    const { block } = this
    block.reserve(8)
    if (cell === null || cell === '') return this.putLack(NOTHING)
    if (isMissing(cell)) return this.putLack(REASONS[cell.m])
    const value = numericValue(type, cell)
    if (value === null) {
      this.report.noteCell('value-not-of-type', column, this.row, cell)
      return this.putLack(NOTHING)
    }
    const number = sasNumber(type, value)
    if (number !== null && putIbmDouble(block.bytes, block.at, number)) {
      block.at += 8
      return
    }
    this.report.noteCell('value-out-of-range', column, this.row, cell)
    this.putLack(NOTHING)
  }

  private putLack(letter: number): void {
    this.block.putByte(letter)
    this.block.putFill(7, 0)
  }

  private putString({ width }: XportVariable, cell: CellValue, column: number): void {
    let text = cell === null ? '' : isMissing(cell) ? cell.m : valueText(cell)
    this.report.refuseNul(text, column, this.row)
    const profile = this.profile.variables[column]
    if (!isMissing(cell) && [...(profile?.reasons ?? [])].some((code) => code === text)) {
      this.report.noteCell('like-reason', column, this.row, text)
    }
    if ((profile?.bytes ?? 0) > width) {
      const short = cutUtf8(text, width)
      if (short !== text) this.report.noteCell('value-cut', column, this.row, text)
      text = short
    }
    this.block.putPadded(text, width, SPACE)
  }
}

function sasNumber(type: VariableType, value: number): number | null {
  if (type === 'number' || type === 'time') return value
  const days = (type === 'date' ? value : Math.floor(value / DAY)) + START_DAYS
  if (days < FIRST_DAY) return null
  return type === 'date' ? days : value + START_DAYS * DAY
}
