import type { TableColumn, TableLayout } from './contract.ts'
import type { RowMode } from './useRowMode.ts'

/** Which columns a reader sees, and how wide. */

/** No column is narrower: a grip and a letter still fit. */
export const LEAST_WIDTH = 48
const MOST_WIDTH = 900

/** Whether a column is shown where the reader has not said otherwise. */
export function isShownFirst(column: Pick<TableColumn<never>, 'from' | 'extra' | 'place'>, mode: RowMode): boolean {
  if (column.place === 'key') return true
  if (column.extra === true) return false
  return column.from === undefined || mode === 'desk' || mode === column.from
}

/** The columns that are shown; the key column always is. */
export function shownColumns<Row, Fact>(
  columns: readonly TableColumn<Row, Fact>[],
  layout: Pick<TableLayout, 'columns'>,
  mode: RowMode,
): readonly TableColumn<Row, Fact>[] {
  return columns.filter(
    (column) => column.place === 'key' || (layout.columns[column.key] ?? isShownFirst(column, mode)),
  )
}

/** The layout with a column shown or hidden; what is as without a choice is not remembered. */
export function withColumn(
  layout: TableLayout,
  column: Pick<TableColumn<never>, 'key' | 'from' | 'extra' | 'place'>,
  isShown: boolean,
  mode: RowMode,
): TableLayout {
  const { [column.key]: _, ...others } = layout.columns
  return {
    ...layout,
    columns: isShown === isShownFirst(column, mode) ? others : { ...others, [column.key]: isShown },
  }
}

/** The layout with a column as wide as a reader drew it; null for its own width. */
export function withWidth(layout: TableLayout, key: string, width: number | null): TableLayout {
  const { [key]: _, ...others } = layout.widths
  return {
    ...layout,
    widths: width === null ? others : { ...others, [key]: Math.round(clampWidth(width)) },
  }
}

export function clampWidth(width: number): number {
  return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width))
}

/** The columns of the grid as CSS has them. A width that a reader gave stays; the others share what is left. */
export function gridColumns<Row, Fact>(
  columns: readonly TableColumn<Row, Fact>[],
  widths: TableLayout['widths'],
): string {
  return columns
    .map(({ key, width, grows = 0 }) => {
      const given = widths[key]
      if (given !== undefined) return `${given}px`
      return grows > 0 ? `minmax(${width}rem, ${grows}fr)` : `${width}rem`
    })
    .join(' ')
}

/** How wide the grid is at least, as CSS has it. */
export function leastWidth<Row, Fact>(
  columns: readonly TableColumn<Row, Fact>[],
  widths: TableLayout['widths'],
): string {
  return `calc(${columns.map(({ key, width }) => (widths[key] === undefined ? `${width}rem` : `${widths[key]}px`)).join(' + ')})`
}
