import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { Operation } from '#core/sync/operation.ts'
import type { Databases } from '#offline/db/databases.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { openOperation } from '#offline/outbox/outbox.ts'

import type { SyncContext } from './context.ts'

/**
 * A server that was restored from a backup may have forgotten what it acknowledged since. The very same operations go again, with
 * their keys: what it still has it answers from its own memory, what it has not it books (DESIGN §3).
 */
export function offerReceipts(context: SyncContext, scope: string): Promise<Result<number, ApiError>> {
  return offer(context, ({ work }) => work.receipts.where('scope').equals(scope).toArray())
}

/**
 * What was held while a project was paused is applied by the server when it goes on. Sent again with the same key, it is answered with
 * what became of it; until then the device would go on saying that it waits.
 */
export function askForHeld(context: SyncContext, projectId: string): Promise<Result<number, ApiError>> {
  return offer(context, ({ work }) => work.receipts.where('outcome').equals('held').filter((row) => row.projectId === projectId).toArray())
}

async function offer(
  { storage, ring }: SyncContext,
  which: (databases: Databases) => Promise<ReceiptRow[]>,
): Promise<Result<number, ApiError>> {
  const receipts = await storage.run(which)
  if (!receipts.ok) return receipts
  const rows: OutboxRow[] = []
  for (const receipt of receipts.value) {
    const op = await attempt(() => openOperation(ring, receipt))
    // What is somebody else's to read they offer themselves; what is damaged nobody can.
    if (op.ok && op.value !== null) rows.push(offered(receipt, op.value))
  }
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, work.receipts, async () => {
      // The receipts of a forgotten time say nothing any more; new ones come with the new answers.
      await work.outbox.bulkPut(rows)
      await work.receipts.bulkDelete(rows.map(({ key }) => key))
      return rows.length
    }),
  )
}

function offered(receipt: ReceiptRow, op: Operation): OutboxRow {
  return {
    key: receipt.key,
    seq: op.seq,
    author: op.author,
    scope: receipt.scope,
    projectId: receipt.projectId,
    call: receipt.call,
    entityId: receipt.entityId,
    patientId: receipt.patientId,
    state: 'queued',
    sent: 1,
    attempts: 0,
    nextAt: 0,
    after: op.after,
    actedAt: op.acted.at,
    error: null,
    supersededBy: null,
    op: receipt.op,
    reason: null,
  }
}
