import type { Cell } from '#core/form/engine/cell.ts'
import { isMaskIn } from '#core/form/engine/slot.ts'
import type { ReviewCounts, ReviewTrack } from '#core/review/verification.ts'
import { NO_COUNTS, addCounts, isDone, rollUpOf } from '#core/review/verification.ts'
import type { ReviewShape } from '#src/ui/badges/ReviewBadge.tsx'
import { shapeOfRollUp } from '#src/ui/badges/ReviewBadge.tsx'

import { hasRows } from '../missing/blank.ts'
import type { FieldMarks, TrackMark } from './reviewMarks.ts'

/** Why nobody here can verify a field; null where it can be verified. */
export type NotVerified = 'masked' | 'empty' | 'calculated'

/** @param masked whether the data came masked for this reader */
export function whyNotVerified(cell: Cell, masked: boolean): NotVerified | null {
  if (isMaskIn(cell.value, masked)) return 'masked'
  if (cell.calculated) return 'calculated'
  return cell.missing === null && (cell.value === null || hasRows(cell)) ? 'empty' : null
}

/** The shape of a field's mark. */
export function shapeOfMark({ state, due }: TrackMark): ReviewShape {
  return state ?? (due ? 'none' : 'notDue')
}

/** How far the fields of a row are checked in a track; where the plan asks for none of them, over those with a mark. */
export function countsOfRow(marks: readonly FieldMarks[], track: ReviewTrack): ReviewCounts {
  const all = marks.map((one) => one[track])
  const asked = all.filter(({ due }) => due)
  const counted = asked.length > 0 ? asked : all.some(({ state }) => state !== null) ? all : []
  return counted.reduce(
    (sum, { state }) => addCounts(sum, { due: 1, done: isDone(state) ? 1 : 0, changed: state === 'changed' ? 1 : 0 }),
    NO_COUNTS,
  )
}

export function shapeOfCounts(counts: ReviewCounts): ReviewShape {
  return shapeOfRollUp[rollUpOf(counts)]
}
