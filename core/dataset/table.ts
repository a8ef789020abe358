import type { Missing } from '#core/form/definition/value.ts'

/**
 * Tables of clinical data as they leave the system, whatever the format of the file. A table is made from entries
 * (`pageColumns.ts`) and read by the writers of each format (`core/exchange/data`).
 */

/** `date`: yyyy-MM-dd; `time`: HH:mm or HH:mm:ss; `datetime`: yyyy-MM-dd HH:mm or yyyy-MM-dd HH:mm:ss. */
export const variableTypes = ['text', 'number', 'date', 'time', 'datetime'] as const
export type VariableType = (typeof variableTypes)[number]

/**
 * What a variable is for: `key` identifies the row; `about` tells of the entry (version, status, who saved it); `item`
 * is an answer; `label` is the label of the coded answer before it; `reason` says why the answer before it is missing.
 */
export const variableRoles = ['key', 'about', 'item', 'label', 'reason'] as const
export type VariableRole = (typeof variableRoles)[number]

/** A possible answer. */
export interface CodeLabel {
  readonly code: string
  readonly label: string
}

/** The field whose values stand in a variable. */
export interface VariableField {
  readonly pageId: string
  /** The table of the page in which the field is a column. */
  readonly table: string | null
  readonly code: string
}

/** A column of a table. */
export interface Variable {
  /** Unique within the table without regard to case: letters, digits and underscore, first a letter. */
  readonly name: string
  /** In the language of the table. */
  readonly label: string
  readonly type: VariableType
  /** Digits after the point of a number; null where nothing is said. */
  readonly decimals: number | null
  readonly unit: string | null
  /** The closed list from which the value is chosen; empty where there is none. */
  readonly codes: readonly CodeLabel[]
  readonly role: VariableRole
  /** Null for what comes from no field. */
  readonly field: VariableField | null
}

/**
 * What stands in a cell: null where nothing was entered, a missing reason where somebody said why. A text in a variable
 * of another type is what was entered and is no such value ("约70" as a number): it is never dropped without a word.
 */
export type CellValue = string | number | null | Missing

/** The cells of a row, one for each variable. */
export type Row = readonly CellValue[]

/** Where a table's rows come from, in the order in which they are written. */
export interface DataTable {
  /** Unique within the data set, in the form of a variable's name. */
  readonly name: string
  /** In the language of the table. */
  readonly label: string
  readonly variables: readonly Variable[]
  /**
   * The rows in batches. A format that has to know widths before it writes goes through them twice and gets the same
   * both times.
   */
  rows(): AsyncIterable<readonly Row[]>
}

/** Whether a cell says why there is no value. */
export function isMissing(cell: CellValue): cell is Missing {
  return typeof cell === 'object' && cell !== null
}

/** The closed list of why a value is missing, as texts that formats without special missing values write. */
export function missingText({ m }: Missing): string {
  return m
}
