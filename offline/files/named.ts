import type { ApiError } from '#core/api/errors.ts'
import { filesNamedBy } from '#core/files/inOperation.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import type { FileRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import type { SyncContext } from '#offline/sync/context.ts'

/** Whether anything on this device names a file that the server says it has never heard of. */

/**
 * What waits or is being typed on the file's page may name it, and is not opened for that. What was sent is: a server
 * that was restored from a backup has forgotten it and is offered it again (offline/sync/restore.ts). What only
 * somebody else's keys open may name it too.
 */
export async function mayBeNamed(
  { storage, ring }: SyncContext,
  { id, entryId }: FileRow,
): Promise<Result<boolean, ApiError>> {
  const read = await storage.run(async ({ work }) => ({
    waiting: await waitingOn(work, entryId),
    sent: await work.receipts
      .where('entityId')
      .equals(entryId)
      .filter(({ op }) => op !== null)
      .toArray(),
  }))
  if (!read.ok) return read
  const { waiting, sent } = read.value
  if (waiting > 0) return ok(true)
  for (const receipt of sent) {
    const op = await attempt(() => openOperation(ring, receipt))
    // Damaged, nobody can offer it.
    if (!op.ok) continue
    if (op.value === null || filesNamedBy(op.value.body).includes(id)) return ok(true)
  }
  return ok(false)
}

/** How much of a page waits, or is being typed. */
export async function waitingOn(work: WorkDb, entryId: string): Promise<number> {
  return (
    (await work.outbox.where('entityId').equals(entryId).count()) +
    (await work.drafts.where('entryId').equals(entryId).count())
  )
}
