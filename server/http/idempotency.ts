import type { JsonValue } from '#core/json.ts'
import type { Outcome, Receipt } from '#core/sync/operation.ts'
import { fail } from '#core/api/errors.ts'
import type { Committed } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Acted } from '#server/http/handler.ts'

/**
 * Every write is an operation with a key, and has its effect once (docs/adr/0002-operation-and-receipt.md). Refusals leave the
 * transaction by an exception and so store nothing, not even the key.
 */

/** An operation as it is booked: the key, what it is bound to, who and when. */
export interface OperationRecord {
  readonly key: string
  readonly author: string
  /** Who sent it, when that was another than the author. */
  readonly carriedBy: string | null
  readonly call: string
  /** Null for what belongs to no project (accounts). */
  readonly projectId: string | null
  readonly centerId: string | null
  readonly entityId: string | null
  readonly crfVersionId: string | null
  readonly pass: 1 | 2 | null
  readonly deviceSeq: number | null
  readonly acted: Acted
  readonly protocol: number | null
  /** Server's instant of receipt. */
  readonly receivedAt: string
  /** SHA-256 of `payloadText`, lower-case hex. */
  readonly payloadHash: string
  /** Kept as evidence. Without passwords. */
  readonly body: JsonValue
}

/** What an operation did. Its own `commitProject` or `commitSystem` has run and gave `committed`. */
export interface OperationEffect<Result extends JsonValue> {
  readonly outcome: Outcome
  readonly reason: Receipt['reason']
  readonly centerId: string | null
  readonly committed: Committed
  /** The answer that is stored and given to every repetition. */
  readonly result: (receipt: StoredReceipt) => Result
}

/** The receipt; its project is null for what belongs to no project. */
export type StoredReceipt = Omit<Receipt, 'projectId'> & { readonly projectId: string | null }

export interface OperationAnswer<Result> {
  /** Whether the operation had been booked before, so that nothing was done now. */
  readonly replayed: boolean
  readonly result: Result
  readonly receipt: StoredReceipt
}

interface StoredOperation {
  readonly author: string
  readonly payload_hash: string
  readonly outcome: Outcome
  readonly reason: Receipt['reason']
  readonly project_id: string | null
  readonly seq: number
  readonly head: string
  readonly received_at: string
  readonly result: JsonValue
}

/**
 * Runs `effect` unless the key has been booked. Must be the first thing of its transaction: a twin waits here until the first has
 * committed (or given up) and then gets the stored answer.
 *
 * @throws ApiFailure `key_reused` when the key belongs to another author or another payload; what `effect` throws
 */
export async function runOperation<Result extends JsonValue>(
  transaction: Queryable,
  operation: OperationRecord,
  effect: () => Promise<OperationEffect<Result>>,
): Promise<OperationAnswer<Result>> {
  if (!(await claimKey(transaction, operation))) return replay<Result>(transaction, operation)
  const { outcome, reason, centerId, committed, result: resultOf } = await effect()
  const { key, projectId, payloadHash, receivedAt } = operation
  const receipt = { key, outcome, reason, projectId, seq: committed.seq, head: committed.head, payloadHash, receivedAt }
  const result = resultOf(receipt)
  await transaction.query({
    name: 'operation_done',
    text: 'UPDATE operation SET center_id = $2, outcome = $3, reason = $4, seq = $5, head = $6, result = $7 WHERE key = $1',
    values: [key, centerId, outcome, reason, committed.seq, committed.head, JSON.stringify(result)],
  })
  return { replayed: false, result, receipt }
}

async function claimKey(transaction: Queryable, operation: OperationRecord): Promise<boolean> {
  const { acted } = operation
  const { rowCount } = await transaction.query({
    name: 'operation_claim',
    text: `
      INSERT INTO operation (
        key, author, payload_hash, call, project_id, center_id, entity_id, crf_version_id, pass, carried_by, device_id, device_seq,
        acted_at, acted_offset_minutes, clock_drift_ms, protocol, app_version, received_at, body)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
      ON CONFLICT (key) DO NOTHING`,
    values: [
      operation.key,
      operation.author,
      operation.payloadHash,
      operation.call,
      operation.projectId,
      operation.centerId,
      operation.entityId,
      operation.crfVersionId,
      operation.pass,
      operation.carriedBy,
      acted.deviceId,
      operation.deviceSeq,
      acted.at,
      acted.offsetMinutes,
      acted.driftMs,
      operation.protocol,
      acted.appVersion,
      operation.receivedAt,
      JSON.stringify(operation.body),
    ],
  })
  return rowCount === 1
}

async function replay<Result extends JsonValue>(
  transaction: Queryable,
  operation: OperationRecord,
): Promise<OperationAnswer<Result>> {
  const { rows } = await transaction.query<StoredOperation>({
    name: 'operation_replay',
    text: 'SELECT author, payload_hash, outcome, reason, project_id, seq, head, received_at, result FROM operation WHERE key = $1',
    values: [operation.key],
  })
  const stored = rows[0]
  if (stored === undefined || stored.author !== operation.author || stored.payload_hash !== operation.payloadHash) {
    throw fail('key_reused')
  }
  return {
    replayed: true,
    // It was stored by the same call: the payload hash runs over the call's name.
    result: stored.result as Result,
    receipt: {
      key: operation.key,
      outcome: stored.outcome,
      reason: stored.reason,
      projectId: stored.project_id,
      seq: stored.seq,
      head: stored.head,
      payloadHash: stored.payload_hash,
      receivedAt: stored.received_at,
    },
  }
}
