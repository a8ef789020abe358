import * as z from 'zod/mini'
import { isId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'

/** Schemas that many calls share. Text from outside never contains U+0000 or a lone surrogate. */

/** Whether text is free of U+0000 and lone surrogates, which PostgreSQL cannot store and JSON cannot carry safely. */
export function isCleanText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** Any JSON value. Clean text inside it is checked where the value is taken apart (`core/form/definition/value.ts`). */
export const json = z.custom<JsonValue>((value) => value !== undefined)

export const id = z.string().check(z.refine(isId, 'id'))

/** Clean text of at most `max` UTF-16 units. */
export function text(max: number) {
  return z.string().check(z.maxLength(max), z.refine(isCleanText, 'text'))
}

/** Clean text with more than white space in it. */
export function filledText(max: number) {
  return z.string().check(
    z.maxLength(max),
    z.refine(isCleanText, 'text'),
    z.refine((value) => value.trim() !== '', 'required'),
  )
}

/** A code typed by a person: alphanumeric, 1–20 characters (specification §5). */
export const typedCode = z.string().check(z.regex(/^[A-Za-z0-9]{1,20}$/))
/** A field's code in the form that imports may bring. */
export const prop = z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/))
/** PostgreSQL has no year 0. A tablet whose clock says so must be told that, not that the server failed. */
const afterYearZero = z.refine<string>((value) => !value.startsWith('0000'), 'year')
/** UTC instant, ISO 8601 with milliseconds. */
export const instant = z.iso.datetime().check(afterYearZero)
/** yyyy-MM-dd. */
export const day = z.iso.date().check(afterYearZero)
/** `yyyy-MM-dd HH:mm:ss`, as the BladeX family writes times. */
export const wallTime = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/))
/** SHA-256 as lower-case hex. */
export const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
/** Entry pass (`doubleSeqNo`): 1, or 2 for the second pass of double entry. */
export const pass = z.union([z.literal(1), z.literal(2)])

/** A whole number in a query string. */
export function queryInt(min: number, max: number) {
  return z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d{1,9}$/))]),
    z.pipe(
      z.transform((value: string | number) => Number(value)),
      z.int().check(z.minimum(min), z.maximum(max)),
    ),
  )
}

/** `current` (1-based, default 1) and `size` (default 10), as every list takes them. */
export const paging = {
  current: z._default(queryInt(1, 100_000), 1),
  size: z._default(queryInt(1, 1000), 10),
}

export type Paging = { readonly current: number; readonly size: number }

/**
 * A list as the wire carries it. `total` is exact to 10,000; beyond that `totalIsLeast` says that there are at least so
 * many.
 */
export interface Page<Row> {
  readonly records: readonly Row[]
  readonly total: number
  readonly totalIsLeast?: boolean
  readonly size: number
  readonly current: number
  readonly pages: number
}

/** Makes a page from its rows and the total. */
export function pageOf<Row>(records: readonly Row[], total: number, { current, size }: Paging): Page<Row> {
  return { records, total, size, current, pages: Math.ceil(total / size) }
}
