/** Calendar days as text, `yyyy-MM-dd`. They have no time zone: a person writes a day into a casebook. */

const MS_PER_DAY = 86_400_000

/** The day that many days later; earlier where `days` is negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * MS_PER_DAY).toISOString().slice(0, 10)
}

/** Whole days from the first to the second; negative where the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / MS_PER_DAY
}

/** The day on a clock that is that many minutes east of UTC. */
export function dayAt(instant: string | number, offsetMinutes: number): string {
  return new Date(new Date(instant).getTime() + offsetMinutes * 60_000).toISOString().slice(0, 10)
}
