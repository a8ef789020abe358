/** Plain JSON values, and the canonical text that hashes and proofs are made over. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Version of the canonical form below. It is written beside every hash, so that a later form can live next to it. */
export const CANONICAL_VERSION = 1

/**
 * Canonical JSON text: keys sorted by UTF-16 code unit, no white space, numbers as ECMAScript prints them (RFC 8785's rules for
 * I-JSON). Two values that are equal as JSON give the same text on tablet and server.
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
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`
}

/** Whether two JSON values are equal, whatever the order of their keys. */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b)
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
