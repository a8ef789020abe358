import type { JsonValue } from '#core/json.ts'

/**
 * What rules read. Each form has one view that changes with it, so that a rule costs only its own evaluation and no
 * copy of the page.
 */

/**
 * A value inside a rule. Numbers of the form are CEL doubles; whole numbers written in a rule are CEL ints (bigint).
 */
export type CelValue = string | number | boolean | readonly CelValue[] | { readonly [key: string]: CelValue }

/**
 * Variable `page`. A field has no key where it is missing, hidden, or holds no value of its type; reading it then makes
 * the rule unknown.
 */
export class PageValues extends Map<string, CelValue> {}

/** Variable `row`: the fields of one row of a table, kept as `page` keeps those of the page. */
export class RowValues extends Map<string, CelValue> {}

/**
 * Variable `rc`: the same fields as imported REDCap logic sees them. A blank is '', never unknown. Variable `rcStored`:
 * what the fields hold, whether they are shown or not, so that two fields may each be shown by the other's answer.
 */
export class RedcapValues extends Map<string, CelValue> {
  readonly #page: PageValues

  constructor(page: PageValues) {
    super()
    this.#page = page
  }

  override get(code: string): CelValue {
    return this.#page.get(code) ?? ''
  }
}

/** Values under the names through which rules reach them. */
export interface NamedValues extends ReadonlyMap<string, NamedValues | CelValue> {}

/** Whether more names follow, and not yet a value. */
export function areNamed(value: NamedValues | CelValue | undefined): value is NamedValues {
  return value instanceof Map
}

/**
 * Variables of rules that read other pages. A missing value has no key; only `rcVisit` has '' instead, as imported
 * REDCap logic sees a blank.
 */
export interface OtherPageValues {
  /** Pages of the same visit, by their codes. */
  readonly visit: NamedValues
  readonly rcVisit: NamedValues
  /** Pages of any visit, by the visit's code and their own. */
  readonly form: NamedValues
  /** Pages in any visit, by the codes of the pages. */
  readonly visits: NamedValues
}

/** Moments that rules may read. The caller captures them, so that a rule gives the same answer on tablet and server. */
export interface Moment {
  /** The day of entry on the form's calendar, `yyyy-MM-dd`. */
  readonly today: string
  /** The moment of entry on the form's calendar, `yyyy-MM-dd HH:mm:ss`. */
  readonly now: string
}

/** A JSON value as rules see it. Nulls within lists and rows are left out, because they are missing. */
export function toCel(value: JsonValue): CelValue | null {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (isList(value)) return value.flatMap((item) => toCel(item) ?? [])
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const inner = toCel(item)
      return inner === null ? [] : [[key, inner]]
    }),
  )
}

/** The result of a rule as JSON; null for a value that JSON cannot hold or that is no answer (NaN, infinity). */
export function fromCel(value: unknown): JsonValue | null {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(fromCel)
  return null
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
