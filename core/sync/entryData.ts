import { canonicalJson } from '../json.ts'
import type { JsonValue } from '../json.ts'
import type { MissingReason } from './entryChange.ts'

/** The data of one entry: values by field code, and missing reasons by item address (`code`, or `rid.code` in a table). */
export interface EntryData {
  readonly values: Readonly<Record<string, JsonValue>>
  readonly missing: Readonly<Record<string, MissingReason>>
}

/** The text that an entry's data hash is made over. Empty values are left out, so that "never touched" equals "emptied". */
export function entryDataText(data: EntryData): string {
  const values = Object.fromEntries(Object.entries(data.values).filter(([, value]) => !isEmptyValue(value)))
  return canonicalJson({ values, missing: data.missing })
}

/** Whether a stored value counts as empty: null, '' or an empty list. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
