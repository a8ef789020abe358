import { halfWidth } from '#core/values/dates.ts'
import { isList } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'

/**
 * What a text says whatever the width of its characters and its blanks; null for what is no text. Items of a list stay
 * apart.
 */
export function plainText(value: JsonValue): string | null {
  if (typeof value === 'string') return halfWidth(value.normalize('NFKC')).replaceAll(/\s+/g, ' ').trim()
  if (!isList(value)) return null
  const items = value.map(plainText)
  return items.some((item) => item === null) ? null : items.join('\n')
}
