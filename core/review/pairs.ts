import type { Field } from '#core/form/definition/page.ts'
import { canonicalValue } from '#core/form/definition/value.ts'
import { canonicalJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'

import { plainText } from './plainText.ts'

/** Which row of the first pass is which of the second. */

type Row = Readonly<Record<string, JsonValue>>

/** A row as both passes have it; null where one of them has none. */
export interface RowPair {
  readonly first: Row | null
  readonly second: Row | null
}

/**
 * Pairs rows that say the same in the table's key columns, whatever their order, width and capital letters; of several
 * with one key the first with the first. Without key columns the places decide. Rows that are left stand alone, those
 * of the first pass before those of the second.
 */
export function pairRows(table: Field, first: readonly Row[], second: readonly Row[]): readonly RowPair[] {
  if (table.rowKey.length === 0) {
    return Array.from({ length: Math.max(first.length, second.length) }, (_, at) => ({
      first: first[at] ?? null,
      second: second[at] ?? null,
    }))
  }
  const waiting = Map.groupBy(second, (row) => keyOf(table, row))
  const paired = first.map((row): RowPair => ({ first: row, second: waiting.get(keyOf(table, row))?.shift() ?? null }))
  const taken = new Set(paired.map((pair) => pair.second))
  return [...paired, ...second.filter((row) => !taken.has(row)).map((row): RowPair => ({ first: null, second: row }))]
}

function keyOf(table: Field, row: Row): string {
  return canonicalJson(
    table.rowKey.map((code) => {
      const field = table.children.find((child) => child.code === code)
      const value = field === undefined ? null : canonicalValue(field, row[code])
      return value === null ? null : (plainText(value)?.toLowerCase() ?? value)
    }),
  )
}
