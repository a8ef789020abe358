import { daysBetween } from '#core/study/visits/days.ts'
import type { VisitListLine } from '#src/data/shapes/visitTypes.ts'

/** What waits in a project, by kind: first by day, then by what is wanted of a person. */

export const byDay = ['today', 'week', 'overdue', 'window'] as const
export const byWant = ['queries', 'missing', 'process', 'attention', 'unsent'] as const
export const kinds = [...byDay, ...byWant] as const
export type DayKind = (typeof byDay)[number]
export type Kind = (typeof kinds)[number]

/** Who enters data begins with the visits of the day; whoever checks them, with what is contested or late. */
const FIRST = {
  enters: ['today', 'overdue', 'week', 'queries', 'missing', 'process', 'attention', 'unsent', 'window'],
  checks: ['queries', 'attention', 'overdue', 'missing', 'process', 'today', 'week', 'window', 'unsent'],
} as const satisfies Readonly<Record<string, readonly Kind[]>>

/**
 * The kind that is open at first: the first with anything to do, in the order of the reader's work; null while that is
 * not known. Where nothing is to do: the visits of today.
 */
export function firstKind(
  enters: boolean,
  shown: readonly Kind[],
  countOf: (kind: Kind) => number | null,
): Kind | null {
  for (const kind of enters ? FIRST.enters : FIRST.checks) {
    if (!shown.includes(kind)) continue
    const count = countOf(kind)
    if (count === null) return null
    if (count > 0) return kind
  }
  return 'today'
}

/** The kind that an arrow key leads to from another one; null for any other key. */
export function neighbour(shown: readonly Kind[], kind: Kind, key: string): Kind | null {
  const by = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0
  return by === 0 ? null : (shown[(shown.indexOf(kind) + by + shown.length) % shown.length] ?? null)
}

/** How soon a visit has to take place. */
export interface Urgency {
  readonly kind: DayKind
  /** Days until the window closes; negative once it has closed. */
  readonly left: number
}

/** More days than this are not shown: the visit has no last day. */
export const FAR = 10_000

/** "today" where a visit is planned for today, or its window closes today; "week" where it closes within seven days. */
export function urgencyOf(
  { window, plannedDate }: Pick<VisitListLine, 'window' | 'plannedDate'>,
  day: string,
): Urgency {
  const last = window?.to ?? plannedDate
  const left = last === null ? Number.MAX_SAFE_INTEGER : daysBetween(day, last)
  if (left < 0) return { kind: 'overdue', left }
  if (left === 0 || plannedDate === day) return { kind: 'today', left }
  return { kind: left < 7 ? 'week' : 'window', left }
}
