import type { JsonValue } from '#core/json.ts'

/** Many rows as one array a column, the form in which a statement takes them at least cost (`unnest`). */

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

/** A column of JSON values as the text of a PostgreSQL array. What is absent is SQL's null, and so is JSON's. */
export function jsonArrayText(values: readonly (JsonValue | undefined)[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? null
    if (at > 0) text += ','
    // JSON text holds no control characters, so that written as a JSON string it is quoted just as arrays quote.
    text += value === null ? 'NULL' : JSON.stringify(JSON.stringify(value))
  }
  return `${text}}`
}

function quoteElement(text: string): string {
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return escaped.includes('"') ? `"${escaped.replaceAll('"', '\\"')}"` : `"${escaped}"`
}
