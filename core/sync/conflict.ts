import * as z from 'zod/mini'
import { id } from '#core/wire/shapes.ts'
import { changeReason, entryTarget, itemContent } from './entryChange.ts'

/** How a person decides a conflict (docs/adr/0003-conflict-and-inbox.md). */

export const conflictChoice = z.enum([
  /** The current value stays. */
  'server',
  /** The waiting value replaces it. */
  'mine',
  /** Neither: the person enters another value. */
  'new',
])
export type ConflictChoice = z.infer<typeof conflictChoice>

/**
 * The decision on one conflict: the body of `conflict.resolve`, the same on the wire and in the outbox. It is also an
 * item change, whose base is what the person saw: where somebody has changed the item since, both values form a new
 * conflict.
 */
export const conflictResolution = z.object({
  target: entryTarget,
  conflictId: id,
  choice: conflictChoice,
  /**
   * The content of the item when it was decided. Where a deletion met an edit (`_deleted`), `value` says whether it was
   * deleted.
   */
  seen: itemContent,
  to: itemContent,
  reason: changeReason,
})
export type ConflictResolution = z.infer<typeof conflictResolution>

/**
 * Whether a release removed the field of a conflict, or the place for the waiting value: whichever field has its code
 * now, the conflict does not change it.
 */
export function isAboutFormer({ formerVersionId }: { readonly formerVersionId?: string | null | undefined }): boolean {
  return (formerVersionId ?? null) !== null
}
