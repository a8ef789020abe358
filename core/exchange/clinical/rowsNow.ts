import type { JsonValue } from '#core/json.ts'
import { isRowList } from '#core/sync/entryData.ts'

import type { ClinicalPage } from './subject.ts'

/** A row of a table. */
export interface TableRow {
  readonly rid: string
  /** Order keys are compared character by character. */
  readonly order: string
  /** By field code. */
  readonly cells: Readonly<Record<string, JsonValue>>
}

/** The rows of a table that are there, in the order in which a person sees them, without what rules hide. */
export function rowsNow(
  { values, hidden }: Pick<ClinicalPage, 'values' | 'hidden'>,
  table: string,
): readonly TableRow[] {
  const value = values[table] ?? null
  if (!isRowList(value) || hidden.includes(table)) return []
  const unseen = new Set(hidden)
  return value
    .filter((row) => row['_deleted'] !== true)
    .map((row): TableRow => {
      const { _rid, _ord, _deleted, ...cells } = row
      const rid = typeof _rid === 'string' ? _rid : ''
      const seen = Object.entries(cells).filter(([code]) => !unseen.has(`${table}.${rid}.${code}`))
      return { rid, order: typeof _ord === 'string' ? _ord : '', cells: Object.fromEntries(seen) }
    })
    .toSorted((a, b) => (a.order === b.order ? compare(a.rid, b.rid) : compare(a.order, b.order)))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1
}
