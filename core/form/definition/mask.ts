import type { JsonValue } from '#core/json.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { EntryData } from '#core/sync/entryData.ts'

/** What replaces a value that identifies a person, where the reader has no right to that value. */
export const MASK = '***'

/** Whether some of an entry's values or missing reasons are masked: then this reader has not seen all of it. */
export function holdsMask({ values, missing }: EntryData): boolean {
  return holdsMasked(values) || Object.values(missing).some(({ reason }) => reason === MASK)
}

/** Whether some of these values are masked. */
export function holdsMasked(values: Readonly<Record<string, JsonValue>>): boolean {
  return Object.values(values).some(isMasked)
}

/** Whether a value is a mask or contains one: a field of several answers shows its mask as one of them. */
export function isMasked(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return value === MASK
  return Object.values(value).some(isMasked)
}

/** Whether an item's value, or the reason why it is missing, is masked. */
export function isMaskedContent({ value, missing }: ItemContent): boolean {
  return isMasked(value) || missing?.reason === MASK
}
