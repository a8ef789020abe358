import type { ApiError } from '#core/api/errors.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Receipt } from '#core/sync/operation.ts'
import { conflictRow, entryRow, patientRow } from '#core/sync/rows.ts'
import * as z from 'zod/mini'
import type { OutboxRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { LONGEST_WAIT_MS, backoff } from '#offline/outbox/order.ts'
import { seal } from '#offline/vault/codec.ts'

import type { SyncContext } from './context.ts'
import { bounceOf } from './bounce.ts'
import { putRows } from './cache.ts'

/** What the server's answers make of outbox rows. */

const resultRows = z.object({
  entry: z.optional(z.nullable(entryRow)),
  patient: z.optional(z.nullable(patientRow)),
  conflicts: z.optional(z.array(conflictRow)),
})

/** Acknowledged: the outbox row goes, the receipt and the operation as it was sent stay, in one transaction. */
export async function taken(context: SyncContext, row: OutboxRow, receipt: Receipt, result: JsonValue): Promise<Result<true, ApiError>> {
  const { storage, ring } = context
  // The screen's row first: were it the other way round, a crash between the two would show the value as gone until the next pull.
  const cached = await cacheResult(context, row, result)
  if (!cached.ok) return cached
  const sealed = await attempt(() =>
    seal(ring, { scope: row.scope, kind: 'receipt', id: row.key }, 'data', receipt as unknown as JsonValue),
  )
  if (!sealed.ok) return sealed
  const bounced = row.call === 'entry.submit' ? await attempt(() => bounceOf(ring, row, receipt, result)) : null
  if (bounced?.ok === false) return bounced
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, work.receipts, work.bounced, async () => {
      await work.outbox.delete(row.key)
      if (bounced?.value === null) await work.bounced.delete(row.entityId)
      else if (bounced !== null) await work.bounced.put(bounced.value)
      await work.receipts.put({
        key: row.key,
        scope: row.scope,
        projectId: row.projectId,
        entityId: row.entityId,
        patientId: row.patientId,
        call: row.call,
        outcome: receipt.outcome,
        seq: receipt.seq,
        receivedAt: receipt.receivedAt,
        receipt: sealed.value,
        op: row.op,
      })
    }),
  )
  return done.ok ? ok(true) : done
}

async function cacheResult(context: SyncContext, row: OutboxRow, result: JsonValue): Promise<Result<unknown, ApiError>> {
  const kept = await context.storage.run(({ work }) => work.kept.where('scope').equals(row.scope).count())
  if (!kept.ok || kept.value === 0) return kept
  const parsed = resultRows.safeParse(result)
  if (!parsed.success) return ok(true)
  const { entry = null, patient = null, conflicts = [] } = parsed.data
  return putRows(context, row.scope, [
    ...(entry === null ? [] : [{ kind: 'entry' as const, id: entry.id, seq: 0, row: entry }]),
    ...(patient === null ? [] : [{ kind: 'patient' as const, id: patient.id, seq: 0, row: patient }]),
    ...conflicts.map((conflict) => ({ kind: 'conflict' as const, id: conflict.id, seq: 0, row: conflict })),
  ])
}

/** Refused: nothing was written on the server, and a person decides. What was entered stays, readable and editable. */
export async function refused({ storage }: SyncContext, rows: readonly OutboxRow[], error: ApiError): Promise<Result<true, ApiError>> {
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      for (const { key } of rows) await work.outbox.update(key, { state: 'rejected', error: withoutText(error) })
    }),
  )
  return done.ok ? ok(true) : done
}

/** Failed in a way that passes: tried again later, with the same key. */
export async function failed(
  { storage, now, random }: SyncContext,
  rows: readonly OutboxRow[],
  error: ApiError,
): Promise<Result<true, ApiError>> {
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      for (const { key, attempts } of rows) {
        const wait = Math.min(LONGEST_WAIT_MS, Math.max(backoff(attempts, random()), (error.retryAfterSeconds ?? 0) * 1000))
        await work.outbox.update(key, { state: 'retry', attempts: attempts + 1, nextAt: now() + wait, error: withoutText(error) })
      }
    }),
  )
  return done.ok ? ok(true) : done
}

/** Rows that were marked and then not sent after all. */
export async function release({ storage }: SyncContext, carried: readonly { readonly row: OutboxRow }[]): Promise<Result<true, ApiError>> {
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      for (const { row } of carried) await work.outbox.update(row.key, { state: 'queued' })
    }),
  )
  return done.ok ? ok(true) : done
}

/** Texts and figures of an error may repeat a value; on the disk only its code and places are clear. */
function withoutText({ code, fields, retryAfterSeconds }: ApiError): ApiError {
  return {
    code,
    ...(fields === undefined ? {} : { fields: fields.map(({ path, code: fieldCode }) => ({ path, code: fieldCode })) }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}
