/** A workbook as its cells say it: texts in rows. What a cell looks like and how it was calculated is left behind. */

export interface SheetRow {
  /** As the spreadsheet numbers it, from 1. */
  readonly row: number
  readonly cells: readonly string[]
}

export interface Sheet {
  readonly name: string
  /** Rows that hold anything. */
  readonly rows: readonly SheetRow[]
}

/** Why bytes are no workbook that is read. */
export type SheetError =
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-a-workbook' }
  /** It is protected by a password. */
  | { readonly kind: 'encrypted' }
  /** A part of it declares a document type, which is how entities are smuggled in. */
  | { readonly kind: 'document-type' }
  /** Written by a program of before 1997. */
  | { readonly kind: 'old-workbook' }

export type SheetsResult =
  | { readonly ok: true; readonly sheets: readonly Sheet[] }
  | { readonly ok: false; readonly error: SheetError }

/** What a reader of workbooks gives up with; caught where the reader began. */
export class SheetFailure extends Error {
  readonly reason: SheetError
  constructor(reason: SheetError) {
    super(reason.kind)
    this.reason = reason
  }
}

/** More than any definition has; a list of all diagnoses as choices stays below. */
const LIMITS = { sheets: 200, rows: 300_000, cells: 2_000_000, columns: 1_000, text: 40_000_000 }

/** Gathers the cells of a workbook and refuses what is beyond any definition, while it is read. */
export class SheetGathering {
  readonly #sheets: { name: string; rows: SheetRow[] }[] = []
  #rows = 0
  #cells = 0
  #length = 0
  #row: { at: number; cells: string[] } | null = null

  /** Begins a sheet; what follows is put into it. */
  begin(name: string): void {
    this.#endRow()
    if (this.#sheets.length >= LIMITS.sheets) throw new SheetFailure({ kind: 'too-large' })
    this.#sheets.push({ name, rows: [] })
  }

  /** Puts a text into a cell; both counted from 0. A blank one is none. */
  put(row: number, column: number, text: string): void {
    if (text === '') return
    // A note far to the right of a table belongs to no table.
    if (column >= LIMITS.columns) throw new SheetFailure({ kind: 'too-large' })
    if (this.#row === null || this.#row.at !== row) {
      this.#endRow()
      this.#row = { at: row, cells: [] }
    }
    const { cells } = this.#row
    while (cells.length < column) cells.push('')
    cells[column] = text
    this.#cells += 1
    this.#length += text.length
    if (this.#cells > LIMITS.cells || this.#length > LIMITS.text) throw new SheetFailure({ kind: 'too-large' })
  }

  end(): readonly Sheet[] {
    this.#endRow()
    // Some writers give the cells of a table column by column.
    return this.#sheets.map(({ name, rows }) => ({ name, rows: inOrder(rows) }))
  }

  #endRow(): void {
    if (this.#row === null) return
    const { at, cells } = this.#row
    this.#row = null
    if (!cells.some((cell) => cell.trim() !== '')) return
    this.#rows += 1
    if (this.#rows > LIMITS.rows) throw new SheetFailure({ kind: 'too-large' })
    this.#sheets.at(-1)?.rows.push({ row: at + 1, cells })
  }
}

function inOrder(rows: readonly SheetRow[]): readonly SheetRow[] {
  const merged = new Map<number, string[]>()
  for (const { row, cells } of rows) {
    const before = merged.get(row)
    if (before === undefined) merged.set(row, [...cells])
    else for (const [at, cell] of cells.entries()) if (cell !== '') before[at] = cell
  }
  // A gap in a row that was written twice is a blank cell, too.
  return [...merged]
    .map(([row, cells]) => ({ row, cells: Array.from(cells, (cell: string | undefined) => cell ?? '') }))
    .toSorted((a, b) => a.row - b.row)
}
