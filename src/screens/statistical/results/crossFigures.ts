import type { CrossTable } from '#core/statistics/describe/crossTable.ts'

import { count, percent } from '../numbers.ts'
import type { FigureTable } from './figureTable.ts'

/** A table of counts with the percent of each row, and the totals. */
export function crossFigures(
  table: CrossTable,
  { title, total }: { readonly title: string; readonly total: string },
): FigureTable {
  return {
    title,
    head: ['', ...table.columns, total],
    rows: [
      ...table.cells.map((line, row) => [
        table.rows[row] ?? '',
        ...line.map((cell) => `${count(cell.count)}${cell.ofRow === null ? '' : ` (${percent(cell.ofRow)})`}`),
        count(table.rowTotals[row] ?? 0),
      ]),
      [total, ...table.columnTotals.map(count), count(table.total)],
    ],
  }
}
