import type { JsonValue } from '#core/json.ts'

/** Many rows as one array for each column. A statement takes them at least cost in this form (`unnest`). */

type Element = string | number | boolean | null

/** A column as the text of a PostgreSQL array. */
export function arrayText(elements: readonly Element[]): string {
  let text = '{'
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at] ?? null
    if (at > 0) text += ','
    text += typeof element === 'string' ? quoteElement(element) : element === null ? 'NULL' : String(element)
  }
  return `${text}}`
}

/**
 * A column of JSON values as the text of a PostgreSQL array. Both an absent value and JSON's null become SQL's null.
 */
export function jsonArrayText(values: readonly (JsonValue | undefined)[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? null
    if (at > 0) text += ','
    // JSON text holds no control characters. So written as a JSON string it is quoted just as arrays quote.
    text += value === null ? 'NULL' : JSON.stringify(JSON.stringify(value))
  }
  return `${text}}`
}

function quoteElement(text: string): string {
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return escaped.includes('"') ? `"${escaped.replaceAll('"', '\\"')}"` : `"${escaped}"`
}
