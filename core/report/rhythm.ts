import { addDays } from '#core/study/visits/days.ts'

import { REPORTS } from './kinds.ts'
import type { ReportKind } from './kinds.ts'

/** On which days a report is sent by e-mail, and which days it is about. Days are those of the study's clock. */

/** How often. Weeks begin on Monday (1); no month ends before its 28th day. */
export type Rhythm =
  | { readonly every: 'day' }
  | { readonly every: 'week'; readonly weekday: number }
  | { readonly every: 'month'; readonly day: number }

export const MOST_MONTH_DAY = 28

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: string): number {
  return ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1
}

function fallsOn(rhythm: Rhythm, day: string): boolean {
  switch (rhythm.every) {
    case 'day':
      return true
    case 'week':
      return weekdayOf(day) === rhythm.weekday
    case 'month':
      return Number(day.slice(8)) === rhythm.day
  }
}

/** The first day of a rhythm, this one or a later one. */
export function firstFrom(rhythm: Rhythm, from: string): string {
  return walk(rhythm, from, 1)
}

/** The last day of a rhythm, this one or an earlier one. */
export function lastUntil(rhythm: Rhythm, until: string): string {
  return walk(rhythm, until, -1)
}

function walk(rhythm: Rhythm, start: string, step: 1 | -1): string {
  let day = start
  // No rhythm leaves out more than a month.
  for (let left = 31; left > 0 && !fallsOn(rhythm, day); left -= 1) day = addDays(day, step)
  return day
}

export interface Period {
  readonly from: string
  readonly to: string
}

/**
 * The days that a report by e-mail is about: those since the day of the rhythm before, without the day on which it is
 * sent. Null for a report of how things stand, and for one that tells what waits for somebody: what waits is told
 * however old it is.
 */
export function periodOf(kind: ReportKind, rhythm: Rhythm, today: string): Period | null {
  const { hasPeriod, measures } = REPORTS[kind]
  if (!hasPeriod || measures.some(({ asksForWork }) => asksForWork)) return null
  const to = addDays(lastUntil(rhythm, today), -1)
  return { from: lastUntil(rhythm, to), to }
}
