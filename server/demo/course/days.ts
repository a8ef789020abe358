/** Days of the demo, `yyyy-MM-dd`. */

const DAY_MS = 86_400_000
/** The study's clock: UTC+8. */
const OFFSET_MS = 8 * 3_600_000

/** The day of an instant on the study's calendar. */
export function studyDay(instant: string): string {
  return new Date(Date.parse(instant) + OFFSET_MS).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Whole days from the first to the second, negative when it is earlier. */
export function daysFrom(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS
}
