import { csvText } from '#core/exchange/writeCsv.ts'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'

/** Figures as texts in rows: shown, read out, and taken away as CSV. */
export interface FigureTable {
  readonly title: string
  readonly head: readonly string[]
  /** The first cell of a row says what it is of. */
  readonly rows: readonly (readonly string[])[]
}

export type FigureRow = readonly [at: number, cells: readonly string[]]

export function columnsOf({ head }: FigureTable): readonly DataColumn<FigureRow>[] {
  return head.map((title, at) => ({
    key: String(at),
    title,
    cell: ([, cells]) => cells[at] ?? '',
    ...(at === 0 ? {} : { align: 'right' as const, short: true as const }),
  }))
}

export function rowsOf({ rows }: FigureTable): readonly FigureRow[] {
  return rows.map((cells, at) => [at, cells])
}

export function keyOfRow([at]: FigureRow): string {
  return String(at)
}

/** All tables of a result below each other, with what they are about. */
export function tablesCsv(tables: readonly FigureTable[], notes: readonly string[]): string {
  return csvText([
    ...tables.flatMap(({ title, head, rows }) => [[title], head, ...rows, []]),
    ...notes.map((note) => [note]),
  ])
}
