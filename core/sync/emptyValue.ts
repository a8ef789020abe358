import type { JsonValue } from '../json.ts'

/** Whether a stored value counts as empty: null, '' or an empty list. */
export function isEmptyValue(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
