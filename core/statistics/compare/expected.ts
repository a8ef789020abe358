import { totalsOf } from '../describe/crossTable.ts'
import type { Counts } from '../describe/crossTable.ts'

/** What each cell would hold if rows and columns had nothing to do with each other. */
export function expectedCounts(counts: Counts): Counts {
  const { rowTotals, columnTotals, total } = totalsOf(counts)
  return rowTotals.map((row) => columnTotals.map((column) => (row * column) / total))
}
