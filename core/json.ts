/** Plain JSON values, and the canonical text that hashes and proofs are made over. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * JSON whose parts may be absent, as wire rows are typed by their schemas: a part that is undefined is none, once it is
 * written.
 */
export type JsonParts =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly JsonParts[]
  | { readonly [key: string]: JsonParts }

/** Data of wire types as plain JSON; to be written, not to be looked through for absent parts. */
export function asJson(data: JsonParts): JsonValue {
  return data as JsonValue
}

/**
 * What of a type JSON carries whole, for types that name their fields: `Type extends Json<Type>` holds where the value
 * that comes back is the value that went. Functions, dates, maps and fields that are never there are refused; a field
 * that may be missing may be missing.
 */
export type Json<Type> = Type extends JsonValue
  ? Type
  : Type extends ((...given: never[]) => unknown) | { toJSON(): unknown }
    ? never
    : Type extends object
      ? { readonly [Key in keyof Type]: JsonField<Type[Key]> }
      : never

type JsonField<Field> = [Field] extends [undefined]
  ? never
  : undefined extends Field
    ? Json<Exclude<Field, undefined>> | undefined
    : Json<Field>

/** Version of the canonical form below. It is written beside every hash, so that a later form can live next to it. */
export const CANONICAL_VERSION = 1

/**
 * Canonical JSON text: keys sorted by UTF-16 code unit, no white space, numbers as ECMAScript prints them (RFC 8785's
 * rules for I-JSON). Two values that are equal as JSON give the same text on tablet and server.
 *
 * @throws RangeError for a number that is not finite, which JSON cannot hold.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError('canonicalJson: a number must be finite')
    return JSON.stringify(value)
  }
  if (typeof value === 'string') return JSON.stringify(value)
  // One growing text: every operation and every audit row passes here, and lists in between would cost more than the
  // text.
  let text = ''
  if (isArray(value)) {
    for (const item of value) text += text === '' ? canonicalJson(item) : `,${canonicalJson(item)}`
    return `[${text}]`
  }
  for (const key of Object.keys(value).sort())
    text += `${text === '' ? '' : ','}${keyText(key)}${canonicalJson(value[key] ?? null)}`
  return `{${text}}`
}

/** Texts of keys: there are few different ones, and they come again with every item. */
const keyTexts = new Map<string, string>()
const MAX_KEYS = 2000

function keyText(key: string): string {
  const known = keyTexts.get(key)
  if (known !== undefined) return known
  const text = `${JSON.stringify(key)}:`
  if (keyTexts.size < MAX_KEYS) keyTexts.set(key, text)
  return text
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true
  // What is no list and no object equals nothing but itself.
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  return canonicalJson(a) === canonicalJson(b)
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
