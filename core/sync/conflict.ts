import * as z from 'zod/mini'
import { id } from '#core/wire/shapes.ts'
import { changeReason, entryTarget, itemContent } from './entryChange.ts'

/** How a person decides a conflict (docs/adr/0003-conflict-and-inbox.md). */

export const conflictChoice = z.enum([
  /** The value that stands stays. */
  'server',
  /** The value that waited takes its place. */
  'mine',
  /** Neither: another value. */
  'new',
])
export type ConflictChoice = z.infer<typeof conflictChoice>

/**
 * The decision on one conflict: the body of `conflict.resolve`, on the wire and in the outbox alike. It is an item
 * change too, with what the person saw as its base: where somebody has changed the item since, both stand again as a
 * new conflict.
 */
export const conflictResolution = z.object({
  target: entryTarget,
  conflictId: id,
  choice: conflictChoice,
  /**
   * What the item held when it was decided. Where a deletion met an edit (`_deleted`): `value` is whether it was
   * deleted.
   */
  seen: itemContent,
  to: itemContent,
  reason: changeReason,
})
export type ConflictResolution = z.infer<typeof conflictResolution>

/**
 * Whether a release removed the field that a conflict is about, or the place for what waits: whatever has its code by
 * now, the conflict does not touch it.
 */
export function isAboutFormer({ formerVersionId }: { readonly formerVersionId?: string | null | undefined }): boolean {
  return (formerVersionId ?? null) !== null
}
