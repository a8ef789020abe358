import { numberFromText } from '#core/values/numberText.ts'

/** Values as REDCap logic reads them: a text or a number, '' for a blank. */

export type Scalar = string | number

/** One value as text or number; blanks and empty lists are ''. */
export function scalar(value: unknown): Scalar {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(',') : ''
}

/** One value as text; '' for a blank. */
export function textOf(value: unknown): string {
  return String(scalar(value))
}

/** The value as a number; NaN for a blank and for text. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' ? (numberFromText(value) ?? Number.NaN) : Number.NaN
}
