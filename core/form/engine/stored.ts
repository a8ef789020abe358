import { readValue } from '#core/form/definition/value.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { Slot } from './slot.ts'
import { isUnseen, sameValue } from './slot.ts'
import type { TableRows } from './tableRows.ts'

/**
 * The data of a form as they would be stored: hidden values are kept, empty ones are absent. Data that belong to no
 * field of the page stay, and a value that nobody changed stays as it was written: a save changes neither.
 *
 * @param base the data with which the form was last compared
 * @param own cells of the page's own fields
 * @param tables by the code of the table
 */
export function storedData(base: EntryData, own: readonly Slot[], tables: ReadonlyMap<string, TableRows>): EntryData {
  const known = knownKeys(own, tables)
  const values = without(base.values, known)
  const missing = without(base.missing, known)
  for (const slot of own) {
    if (isUnseen(slot)) continue
    const { cell, value, missing: reason } = slot
    const { code } = cell.field
    const written = base.values[code]
    const kept = written !== undefined && cell.calculate === null && sameValue(readValue(cell.field, base), value)
    if (value !== null) values[code] = kept ? written : value
    if (reason !== null) missing[code] = reason
  }
  for (const [code, table] of tables) {
    const rows = table.all()
    if (rows.length > 0) values[code] = rows.map((row) => row.stored())
    for (const row of rows) Object.assign(missing, row.reasons())
  }
  return { values, missing }
}

/** Keys under which the fields of the page store their values and missing reasons. */
function knownKeys(own: readonly Slot[], tables: ReadonlyMap<string, TableRows>): ReadonlySet<string> {
  const keys = new Set(own.map(({ cell }) => cell.field.code))
  for (const table of tables.values()) for (const row of table.all()) for (const key of row.missingKeys()) keys.add(key)
  return keys
}

function without<Value>(record: Readonly<Record<string, Value>>, keys: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)))
}

/** Puts the former value back; removes the key where there was none. */
export function replace<Value>(record: Record<string, Value>, key: string, value: Value | undefined): void {
  if (value === undefined) delete record[key]
  else record[key] = value
}
