import type { MissingCount } from '#core/statistics/describe/describe.ts'

import { codesIn, codesOf, labelOf, SUBJECT_NAME, VISIT_NAME } from './column.ts'
import type { AnalysisColumn } from './column.ts'

/** Which rows an analysis is of, and how they fall into groups. */

/** Columns of one reading, by their names. */
export interface ColumnSet {
  readonly rows: number
  readonly columns: readonly AnalysisColumn[]
}

export function findColumn({ columns }: ColumnSet, name: string | null): AnalysisColumn | null {
  return name === null ? null : (columns.find((column) => column.name === name) ?? null)
}

/** Places of the rows of a visit, or of all. */
export function rowsOfVisit(set: ColumnSet, visit: string | null): readonly number[] {
  const all = Array.from({ length: set.rows }, (_, row) => row)
  const column = findColumn(set, VISIT_NAME)
  return visit === null || column === null ? all : all.filter((row) => column.cells[row] === visit)
}

/** How many subjects the rows are of; null where the table does not say. */
export function countSubjects(set: ColumnSet, rows: readonly number[]): number | null {
  const column = findColumn(set, SUBJECT_NAME)
  return column === null ? null : new Set(rows.map((row) => column.cells[row] ?? null)).size
}

export interface Group {
  readonly code: string
  readonly label: string
  readonly rows: readonly number[]
}

export interface Grouping {
  readonly groups: readonly Group[]
  /** Rows of no group, by why. */
  readonly leftOut: readonly MissingCount[]
}

/** Parts rows by a variable. Without one they are one group. */
export function groupRows(column: AnalysisColumn | null, rows: readonly number[]): Grouping {
  if (column === null) return { groups: [{ code: '', label: '', rows }], leftOut: [] }
  const cells = codesOf(column, rows)
  const byCode = new Map<string, number[]>(codesIn(column, cells).map((code) => [code, []]))
  const missing = new Map<string | null, number>()
  cells.forEach((cell, index) => {
    if (typeof cell === 'string') byCode.get(cell)?.push(rows[index] ?? -1)
    else {
      const reason = cell === null ? null : cell.reason
      missing.set(reason, (missing.get(reason) ?? 0) + 1)
    }
  })
  return {
    groups: [...byCode].map(([code, own]) => ({ code, label: labelOf(column, code), rows: own })),
    leftOut: [...missing].map(([reason, count]) => ({ reason, count })),
  }
}
