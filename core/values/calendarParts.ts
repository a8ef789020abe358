import { dateFromTyping, dayNumber, halfWidth, parseDate } from './dates.ts'
import type { CalendarDate } from './dates.ts'

/**
 * Years, months, weeks, and dates of which only a part is known, as text: `yyyy`, `yyyy-MM`, and for a week the date of
 * a day in it. A part that is not known is left out, never made up (docs/adr/0013-partial-dates.md).
 */

/** The least that must be known of a date that may be partial. */
export type LeastKnown = 'year' | 'month'

const YEAR = /^\d{4}$/
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const MONTH_OF_YEAR = /^(0[1-9]|1[0-2])$/
const MS_PER_DAY = 86_400_000

export function isYear(text: string): boolean {
  return YEAR.test(text)
}

export function isMonth(text: string): boolean {
  return MONTH.test(text)
}

/** A month without its year, `MM`: what a stock designer stores by default. */
export function isMonthOfYear(text: string): boolean {
  return MONTH_OF_YEAR.test(text)
}

/** What is not known of a partial date: its day, or its month and day. Null for a whole date and for other text. */
export function unknownPart(text: string): 'day' | 'month' | null {
  if (isMonth(text)) return 'day'
  return isYear(text) ? 'month' : null
}

/** Whether a date that may be partial is known as far as it must be. */
export function isKnownDate(text: string, least: LeastKnown): boolean {
  return parseDate(text) !== null || isMonth(text) || (least === 'year' && isYear(text))
}

/** `2024`, `2024年`. Gives `yyyy`, or null. */
export function yearFromTyping(typed: string): string | null {
  return /^(\d{4})\s*年?$/.exec(halfWidth(typed).trim())?.[1] ?? null
}

/** `202405`, `2024-5`, `2024/5`, `2024.5`, `2024年5月`. Gives `yyyy-MM`, or null. */
export function monthFromTyping(typed: string): string | null {
  const text = halfWidth(typed).trim()
  const match = /^(\d{4})(\d{2})$/.exec(text) ?? /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*月?$/.exec(text)
  const month = `${match?.[1]}-${match?.[2]?.padStart(2, '0')}`
  return isMonth(month) ? month : null
}

/** `5`, `05`, `5月`. Gives `MM`, or null. */
export function monthOfYearFromTyping(typed: string): string | null {
  const month = /^(\d{1,2})\s*月?$/.exec(halfWidth(typed).trim())?.[1]?.padStart(2, '0') ?? ''
  return isMonthOfYear(month) ? month : null
}

/**
 * A date whose day, or month and day, may be left out or said to be unknown, as source documents write it: `202405`,
 * `2024年5月`, `2024-05-UN`, `2024-UNK-UNK`, `2024-05-未知`. Gives `yyyy-MM-dd`, `yyyy-MM` or `yyyy`; null where less is
 * known than must be.
 */
export function partialDateFromTyping(typed: string, least: LeastKnown): string | null {
  const known = halfWidth(typed)
    .trim()
    .replace(/(?:[-/.年月\s]*(?:UNK?|UK|XX|\?\?|未知|不详)[月日]?)+$/i, '')
  const date = dateFromTyping(known) ?? monthFromTyping(known) ?? yearFromTyping(known)
  return date !== null && isKnownDate(date, least) ? date : null
}

/** Monday of the week that a day lies in: weeks are those of ISO 8601 and GB/T 7408, from Monday to Sunday. */
function mondayOf(date: CalendarDate): number {
  const day = dayNumber(date)
  // 1970-01-01 was a Thursday.
  return day - ((((day + 3) % 7) + 7) % 7)
}

/** Days since 1970-01-01 as `yyyy-MM-dd`. */
export function dateText(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
}

/** A week as people name it: its year, number, first and last day. Null for text that is no date. */
export interface Week {
  readonly year: number
  readonly number: number
  /** `yyyy-MM-dd` of its Monday and its Sunday. */
  readonly from: string
  readonly to: string
}

/** The week that a day `yyyy-MM-dd` lies in; null for text that is no date. */
export function weekOf(text: string): Week | null {
  const date = parseDate(text)
  if (date === null) return null
  const monday = mondayOf(date)
  // A week belongs to the year that its Thursday lies in.
  const year = Number(dateText(monday + 3).slice(0, 4))
  return { year, number: (monday - firstMonday(year)) / 7 + 1, from: dateText(monday), to: dateText(monday + 6) }
}

/** `2024-W20`, `2024W20`, `2024年第20周`, or any day of the week. Gives the date of its Monday, or null. */
export function weekFromTyping(typed: string): string | null {
  const text = halfWidth(typed).trim()
  const match = /^(\d{4})\s*-?\s*W\s*(\d{1,2})$/i.exec(text) ?? /^(\d{4})\s*年?\s*第\s*(\d{1,2})\s*周$/.exec(text)
  if (match === null) return weekOf(dateFromTyping(text) ?? '')?.from ?? null
  const [year, number] = [Number(match[1]), Number(match[2])]
  const week = number < 1 ? null : weekOf(dateText(firstMonday(year) + (number - 1) * 7))
  return week?.year === year ? week.from : null
}

/** A week as a text box shows it: `2024-W20`. */
export function weekText({ year, number }: Week): string {
  return `${String(year).padStart(4, '0')}-W${String(number).padStart(2, '0')}`
}

/** Monday of the first week of a year: the week of 4 January. */
function firstMonday(year: number): number {
  return mondayOf({ year, month: 1, day: 4 })
}

/**
 * The day that a stock front end meant by an instant: it stores midnight of the day on the tablet's own clock, so the
 * day is the nearest midnight of UTC, wherever the tablet was. Other text is given back as it is.
 */
export function dayOfInstant(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text)) return text
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? text : dateText(Math.round(instant / MS_PER_DAY))
}
