import type { ApiError } from '#core/api/errors.ts'
import { filesNamedBy } from '#core/files/inOperation.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import type { FileRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import type { SyncContext } from '#offline/sync/context.ts'

/** Whether anything on this device names a file that the server does not know. */

/**
 * Work that waits for this page or query, or is being typed on the page, may name the file, and is not opened to find
 * out. Sent operations are opened: a server that was restored from a backup has forgotten the file and is offered it
 * again (offline/sync/restore.ts). What only somebody else's keys open may name the file too.
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
    // An operation that is damaged cannot be offered again by anybody.
    if (!op.ok) continue
    if (op.value === null || filesNamedBy(op.value.body).includes(id)) return ok(true)
  }
  return ok(false)
}

/**
 * Whether an operation on this device, waiting or sent, names a file; also where only somebody else's keys would tell.
 * For a file of a query, which no typing names.
 */
async function isNamedInWork(work: WorkDb, ring: KeyRing, { id, entryId }: FileRow): Promise<boolean> {
  const rows = [
    ...(await work.outbox.where('entityId').equals(entryId).toArray()),
    ...(await work.receipts.where('entityId').equals(entryId).toArray()).filter(({ op }) => op !== null),
  ]
  for (const row of rows) {
    const op = await attempt(() => openOperation(ring, row))
    if (op.ok && (op.value === null || filesNamedBy(op.value.body).includes(id))) return true
  }
  return false
}

/**
 * Removes a file that somebody chose for a query and took out again before they said anything with it. Gives whether it
 * was removed.
 */
export async function discardUnsaid(work: WorkDb, ring: KeyRing, id: string): Promise<boolean> {
  const row = await work.files.get(id)
  if (row === undefined || row.state === 'sent' || (await isNamedInWork(work, ring, row))) return false
  await work.transaction('rw', work.files, work.filePieces, async () => {
    await work.filePieces.where('id').equals(id).delete()
    await work.files.delete(id)
  })
  return true
}

/** How many operations and bundles of typing wait for a page, or operations for a query. */
export async function waitingOn(work: WorkDb, entryId: string): Promise<number> {
  return (
    (await work.outbox.where('entityId').equals(entryId).count()) +
    (await work.drafts.where('entryId').equals(entryId).count())
  )
}
