import * as z from 'zod/mini'
import type { ApiError } from '#core/api/errors.ts'
import { isPlainEntry } from '#core/api/sync/plainEntry.ts'
import { conflictRow, entryRow, patientRow, queryRow, visitRow } from '#core/api/sync/rows.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { collidedFacts } from '#core/sync/protocol/lostPlace.ts'
import type { Receipt } from '#core/sync/protocol/operation.ts'
import { writeDirectly } from '#offline/db/directWrite.ts'
import type { Change } from '#offline/db/directWrite.ts'
import { getMeta } from '#offline/db/meta.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { LONGEST_WAIT_MS, backoff } from '#offline/outbox/order.ts'
import { bounceOf } from '#offline/sync/bounce.ts'
import { putRows } from '#offline/sync/cache.ts'
import type { Pulled } from '#offline/sync/cache.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import { seal } from '#offline/vault/codec.ts'

import { sealGiven } from './given.ts'

/** What the server's answers change in outbox rows. */

const resultRows = z.object({
  entry: z.optional(z.nullable(entryRow)),
  patient: z.optional(z.nullable(patientRow)),
  visit: z.optional(z.nullable(visitRow)),
  query: z.optional(z.nullable(queryRow)),
  conflicts: z.optional(z.array(conflictRow)),
})

/** An operation that the server has, with the server's answer. */
export interface Taken {
  readonly row: OutboxRow
  readonly receipt: Receipt
  readonly result: JsonValue
}

/** Acknowledged: in one transaction the outbox rows go, and the receipts and the operations as they were sent stay. */
export async function bookTaken(context: SyncContext, answers: readonly Taken[]): Promise<Result<true, ApiError>> {
  if (answers.length === 0) return ok(true)
  const { storage } = context
  // The rows for the screens come first. In the other order, a crash between the two would hide values until the next
  // pull.
  for (const [scope, ofScope] of Map.groupBy(answers, ({ row }) => row.scope)) {
    const cached = await cacheResults(context, scope, ofScope)
    if (!cached.ok) return cached
  }
  const receipts = await attempt(() => Promise.all(answers.map((answer) => receiptOf(context, answer))))
  if (!receipts.ok) return receipts
  const submits = answers.filter(({ row }) => row.call === 'entry.submit')
  const bounces = await attempt(() =>
    Promise.all(
      submits.map(async ({ row, receipt, result }) => ({
        row,
        bounced: await bounceOf(context.ring, row, receipt, result),
      })),
    ),
  )
  if (!bounces.ok) return bounces
  const changes: readonly Change[] = [
    ...answers.map(({ row }) => ({ table: 'outbox' as const, key: row.key, row: null })),
    ...bounces.value.map(({ row, bounced }) => ({ table: 'bounced' as const, key: row.entityId, row: bounced })),
    ...receipts.value.map((row) => ({ table: 'receipts' as const, key: row.key, row })),
  ]
  // If a dead battery loses this write, only the server's word is lost: it comes again with the same keys. So nothing
  // waits for the disk.
  const done = await storage.run(({ work }) => writeDirectly(work, [], changes, 'relaxed'))
  return done.ok ? ok(true) : done
}

async function receiptOf({ ring }: SyncContext, { row, receipt, result }: Taken): Promise<ReceiptRow> {
  const { key, scope, projectId, entityId, patientId, call, op, author } = row
  const { outcome, seq, receivedAt } = receipt
  const sealed = await seal(ring, { scope, kind: 'receipt', id: key }, 'data', receipt)
  const given = await sealGiven(ring, row, result)
  const { collided } = outcome === 'conflict' ? factsIn(result) : {}
  return {
    key,
    scope,
    projectId,
    entityId,
    patientId,
    call,
    outcome,
    seq,
    receivedAt,
    receipt: sealed,
    op,
    author,
    ...(given === null ? {} : { given }),
    ...(collided === undefined ? {} : { collided }),
  }
}

const facts = z.object({ collided: collidedFacts })

function factsIn(result: JsonValue): z.infer<typeof facts> {
  const said = facts.safeParse(result)
  return said.success ? said.data : {}
}

/**
 * The rows in an answer; null for a row that this app does not know. A plain save is recognised by its form without a
 * schema: there are a thousand of them after a day offline.
 */
function rowsIn(result: JsonValue): z.infer<typeof resultRows> | null {
  if (typeof result === 'object' && result !== null && 'entry' in result) {
    const { entry, conflicts = [], patient, visit, query } = result
    const isAlone =
      patient === undefined &&
      visit === undefined &&
      query === undefined &&
      Array.isArray(conflicts) &&
      conflicts.length === 0
    if (isAlone && isPlainEntry(entry)) return { entry }
  }
  const parsed = resultRows.safeParse(result)
  return parsed.success ? parsed.data : null
}

/** Puts the rows of one scope's answers into the cache, where somebody keeps that scope. */
async function cacheResults(
  context: SyncContext,
  scope: string,
  answers: readonly Taken[],
): Promise<Result<unknown, ApiError>> {
  const read = await context.storage.run(async ({ work }) => ({
    kept: await work.kept.where('scope').equals(scope).count(),
    // The server takes nothing for a scope whose epoch differs from its own.
    epoch: (await getMeta(work, 'epochs'))?.[scope] ?? null,
  }))
  if (!read.ok || read.value.kept === 0) return read
  for (const [isAgain, some] of Map.groupBy(answers, wasThere)) {
    // The cache holds these rows already. The server may answer from its memory, with rows of long before.
    const put = await putRows(context, scope, rowsOf(some), isAgain ? null : read.value.epoch)
    if (!put.ok) return put
  }
  return ok(true)
}

/** Whether the server had the operation before it was restored. */
function wasThere({ row: { former } }: Taken): boolean {
  return former !== undefined && former.seq !== null
}

/** Rows of the answers. For each row the answer with the highest change number counts. */
function rowsOf(answers: readonly Taken[]): readonly Pulled[] {
  const rows = new Map<string, Pulled>()
  for (const { receipt, result } of answers.toSorted((a, b) => a.receipt.seq - b.receipt.seq)) {
    const said = rowsIn(result)
    if (said === null) continue
    const { seq } = receipt
    const { entry = null, patient = null, visit = null, query = null, conflicts = [] } = said
    if (entry !== null) rows.set(entry.id, { kind: 'entry', id: entry.id, seq, row: entry })
    if (visit !== null) rows.set(visit.id, { kind: 'visit', id: visit.id, seq, row: visit })
    // Of a candidate no tablet keeps anything: people who only answer use it as well.
    if (query?.wasAsked === true) rows.set(query.id, { kind: 'query', id: query.id, seq, row: query })
    if (patient !== null) rows.set(patient.id, { kind: 'patient', id: patient.id, seq, row: patient })
    for (const conflict of conflicts) rows.set(conflict.id, { kind: 'conflict', id: conflict.id, seq, row: conflict })
  }
  return [...rows.values()]
}

/** Refused: the server wrote nothing, and a person decides. What was entered stays, readable and editable. */
export async function bookRefused(
  { storage }: SyncContext,
  rows: readonly OutboxRow[],
  error: ApiError,
): Promise<Result<true, ApiError>> {
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      for (const { key } of rows) await work.outbox.update(key, { state: 'rejected', error: withoutText(error) })
    }),
  )
  return done.ok ? ok(true) : done
}

/**
 * Failed in a way that passes: tried again later, with the same key.
 *
 * @param suspect the row that may have caused the failure; from now on it goes by itself
 */
export async function bookFailed(
  { storage, now, random }: SyncContext,
  rows: readonly OutboxRow[],
  error: ApiError,
  suspect?: OutboxRow,
): Promise<Result<true, ApiError>> {
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      for (const { key, attempts } of rows) {
        const wait = Math.min(
          LONGEST_WAIT_MS,
          Math.max(backoff(attempts, random()), (error.retryAfterSeconds ?? 0) * 1000),
        )
        const alone = key === suspect?.key ? { alone: 1 as const } : {}
        await work.outbox.update(key, {
          state: 'retry',
          attempts: attempts + 1,
          nextAt: now() + wait,
          error: withoutText(error),
          ...alone,
        })
      }
    }),
  )
  return done.ok ? ok(true) : done
}

/** Rows that were marked and then not sent after all: they become as they were. */
export async function unmark(context: SyncContext, operations: Marked): Promise<Result<true, ApiError>> {
  return requeue(context, operations, ({ sent }) => ({ sent }))
}

/** Rows that were sent and must now go in other envelopes. */
export async function release(context: SyncContext, operations: Marked): Promise<Result<true, ApiError>> {
  return requeue(context, operations, () => ({}))
}

type Marked = readonly { readonly row: OutboxRow }[]

async function requeue(
  { storage }: SyncContext,
  operations: Marked,
  more: (row: OutboxRow) => Partial<Pick<OutboxRow, 'sent'>>,
): Promise<Result<true, ApiError>> {
  const done = await storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      for (const { row } of operations) await work.outbox.update(row.key, { state: 'queued', ...more(row) })
    }),
  )
  return done.ok ? ok(true) : done
}

/** Texts and figures of an error may repeat a value: only its code and field paths are stored in the clear. */
function withoutText({ code, fields, retryAfterSeconds }: ApiError): ApiError {
  return {
    code,
    ...(fields === undefined ? {} : { fields: fields.map(({ path, code: fieldCode }) => ({ path, code: fieldCode })) }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}
