import { dayAt } from '#core/study/visits/days.ts'

/** The day on this device's clock, `yyyy-MM-dd`: visits are due by the calendar on the ward's wall. */
export function today(): string {
  const now = new Date()
  return dayAt(now.getTime(), -now.getTimezoneOffset())
}
