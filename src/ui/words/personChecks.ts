import { dateFromTyping } from '#core/values/dates.ts'

/** What can be wrong with what a person types about a patient. */

/**
 * What is wrong with a day, if anything: it is not a date, or it is in the future. An empty day is not wrong.
 *
 * @param today yyyy-MM-dd
 */
export function wrongDay(value: string, today: string): 'date' | 'future' | null {
  if (value.trim() === '') return null
  const day = dateFromTyping(value)
  if (day === null) return 'date'
  return day > today ? 'future' : null
}
