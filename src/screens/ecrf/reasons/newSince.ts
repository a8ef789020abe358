import { sameContent } from '#core/sync/merge.ts'
import { reasonKey } from '#core/sync/reasons.ts'
import type { UnexplainedChange } from '#src/data/shapes/types.ts'

/**
 * What lacks a reason and was not asked about as it is now: it came, or became something else, while the reasons were
 * given.
 */
export function newSince(
  asked: readonly UnexplainedChange[],
  lacking: readonly UnexplainedChange[],
): readonly UnexplainedChange[] {
  return lacking.filter((one) => !asked.some((before) => isAsShown(before, one)))
}

function isAsShown(before: UnexplainedChange, now: UnexplainedChange): boolean {
  if (reasonKey(before) !== reasonKey(now) || before.row !== now.row) return false
  return before.to === null || now.to === null ? before.to === now.to : sameContent(before.to, now.to)
}
