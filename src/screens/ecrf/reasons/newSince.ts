import { sameContent } from '#core/sync/merge.ts'
import { reasonKey } from '#core/sync/reasons.ts'
import type { UnexplainedChange } from '#src/data/shapes/types.ts'

/**
 * Changes that lack a reason and were not asked about in their present form: they are new, or became different while
 * the user gave reasons.
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
