import { canonicalJson } from '../json.ts'
import type { JsonValue } from '../json.ts'
import { isEmptyValue } from './emptyValue.ts'
import type { MissingReason } from './entryChange.ts'
import { canonicalReferences } from './references.ts'

/**
 * The data of one entry: values by field code, and missing reasons by item address (`code`, or `rid.code` in a table).
 */
export interface EntryData {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: Readonly<Record<string, MissingReason>>
}

/**
 * The text from which an entry's data hash is made. Empty values are left out, also in the rows of tables, so that
 * "never touched" equals "emptied". Sets of references are in their own order, whatever the order on a screen.
 */
export function entryDataText(data: EntryData): string {
  const values: Record<string, JsonValue> = {}
  for (const [code, value] of Object.entries(data.values)) {
    if (!isEmptyValue(value)) values[code] = isRowList(value) ? value.map(rowText) : canonicalReferences(value)
  }
  return canonicalJson({ values, missing: data.missing })
}

/** Whether a value is a table: each element is a row. Files are objects too, but have no `_rid`. */
export function isRowList(value: JsonValue): value is readonly Readonly<Record<string, JsonValue>>[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === 'object' && row !== null && '_rid' in row)
  )
}

function rowText(row: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([code, value]) => (isEmptyValue(value) ? [] : [[code, canonicalReferences(value)]])),
  )
}
