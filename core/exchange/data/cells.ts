import type { CellValue, DataTable, Row, VariableType } from '#core/dataset/table.ts'
import { isMissing, missingText } from '#core/dataset/table.ts'
import type { MissingCode } from '#core/form/definition/value.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import { dayNumber, parseDate, parseInstant, parseTime } from '#core/values/dates.ts'

import type { WriteOptions, cellNotes } from './contract.ts'
import { DataFailure } from './contract.ts'
import { utf8Length } from './utf8.ts'

/** What stands in cells, as formats ask for it. */

/**
 * A value as a number: days from 1970 of a date, seconds from 1970 of a date and time, seconds from midnight of a time.
 * Null where it is none of its type.
 */
export function numericValue(type: VariableType, value: string | number): number | null {
  if (typeof value === 'number') {
    if (type !== 'number' || !Number.isFinite(value)) return null
    return value === 0 ? 0 : value
  }
  if (type === 'date') {
    const date = parseDate(value)
    return date === null ? null : dayNumber(date)
  }
  if (type === 'time') return parseTime(value)
  return type === 'datetime' && value.charAt(10) === ' ' ? parseInstant(value) : null
}

/** A value as text. */
export function valueText(value: string | number): string {
  return typeof value === 'string' ? value : String(value === 0 ? 0 : value)
}

/** The text that stands in a cell; empty where nothing does. */
export function cellText(cell: CellValue): string {
  if (cell === null) return ''
  return isMissing(cell) ? missingText(cell) : valueText(cell)
}

/** Tells what becomes of the cells of a table, and refuses those that no file may hold. */
export class CellReport {
  readonly table: DataTable
  private readonly options: WriteOptions

  constructor(table: DataTable, options: WriteOptions) {
    this.table = table
    this.options = options
  }

  /** @param column of the variable @param row from 1 */
  noteCell(kind: (typeof cellNotes)[number], column: number, row: number, value: string | number): void {
    this.options.note({ kind, ...this.place(column, row), text: valueText(value) })
  }

  /** @throws DataFailure */
  refuseNul(text: string, column: number, row: number): void {
    if (text.includes('\u0000')) throw new DataFailure({ kind: 'nul', ...this.place(column, row) })
  }

  private place(column: number, row: number) {
    return { table: this.table.name, variable: this.table.variables[column]?.name ?? '', row }
  }
}

/** What has to be known of a variable's cells before they are written. */
export interface VariableProfile {
  /** The longest text as UTF-8, missing reasons among them. */
  bytes: number
  /** The missing reasons that stand in its cells. */
  readonly reasons: ReadonlySet<MissingCode>
  /** The least of its numbers; infinite where it has none. */
  least: number
  /** Whether all its numbers are whole and exact. */
  isWhole: boolean
  /** How many texts end in a space. */
  trailing: number
  /** How many cells have a missing reason. */
  missing: number
}

export interface TableProfile {
  readonly rows: number
  readonly variables: readonly VariableProfile[]
}

/** Goes through a table once. */
export async function profileTable(table: DataTable): Promise<TableProfile> {
  const seen = table.variables.map(({ type }) => ({
    type,
    reasons: new Set<MissingCode>(),
    bytes: 0,
    least: Infinity,
    isWhole: true,
    trailing: 0,
    missing: 0,
  }))
  let rows = 0
  for await (const batch of table.rows()) {
    rows += batch.length
    for (const row of batch) for (const [column, profile] of seen.entries()) profileCell(profile, row[column] ?? null)
  }
  return { rows, variables: seen }
}

function profileCell(
  profile: VariableProfile & { readonly type: VariableType; readonly reasons: Set<MissingCode> },
  cell: CellValue,
): void {
  if (cell === null) return
  if (isMissing(cell)) {
    profile.reasons.add(cell.m)
    profile.missing += 1
    profile.bytes = Math.max(profile.bytes, cell.m.length)
  } else if (profile.type === 'text') {
    const text = valueText(cell)
    profile.bytes = Math.max(profile.bytes, text.length * 3 > profile.bytes ? utf8Length(text) : 0)
    if (text.endsWith(' ')) profile.trailing += 1
  } else if (typeof cell === 'number') {
    profile.least = Math.min(profile.least, cell)
    profile.isWhole &&= Number.isSafeInteger(cell)
  }
}

/** The missing reasons of a variable, in the order of the closed list. */
export function reasonsOf({ reasons }: VariableProfile): readonly MissingCode[] {
  return MISSING_CODES.filter((code) => reasons.has(code))
}

/** Tells how many texts of each variable end in spaces, for formats that fill texts up with them. */
export function noteTrailing(table: DataTable, { variables }: TableProfile, { note }: WriteOptions): void {
  for (const [column, { trailing }] of variables.entries()) {
    if (trailing === 0) continue
    const variable = table.variables[column]?.name ?? ''
    note({ kind: 'trailing-spaces', table: table.name, variable, cells: trailing })
  }
}

/** The number that a code is; null where it is none. */
export function codeNumber(code: string): number | null {
  const value = Number(code)
  return code.trim() === '' || !Number.isFinite(value) ? null : value
}

/**
 * Tells how many cells are empty that had a missing reason, for formats that know no more than that a number is not
 * there; where the variable behind it says why, nothing is lost.
 */
export function noteReasons(table: DataTable, { variables }: TableProfile, { note }: WriteOptions): void {
  for (const [column, { missing }] of variables.entries()) {
    const variable = table.variables[column]
    if (missing === 0 || variable === undefined || variable.type === 'text') continue
    const behind = table.variables.slice(column + 1, column + 3).find(({ role }) => role !== 'label')
    if (behind?.role === 'reason') continue
    note({ kind: 'reasons-not-written', table: table.name, variable: variable.name, cells: missing })
  }
}

/** Puts rows of a table into a file cell by cell, and knows which row it is at. */
export abstract class RowWriter<Variable> {
  protected readonly variables: readonly Variable[]
  protected readonly profile: TableProfile
  protected readonly report: CellReport
  protected row = 0

  constructor(variables: readonly Variable[], profile: TableProfile, report: CellReport) {
    this.variables = variables
    this.profile = profile
    this.report = report
  }

  putRow(row: Row): void {
    this.row += 1
    for (const [column, variable] of this.variables.entries()) this.putCell(variable, row[column] ?? null, column)
  }

  protected abstract putCell(variable: Variable, cell: CellValue, column: number): void
}
