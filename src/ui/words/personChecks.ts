import { dateFromTyping } from '#core/values/dates.ts'

/** What can be wrong with what a person types of a patient. */

/**
 * What is wrong with a day, if anything: it is none, or it has not come yet. An empty one is not wrong. @param today
 * yyyy-MM-dd
 */
export function wrongDay(value: string, today: string): 'date' | 'future' | null {
  if (value.trim() === '') return null
  const day = dateFromTyping(value)
  if (day === null) return 'date'
  return day > today ? 'future' : null
}
