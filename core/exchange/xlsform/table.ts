import type { Sheet } from '#core/exchange/sheet/sheetTable.ts'

import type { Header } from './headers.ts'
import { headerOf } from './headers.ts'

/** The rows of a sheet under its header. */

export interface FormRow {
  /** As the spreadsheet numbers it. */
  readonly row: number
  /** Where it stands among the nodes, where a source says so: names from the root down, the root left out. */
  readonly path?: readonly string[]
  readonly cells: readonly { readonly header: Header; readonly text: string }[]
}

export interface FormTable {
  readonly headers: readonly Header[]
  readonly rows: readonly FormRow[]
}

const NO_TABLE: FormTable = { headers: [], rows: [] }

/** A sheet by its name, whatever the case; one without rows where there is none. */
export function tableOf(sheets: readonly Sheet[], name: string): FormTable {
  const sheet = sheets.find((one) => one.name.trim().toLowerCase() === name)
  const [first, ...rows] = sheet?.rows ?? []
  if (first === undefined) return NO_TABLE
  const headers = first.cells.map(headerOf)
  return {
    headers: headers.filter(({ title }) => title !== ''),
    rows: rows.map(({ row, cells }) => ({ row, cells: cells.flatMap((cell, at) => cellOf(cell, at, headers)) })),
  }
}

/** Cells without a header above them are remarks. */
function cellOf(cell: string, at: number, headers: readonly Header[]): FormRow['cells'] {
  const text = cell.trim()
  const header = headers[at]
  return text === '' || header === undefined || header.title === '' ? [] : [{ header, text }]
}

/** The text under a column, in whatever language it stands there first; '' without one. */
export function cellText({ cells }: FormRow, name: string): string {
  return cells.find(({ header }) => header.name === name)?.text ?? ''
}

/** A cell of a row that another format was put into. */
export function formCell(name: string, text: string): FormRow['cells'][number] {
  return { header: { name, language: '', title: name }, text }
}

/** Most tables of a form: each is compiled by itself. Real forms have a few. */
const MAX_REPEATS = 100

/** Whether rows have more repeats than any form. */
export function hasTooManyRepeats(rows: readonly FormRow[]): boolean {
  return rows.filter((row) => /^begin[ _]?(repeat|loop)$/i.test(cellText(row, 'type'))).length > MAX_REPEATS
}
