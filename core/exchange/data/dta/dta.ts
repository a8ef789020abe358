import type { CellValue, DataTable, VariableType } from '#core/dataset/table.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { MissingCode } from '#core/form/definition/value.ts'

import { ByteBlock, streamRows } from '../byteBlock.ts'
import { CellReport, RowWriter, numericValue, profileTable, valueText } from '../cells.ts'
import type { TableProfile } from '../cells.ts'
import type { WriteOptions, WrittenFile } from '../contract.ts'
import { limitVariables } from '../limits.ts'
import { cutCharacters, utf8Length } from '../utf8.ts'
import { putDtaHead, putDtaLabels } from './dtaParts.ts'
import type { DtaVariable } from './dtaVariables.ts'
import { listDtaVariables } from './dtaVariables.ts'

/**
 * Writes tables as files of Stata 14 and later (.dta, 118). Missing reasons of numbers and days are the extended
 * missing values .a (not done), .b (unknown) and .c (not applicable), of texts the codes themselves.
 */

const MOST_VARIABLES = 32_767

/** A file for each table. */
export async function* writeDtaTables(
  tables: readonly DataTable[],
  options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  for (const table of tables) {
    const limited = limitVariables(table, MOST_VARIABLES, options)
    yield { name: `${table.name}.dta`, chunks: streamDta(limited, options) }
  }
}

async function* streamDta(table: DataTable, options: WriteOptions): AsyncGenerator<Uint8Array> {
  const profile = await profileTable(table)
  const variables = listDtaVariables(table, profile, options)
  const apart = variables.some(({ kind }) => kind === 'apart') ? await countApart(table, variables) : 0
  const label = cutTableLabel(table, options)
  const block = new ByteBlock()
  putDtaHead(block, label, variables, { rows: profile.rows, apart, createdAt: options.createdAt })
  block.putText('<data>')
  const rows = new DtaRows(block, variables, profile, new CellReport(table, options))
  yield* streamRows(block, table, rows)
  block.putText('</data><strls>')
  if (apart > 0) yield* streamApart(block, table, variables)
  block.putText('</strls>')
  putDtaLabels(block, variables)
  block.putText('</stata_dta>')
  yield block.take()
}

const LABEL_CHARACTERS = 80

function cutTableLabel({ name, label }: DataTable, { note }: WriteOptions): string {
  const short = cutCharacters(label, LABEL_CHARACTERS)
  if (short !== label) note({ kind: 'table-label-cut', table: name, text: label })
  return short
}

/** What stands before a text that lies apart, and the NUL behind it. */
const APART_HEAD = 3 + 4 + 8 + 1 + 4 + 1

/** Bytes of all texts that lie apart from their rows: the file says before the rows where what follows them begins. */
async function countApart(table: DataTable, variables: readonly DtaVariable[]): Promise<number> {
  let bytes = 0
  for await (const batch of table.rows()) {
    for (const row of batch) {
      for (const [column, { kind }] of variables.entries()) {
        const text = kind === 'apart' ? apartText(row[column] ?? null) : ''
        if (text !== '') bytes += APART_HEAD + utf8Length(text)
      }
    }
  }
  return bytes
}

function apartText(cell: CellValue): string {
  if (cell === null) return ''
  return isMissing(cell) ? cell.m : valueText(cell)
}

async function* streamApart(
  block: ByteBlock,
  table: DataTable,
  variables: readonly DtaVariable[],
): AsyncGenerator<Uint8Array> {
  let number = 0
  for await (const batch of table.rows()) {
    for (const row of batch) {
      number += 1
      for (const [column, { kind }] of variables.entries()) {
        const text = kind === 'apart' ? apartText(row[column] ?? null) : ''
        if (text === '') continue
        block.putText('GSO')
        block.putInt32(column + 1)
        block.putUint64(number)
        block.putByte(130) // a text with a NUL behind it
        block.putInt32(utf8Length(text) + 1)
        block.putText(text)
        block.putByte(0)
      }
      if (block.isFull) yield block.take()
    }
  }
}

/** The upper bytes of a double that is no number: no value, and .a, .b, .c. */
const NOTHING = 0x7fe0
const REASONS: Readonly<Record<MissingCode, number>> = { ND: 1, UNK: 2, NA: 3 }

/** Stata counts days, or thousandths of a second, from 1960, and has the years 100 to 9999. */
const START_DAYS = 3_653
const FIRST_DAY = -679_350
const DAY = 86_400
const MOST = 8.988_465_674_311_579e307

class DtaRows extends RowWriter<DtaVariable> {
  private readonly block: ByteBlock

  constructor(block: ByteBlock, variables: readonly DtaVariable[], profile: TableProfile, report: CellReport) {
    super(variables, profile, report)
    this.block = block
  }

  protected putCell(variable: DtaVariable, cell: CellValue, column: number): void {
    if (variable.kind === 'number') this.putNumber(variable.source.type, cell, column)
    else if (variable.kind === 'coded') this.putCode(variable, cell, column)
    else this.putString(variable, cell, column)
  }

  private putNumber(type: VariableType, cell: CellValue, column: number): void {
    if (cell === null || cell === '') return this.putLack(0)
    if (isMissing(cell)) return this.putLack(REASONS[cell.m])
    const value = numericValue(type, cell)
    if (value === null) return this.putNothing('value-not-of-type', column, cell)
    const number = stataNumber(type, value)
    if (number === null) return this.putNothing('value-out-of-range', column, cell)
    this.block.putDouble(number)
  }

  /** A code of a list of whole numbers; another text has no place here. */
  private putCode({ source }: DtaVariable, cell: CellValue, column: number): void {
    if (cell === null || cell === '') return this.putLack(0)
    if (isMissing(cell)) return this.putLack(REASONS[cell.m])
    const text = valueText(cell)
    if (!source.codes.some(({ code }) => code === text)) return this.putNothing('value-not-of-type', column, text)
    this.block.putDouble(Number(text))
  }

  private putNothing(kind: 'value-not-of-type' | 'value-out-of-range', column: number, cell: string | number): void {
    this.report.noteCell(kind, column, this.row, cell)
    this.putLack(0)
  }

  private putLack(reason: number): void {
    const { block } = this
    block.putFill(5, 0)
    block.putByte(reason)
    block.putUint16(NOTHING)
  }

  private putString({ kind, width }: DtaVariable, cell: CellValue, column: number): void {
    const text = apartText(cell)
    this.report.refuseNul(text, column, this.row)
    if (!isMissing(cell) && [...(this.profile.variables[column]?.reasons ?? [])].some((code) => code === text)) {
      this.report.noteCell('like-reason', column, this.row, text)
    }
    if (kind === 'text') return this.block.putPadded(text, width, 0)
    // Where the text lies: its variable in 2 bytes, its row in 6.
    if (text === '') return this.block.putFill(8, 0)
    this.block.putUint16(column + 1)
    this.block.putInt32(this.row)
    this.block.putUint16(0)
  }
}

function stataNumber(type: VariableType, value: number): number | null {
  if (type === 'number') return Math.abs(value) < MOST ? value : null
  if (type === 'time') return value * 1_000
  const days = (type === 'date' ? value : Math.floor(value / DAY)) + START_DAYS
  if (days < FIRST_DAY) return null
  return type === 'date' ? days : (value + START_DAYS * DAY) * 1_000
}
