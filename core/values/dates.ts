/**
 * Calendar dates and clock times as text: `yyyy-MM-dd`, `HH:mm`, `yyyy-MM-dd HH:mm`, with `:ss` where seconds were
 * measured. A date on a form has no time zone: it is what the source document says, so nothing here goes through the
 * machine's own clock or zone.
 */

export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const MS_PER_DAY = 86_400_000

/** Reads `yyyy-MM-dd`. Null for other text and for days that no calendar has. */
export function parseDate(text: string): CalendarDate | null {
  const match = DATE.exec(text)
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) ? { year, month, day } : null
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
export function dayNumber(date: CalendarDate): number {
  const utc = new Date(0)
  utc.setUTCFullYear(date.year, date.month - 1, date.day)
  return utc.getTime() / MS_PER_DAY
}

/** Seconds since midnight of `HH:mm` or `HH:mm:ss`; null for other text. */
export function parseTime(text: string): number | null {
  const match = TIME.exec(text)
  return match === null ? null : Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0)
}

/** Seconds since 1970-01-01 00:00 on the form's own clock, of a date or of a date and time. Null for other text. */
export function parseInstant(text: string): number | null {
  const [datePart = '', timePart, ...rest] = text.trim().split(/[ T]/)
  const date = parseDate(datePart)
  if (date === null || rest.length > 0) return null
  const seconds = timePart === undefined ? 0 : parseTime(timePart)
  return seconds === null ? null : dayNumber(date) * 86_400 + seconds
}

/**
 * Whole years from `from` to `to`; negative when `to` is earlier. A birthday on 29 February counts on 1 March in common
 * years.
 */
export function wholeYears(from: CalendarDate, to: CalendarDate): number {
  if (dayNumber(to) < dayNumber(from)) return -wholeYears(to, from)
  const before = to.month < from.month || (to.month === from.month && to.day < from.day)
  return to.year - from.year - (before ? 1 : 0)
}

/**
 * What a person types for a date: `20240506`, `2024/5/6`, `2024.5.6`, `2024-5-6`, `2024年5月6日`. Gives `yyyy-MM-dd`, or
 * null when it is not yet, or never will be, a date.
 */
export function dateFromTyping(typed: string): string | null {
  const text = halfWidth(typed).trim()
  const match =
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/.exec(text)
  if (match === null) return null
  const date = `${match[1]}-${match[2]?.padStart(2, '0')}-${match[3]?.padStart(2, '0')}`
  return parseDate(date) === null ? null : date
}

/**
 * What a person types for a time: `930`, `0930`, `9:30`, `09:30:15`. Gives `HH:mm:ss`, or null.
 *
 * @param minutes whether seconds are left out unless they are typed: nobody has measured them
 */
export function timeFromTyping(typed: string, minutes = false): string | null {
  const text = halfWidth(typed).trim()
  const match =
    /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/.exec(text) ??
    /^(\d{2})(\d{2})(\d{2})?$/.exec(text) ??
    /^(\d)(\d{2})$/.exec(text)
  if (match === null) return null
  const parts = match.slice(1).filter((part) => part !== undefined)
  if (parts.length === 2 && !minutes) parts.push('0')
  const time = parts.map((part) => part.padStart(2, '0')).join(':')
  return parseTime(time) === null ? null : time
}

/**
 * A date and a time in any of the ways above, with a space between, or `202405060930` and `20240506093015`: a tablet's
 * keypad of figures has no space. Gives `yyyy-MM-dd HH:mm:ss`, or null.
 *
 * @param minutes as of a time
 */
export function datetimeFromTyping(typed: string, minutes = false): string | null {
  const text = halfWidth(typed).trim()
  const match = /^(\S+)\s+(\S+)$/.exec(text) ?? /^(\d{8})(\d{4}|\d{6})$/.exec(text)
  const [date, time] = [dateFromTyping(match?.[1] ?? ''), timeFromTyping(match?.[2] ?? '', minutes)]
  return date === null || time === null ? null : `${date} ${time}`
}

/** Full-width digits and signs, as Chinese input methods give them, in their ASCII form. */
export function halfWidth(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[。．]/g, '.')
    .replace(/[－—–−]/g, '-')
    .replace(/\u3000/g, ' ')
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
