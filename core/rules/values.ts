import type { JsonValue } from '#core/json.ts'

/** What rules read. One changing view per form, so that a rule costs its own evaluation and no copying of the page. */

/**
 * A value inside a rule. Numbers of the form are CEL doubles; whole numbers written in a rule are CEL ints (bigint).
 */
export type CelValue = string | number | boolean | readonly CelValue[] | { readonly [key: string]: CelValue }

/**
 * Variable `page`: a field that is missing, hidden or not a value of its type has no key, so reading it makes the rule
 * unknown.
 */
export class PageValues extends Map<string, CelValue> {}

/** Variable `row`: the fields of one row of a table, as `page` has those of the page. */
export class RowValues extends Map<string, CelValue> {}

/**
 * Variable `rc`: the same fields as imported REDCap logic sees them. A blank is '', never unknown. Variable `rcStored`:
 * what the fields hold, shown or not, so that two fields may be shown by each other's answer.
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

/** Values under the names that lead to them. */
export interface NamedValues extends ReadonlyMap<string, NamedValues | CelValue> {}

/** Whether more names follow, and not a value. */
export function areNamed(value: NamedValues | CelValue | undefined): value is NamedValues {
  return value instanceof Map
}

/**
 * Variables of rules that read other pages. What is missing has no key; only `rcVisit` has '' there, as imported REDCap
 * logic sees a blank.
 */
export interface OtherPageValues {
  /** Pages of the same visit, by their codes. */
  readonly visit: NamedValues
  readonly rcVisit: NamedValues
  /** Pages of any visit, by the visit's code and their own. */
  readonly form: NamedValues
  /** Pages wherever they stand, by their codes. */
  readonly visits: NamedValues
}

/**
 * Moments that rules may read. They are captured by the caller, so that a rule gives the same answer on tablet and
 * server.
 */
export interface Moment {
  /** The day of entry on the form's calendar, `yyyy-MM-dd`. */
  readonly today: string
  /** The moment of entry on the form's calendar, `yyyy-MM-dd HH:mm:ss`. */
  readonly now: string
}

/** A JSON value as rules see it; nulls inside of lists and rows are left out, as missing. */
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

/** The result of a rule as JSON; null for what JSON cannot hold or what is no answer (NaN, infinity). */
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
