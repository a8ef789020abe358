import { err, ok } from '#core/result.ts'

import { areCounts } from '../numbers.ts'
import type { StatisticsProblem, Statistic } from '../problem.ts'

/** Counts in rows and columns. */
export type Counts = readonly (readonly number[])[]

export interface CrossCell {
  readonly count: number
  /** Of its row, its column and of all; null where those hold nothing. */
  readonly ofRow: number | null
  readonly ofColumn: number | null
  readonly ofAll: number | null
}

export interface CrossTable {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  readonly cells: readonly (readonly CrossCell[])[]
  readonly rowTotals: readonly number[]
  readonly columnTotals: readonly number[]
  readonly total: number
  /** Pairs of which one or both are missing. */
  readonly leftOut: number
}

export interface CrossOptions {
  /** Rows and columns that come first in this order, also where nobody has them. */
  readonly rows?: readonly string[]
  readonly columns?: readonly string[]
}

/** Counts pairs of categories; a pair of which one is null is left out. Error: `unequal-lengths`. */
export function crossCategories(
  down: readonly (string | null)[],
  across: readonly (string | null)[],
  options: CrossOptions = {},
): Statistic<CrossTable> {
  if (down.length !== across.length) return err({ kind: 'unequal-lengths' })
  const pairs = down.flatMap((row, index) => {
    const column = across[index] ?? null
    return row === null || column === null ? [] : [{ row, column }]
  })
  const rows = [...new Set([...(options.rows ?? []), ...pairs.map(({ row }) => row)])]
  const columns = [...new Set([...(options.columns ?? []), ...pairs.map(({ column }) => column)])]
  const rowAt = new Map(rows.map((name, index) => [name, index]))
  const columnAt = new Map(columns.map((name, index) => [name, index]))
  const counts = rows.map(() => columns.map(() => 0))
  for (const { row, column } of pairs) {
    const line = counts[rowAt.get(row) ?? -1]
    const place = columnAt.get(column)
    if (line !== undefined && place !== undefined) line[place] = (line[place] ?? 0) + 1
  }
  return ok({ ...tableOf(counts), rows, columns, leftOut: down.length - pairs.length })
}

function tableOf(counts: Counts): Pick<CrossTable, 'cells' | 'rowTotals' | 'columnTotals' | 'total'> {
  const { rowTotals, columnTotals, total } = totalsOf(counts)
  const share = (count: number, of: number) => (of === 0 ? null : count / of)
  const cells = counts.map((line, row) =>
    line.map((count, column) => ({
      count,
      ofRow: share(count, rowTotals[row] ?? 0),
      ofColumn: share(count, columnTotals[column] ?? 0),
      ofAll: share(count, total),
    })),
  )
  return { cells, rowTotals, columnTotals, total }
}

export interface Totals {
  readonly rowTotals: readonly number[]
  readonly columnTotals: readonly number[]
  readonly total: number
}

/** The sums of the rows and columns of a table. */
export function totalsOf(counts: Counts): Totals {
  const rowTotals = counts.map((line) => line.reduce((all, count) => all + count, 0))
  const columnTotals = (counts[0] ?? []).map((_, column) => counts.reduce((all, line) => all + (line[column] ?? 0), 0))
  return { rowTotals, columnTotals, total: rowTotals.reduce((all, count) => all + count, 0) }
}

/** What is wrong with a table of counts that has to have two rows and columns, none of them empty. */
export function findTableProblem(
  counts: Counts,
): { readonly ok: false; readonly error: StatisticsProblem } | undefined {
  const width = counts[0]?.length ?? 0
  if (counts.length < 2 || width < 2 || counts.some((line) => line.length !== width))
    return err({ kind: 'wrong-shape' })
  if (!areCounts(counts.flat())) return err({ kind: 'not-a-count' })
  const { rowTotals, columnTotals } = totalsOf(counts)
  if ([...rowTotals, ...columnTotals].includes(0)) return err({ kind: 'empty-margin' })
  return undefined
}
