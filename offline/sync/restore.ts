import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { Operation } from '#core/sync/operation.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { openOperation } from '#offline/outbox/outbox.ts'

import type { SyncContext } from './context.ts'

/**
 * A server that was restored from a backup may have forgotten what it acknowledged since. The very same operations go again, with
 * their keys: what it still has it answers from its own memory, what it has not it books (DESIGN §3).
 */
export async function offerReceipts({ storage, ring }: SyncContext): Promise<Result<number, ApiError>> {
  const read = await storage.run(async ({ work }) => {
    const rows: OutboxRow[] = []
    for (const receipt of await work.receipts.toArray()) {
      const op = await openOperation(ring, receipt)
      if (op !== null) rows.push(offered(receipt, op))
    }
    return rows
  })
  if (!read.ok) return read
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, work.receipts, async () => {
      // The receipts of a forgotten time say nothing any more; new ones come with the new answers.
      await work.outbox.bulkPut(read.value)
      await work.receipts.bulkDelete(read.value.map(({ key }) => key))
      return read.value.length
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
