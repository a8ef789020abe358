import { databaseKeys } from '#core/api/calls/data/database.ts'
import type { DatabaseColumn, DatabaseKey, DatabaseRow } from '#core/api/calls/data/database.ts'
import { isMissing } from '#core/dataset/table.ts'
import type { TableLayout } from '#src/ui/table/contract.ts'

/** The columns of the grid: the keys of a row, then its answers, as a reader chose, ordered and pinned them. */

export type GridColumn =
  | {
      readonly id: string
      readonly kind: 'key'
      readonly key: DatabaseKey
      readonly width: number
      readonly isPinned: boolean
    }
  | {
      readonly id: string
      readonly kind: 'item'
      readonly column: DatabaseColumn
      readonly width: number
      readonly isPinned: boolean
      /** Its place among the cells of a row. */
      readonly at: number
    }

/** What a reader decided about columns, by the names of pages' columns or `@` and a key. */
export interface GridLayout {
  readonly hidden: readonly string[]
  readonly order: readonly string[]
  readonly pinned: readonly string[]
}

export const NO_GRID: GridLayout = { hidden: ['@version', '@savedAt', '@savedBy'], order: [], pinned: ['@subject'] }

const KEY_WIDTHS: Readonly<Record<DatabaseKey, number>> = {
  subject: 116,
  center: 130,
  visit: 130,
  version: 70,
  status: 96,
  savedAt: 150,
  savedBy: 110,
}

/** All columns in their order, whether they are shown or not. */
export function allIds(columns: readonly DatabaseColumn[], { order }: GridLayout): readonly string[] {
  const known = [...databaseKeys.map((key) => `@${key}`), ...columns.map(({ name }) => name)]
  const first = order.filter((id) => known.includes(id))
  return [...first, ...known.filter((id) => !first.includes(id))]
}

/** The columns that are shown, the pinned ones first. */
export function shownIn(
  columns: readonly DatabaseColumn[],
  layout: GridLayout,
  widths: TableLayout['widths'],
): readonly GridColumn[] {
  const byName = new Map(columns.map((column) => [column.name, column]))
  const shown = allIds(columns, layout).filter((id) => id === '@subject' || !layout.hidden.includes(id))
  const pinned = shown.filter((id) => layout.pinned.includes(id))
  let at = 0
  return [...pinned, ...shown.filter((id) => !layout.pinned.includes(id))].flatMap((id): readonly GridColumn[] => {
    const isPinned = pinned.includes(id)
    const key = databaseKeys.find((one) => `@${one}` === id)
    if (key !== undefined) return [{ id, kind: 'key', key, width: widths[id] ?? KEY_WIDTHS[key], isPinned }]
    const column = byName.get(id)
    if (column === undefined) return []
    at += 1
    return [{ id, kind: 'item', column, width: widths[id] ?? widthOf(column), isPinned, at: at - 1 }]
  })
}

function widthOf({ label, kind }: DatabaseColumn): number {
  // A Chinese sign is as wide as two letters.
  const length = label.length + (label.match(/[\u2E80-\uFFEF]/g)?.length ?? 0)
  return Math.min(220, Math.max(kind === 'text' ? 160 : 110, length * 8 + 72))
}

export interface GridWords {
  readonly status: Readonly<Record<DatabaseRow['status'], string>>
  readonly missing: Readonly<Record<'ND' | 'UNK' | 'NA', string>>
  readonly subject: (row: DatabaseRow) => string
  readonly visit: (row: DatabaseRow) => string
  readonly time: (instant: string) => string
}

/** What stands in a cell in words. */
export function textOf(row: DatabaseRow, column: GridColumn, values: 'codes' | 'labels', words: GridWords): string {
  if (column.kind === 'key') return keyText(row, column.key, words)
  const cell = row.cells[column.at] ?? null
  if (cell === null) return ''
  if (isMissing(cell)) return words.missing[cell.m]
  const { codes } = column.column
  if (values === 'codes' || codes.length === 0) return String(cell)
  const labels = new Map(codes.map(({ code, label }) => [code, label]))
  return (
    labels.get(String(cell)) ??
    String(cell)
      .split('; ')
      .map((code) => labels.get(code) ?? code)
      .join('; ')
  )
}

function keyText(row: DatabaseRow, key: DatabaseKey, words: GridWords): string {
  switch (key) {
    case 'subject':
      return words.subject(row)
    case 'center':
      return row.centerName
    case 'visit':
      return words.visit(row)
    case 'version':
      return `V${row.versionNo}`
    case 'status':
      return words.status[row.status]
    case 'savedAt':
      return words.time(row.savedAt)
    case 'savedBy':
      return row.savedBy
  }
}

/** What is said of a cell; of the key of a row what is said of the row as a whole. */
export function marksOf(row: DatabaseRow, column: GridColumn): readonly DatabaseRow['marks'][number]['is'][] {
  const code = column.kind === 'item' ? column.column.field.code : column.key === 'subject' ? null : undefined
  return code === undefined ? [] : row.marks.flatMap((mark) => (mark.code === code ? [mark.is] : []))
}
