import type { VisitResult } from '#core/api/calls/visit.ts'
import type { VisitRow } from '#core/api/sync/rows.ts'
import type { StoredReceipt } from '#server/http/idempotency.ts'

/**
 * The answer to an operation on a visit; the visit is null while the operation is held. `collided`: fields where
 * somebody else's value stayed.
 */
export function visitAnswer(
  projectId: string,
  visit: VisitRow | null,
  collided: readonly { readonly field: string }[] = [],
): (receipt: StoredReceipt) => VisitResult {
  return (receipt) => ({
    visit,
    receipt: { ...receipt, projectId },
    ...(collided.length === 0 ? {} : { collided: collided.map(({ field }) => field) }),
  })
}
