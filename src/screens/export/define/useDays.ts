import { useState } from 'react'
import { dateFromTyping } from '#core/values/dates.ts'

/**
 * A day while it is typed: it counts once it is one. What is half typed stays in the box.
 *
 * @param onDay null where nothing is typed
 */
export function useDays(
  day: string | null,
  onDay: (day: string | null) => void,
): readonly [typed: string, set: (typed: string) => void] {
  const [typed, setTyped] = useState(day ?? '')
  return [
    typed,
    (next) => {
      setTyped(next)
      const read = dateFromTyping(next)
      if (next.trim() === '') onDay(null)
      else if (read !== null) onDay(read)
    },
  ]
}
