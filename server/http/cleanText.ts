import { isCleanText } from '#core/wire/shapes.ts'
import { fail } from '#core/api/errors.ts'

/** Deeper than any request of ours; a bound, because the check is recursive. */
const MAX_DEPTH = 64

/**
 * Refuses what PostgreSQL cannot store or JSON cannot carry, anywhere in a request: U+0000, lone surrogates, infinite
 * numbers.
 *
 * @throws ApiFailure `invalid`, naming the place and not its content
 */
export function refuseUncleanText(value: unknown, path = '', depth = 0): void {
  if (depth > MAX_DEPTH) throw fail('invalid', { fields: [{ path, code: 'too_deep' }] })
  // Bytes and files are not text; their names are cleaned where they are taken.
  if (value instanceof Uint8Array || value instanceof Blob) return
  if (typeof value === 'string') {
    if (!isCleanText(value)) throw fail('invalid', { fields: [{ path, code: 'text' }] })
  } else if (typeof value === 'number') {
    // JSON can write a number that is too large to hold (1e999); it would be stored as null.
    if (!Number.isFinite(value)) throw fail('invalid', { fields: [{ path, code: 'number' }] })
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => refuseUncleanText(item, join(path, String(index)), depth + 1))
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (!isCleanText(key)) throw fail('invalid', { fields: [{ path, code: 'text' }] })
      refuseUncleanText(item, join(path, key), depth + 1)
    }
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
