import { dayNumber, parseDate, parseTime } from '#core/values/dates.ts'
import { numberFromText } from '#core/values/numberText.ts'

/** Values as XPath reads them. */

const SECONDS_OF_DAY = 86_400

/** The value as text: several answers are joined by blanks, as a form stores them. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(asText).join(' ') : ''
}

/**
 * The value as a number; NaN for a blank and for text. A date is its days since 1970, a time of day a fraction of a
 * day, so that they have an order and a difference.
 */
export function asNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = asText(value).trim()
  if (text === '') return Number.NaN
  return numberFromText(text) ?? daysOf(text)
}

/** Days since 1970 of a date, a date with a time, or a time alone; NaN for other text. */
export function daysOf(text: string): number {
  const [first = '', second, ...rest] = text.split(/[ T]/)
  const date = parseDate(first)
  if (rest.length > 0) return Number.NaN
  if (date === null) {
    const seconds = second === undefined ? parseTime(plainTime(first)) : null
    return seconds === null ? Number.NaN : seconds / SECONDS_OF_DAY
  }
  if (second === undefined) return dayNumber(date)
  const seconds = parseTime(plainTime(second))
  return seconds === null ? Number.NaN : dayNumber(date) + seconds / SECONDS_OF_DAY
}

/** The time on the form's own clock: the thousandths and the zone that a device adds are left out. */
function plainTime(text: string): string {
  return text.replace(/(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?$/, '')
}

/** The value as a truth value: text is true unless it is blank, a number unless it is 0 or NaN. */
export function asTruth(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value) !== 0 && !Number.isNaN(Number(value))
  return asText(value) !== ''
}

/** The answers of a choice field with several answers. */
export function answersOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(asText)
  return asText(value)
    .split(/\s+/)
    .filter((answer) => answer !== '')
}
