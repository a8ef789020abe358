/** Values of cells as text. */

/** Number formats of every workbook that show a date or a time, by their numbers. */
const DATE_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
])

/** Whether cells of a format show a date. @param code the format's own text where it is none of every workbook's */
export function showsDate(id: number, code: string | undefined): boolean {
  if (code === undefined) return DATE_FORMATS.has(id)
  // Colours, quoted words and escaped signs have letters that mean nothing.
  const plain = code.slice(0, 500).replaceAll(/\[[^\]]*\]|"[^"]*"|\\./g, '')
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain)
}

/** A number as people write it: whole ones without a point. */
export function numberText(value: number): string {
  return Number.isFinite(value) ? String(Object.is(value, -0) ? 0 : value) : ''
}

const DAY = 86_400_000

/** The date, time or both that a number of days means, as yyyy-MM-dd, HH:mm:ss or both. */
export function dateText(value: number, from1904: boolean): string {
  if (!Number.isFinite(value) || value < 0 || value > 2_958_466) return numberText(value)
  // 1900 is a leap year to spreadsheets: days before March of it are one off, and mean no date of a definition.
  const start = Date.UTC(from1904 ? 1904 : 1899, from1904 ? 0 : 11, from1904 ? 1 : 30)
  const text = new Date(start + Math.round(value * 86_400) * 1_000).toISOString()
  const [date, time] = [text.slice(0, 10), text.slice(11, 19)]
  if (value < 1) return time
  return value % 1 === 0 || (value * DAY) % DAY < 500 ? date : `${date} ${time}`
}
