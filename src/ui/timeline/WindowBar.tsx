import { daysBetween } from '#core/study/visits/days.ts'

import classes from './WindowBar.module.css'

interface WindowBarProps {
  readonly window: { readonly from: string; readonly to: string }
  readonly planned: string
  /** The day on which it took place; null as long as it has not. */
  readonly actual: string | null
  readonly today: string
}

/** Where the window begins and ends in a drawing of 72; what lies outside of it has the rest. */
const [FROM, TO, WIDE] = [12, 60, 72]

/**
 * The days within which something is expected, as a bar: the planned day, the day on which it took place, and today
 * while it is awaited. A drawing only: the days are told in words.
 */
export function WindowBar({ window, planned, actual, today }: WindowBarProps) {
  const length = daysBetween(window.from, window.to)
  const placeOfDay = (day: string): number => {
    if (day === window.from && length === 0) return (FROM + TO) / 2
    const share = daysBetween(window.from, day) / Math.max(length, 1)
    // Of a day far outside it counts only on which side.
    return Math.min(WIDE - 5, Math.max(5, FROM + share * (TO - FROM)))
  }
  const isOpen = actual === null && window.from <= today && today <= window.to
  return (
    <svg className={classes.bar} viewBox={`0 0 ${WIDE} 8`} aria-hidden="true" focusable="false">
      <rect className={classes.window} x={FROM} y="2" width={TO - FROM} height="4" rx="2" />
      <rect className={classes.planned} x={placeOfDay(planned) - 0.75} y="1" width="1.5" height="6" />
      {actual !== null && (
        <circle
          className={classes.actual}
          data-outside={actual < window.from || actual > window.to || undefined}
          cx={placeOfDay(actual)}
          cy="4"
          r="3"
        />
      )}
      {isOpen && <rect className={classes.today} x={placeOfDay(today) - 1} y="0" width="2" height="8" rx="1" />}
    </svg>
  )
}
