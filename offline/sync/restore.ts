import type { ApiError } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Operation } from '#core/sync/operation.ts'
import type { Databases } from '#offline/db/databases.ts'
import { countWrite, getMeta, setMeta } from '#offline/db/meta.ts'
import type { OutboxRow, ReceiptRow, Sealed } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { offerAgain } from '#offline/files/standing.ts'
import { openOperation } from '#offline/outbox/outbox.ts'

import { cacheId, openRow } from './cache.ts'
import type { SyncContext } from './context.ts'
import { givenOf } from './given.ts'

/** A receipt with the operation as it was sent. */
type Offerable = ReceiptRow & { readonly op: Sealed }

/**
 * A server that was restored from a backup may have forgotten what it acknowledged since. The very same operations go again, with
 * their keys: what it still has it answers from its own memory, what it has not it books (DESIGN §3).
 */
export async function offerReceipts(context: SyncContext, scope: string): Promise<Result<true, ApiError>> {
  const offered = await offer(context, async ({ work }) =>
    (await work.receipts.where('scope').equals(scope).toArray()).filter((row): row is Offerable => row.op !== null),
  )
  if (!offered.ok) return offered
  const files = await context.storage.run(({ work }) => offerAgain(work, scope))
  return files.ok ? noteUnoffered(context, scope, offered.value) : files
}

/** What whoever met the restored server first had no keys for: whoever has them offers it when they come. */
export async function offerUnoffered(context: SyncContext, scope: string): Promise<Result<true, ApiError>> {
  const read = await context.storage.run(async ({ work }) => (await getMeta(work, 'unoffered'))?.[scope] ?? [])
  if (!read.ok) return read
  if (read.value.length === 0) return ok(true)
  const offered = await offer(context, async ({ work }) =>
    (await work.receipts.bulkGet([...read.value])).filter((row): row is Offerable => row !== undefined && row.op !== null),
  )
  if (!offered.ok) return offered
  return offered.value.length === read.value.length ? ok(true) : noteUnoffered(context, scope, offered.value)
}

/** After the offer: a crash between the two only offers the rest once more. */
async function noteUnoffered({ storage }: SyncContext, scope: string, keys: readonly string[]): Promise<Result<true, ApiError>> {
  const noted = await storage.run(({ work }) =>
    work.transaction('rw', work.meta, async () => setMeta(work, 'unoffered', { ...(await getMeta(work, 'unoffered')), [scope]: keys })),
  )
  return noted.ok ? ok(true) : noted
}

/**
 * What was held while a project was paused is applied by the server when it goes on. Sent again with the same key, it is answered with
 * what became of it; until then the device would go on saying that it waits.
 */
export function askForHeld(context: SyncContext, projectId: string): Promise<Result<readonly string[], ApiError>> {
  return offer(context, async ({ work }) =>
    (await work.receipts.where('outcome').equals('held').toArray()).filter((row): row is Offerable => row.op !== null && row.projectId === projectId),
  )
}

/**
 * What was in the inbox and has been released, or was held and went to the inbox when the project ended, as pulled rows tell: sent again, it
 * is answered with what became of it. What was returned stays as it is, with the reason in its row.
 */
export function askForDecided(context: SyncContext, projectId: string): Promise<Result<readonly string[], ApiError>> {
  const { ring, userId } = context
  return offer(context, async ({ work, cache }) => {
    const waiting = await work.receipts.where('outcome').anyOf('inbox', 'held').filter((row) => row.projectId === projectId).toArray()
    const decided: Offerable[] = []
    for (const receipt of waiting.filter((row): row is Offerable => row.op !== null)) {
      const cached = await cache.rows.get([projectId, 'inbox', cacheId(ring, userId, projectId, 'inbox', receipt.key)])
      const row = cached === undefined ? null : await openRow(ring, 'inbox', cached)
      const moved = receipt.outcome === 'held' && row !== null && row.reason !== 'project_stopped'
      if (moved || row?.state === 'released') decided.push(receipt)
    }
    return decided
  })
}

/** Gives the keys of those that this user has no keys for. */
async function offer(
  { storage, ring, userId }: SyncContext,
  which: (databases: Databases) => Promise<Offerable[]>,
): Promise<Result<readonly string[], ApiError>> {
  const receipts = await storage.run(which)
  if (!receipts.ok) return receipts
  const rows: OutboxRow[] = []
  const closed: string[] = []
  for (const receipt of receipts.value) {
    const op = await attempt(() => openOperation(ring, receipt))
    // What is somebody else's to read they offer themselves; what is damaged nobody can.
    if (op.ok && op.value === null) closed.push(receipt.key)
    if (!op.ok || op.value === null) continue
    const given = await storage.run((databases) => givenOf(databases, ring, userId, receipt))
    rows.push(offered(receipt, op.value, given.ok ? given.value : null))
  }
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, work.receipts, work.meta, async () => {
      // The receipts of a forgotten time say nothing any more; new ones come with the new answers.
      if (rows.length > 0) await countWrite(work)
      await work.outbox.bulkPut(rows)
      await work.receipts.bulkDelete(rows.map(({ key }) => key))
      return closed
    }),
  )
}

function offered(receipt: Offerable, op: Operation, given: Sealed | null): OutboxRow {
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
    ...(given === null ? {} : { given }),
  }
}
