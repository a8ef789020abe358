import type { JsonValue } from '#core/json.ts'
import type { Outcome, Receipt } from '#core/sync/protocol/operation.ts'
import { fail } from '#core/api/errors.ts'
import { arrayText, jsonArrayText } from '#server/database/arrays.ts'
import type { Committed } from '#server/database/commit.ts'
import { columns, prepare } from '#server/database/prepare.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Acted } from '#server/http/handler.ts'

/**
 * Every write is an operation with a key, and has its effect once (docs/adr/0002-operation-and-receipt.md). A refusal
 * leaves the transaction by an exception, and so stores nothing, not even the key.
 */

/** An operation as it is booked: the key, what it is bound to, who and when. */
export interface OperationRecord {
  readonly key: string
  readonly author: string
  /** Who sent the operation, where that is not the author. */
  readonly carriedBy: string | null
  readonly call: string
  /** Null for an operation that belongs to no project (accounts). */
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

/** The effect of an operation. Its own `commitProject` or `commitSystem` has run and gave `committed`. */
export interface OperationEffect<Result> {
  readonly outcome: Outcome
  readonly reason: Receipt['reason']
  readonly centerId: string | null
  readonly committed: Committed
  /** The answer that is stored and given to every repetition. */
  readonly result: (receipt: StoredReceipt) => Result
}

/** The receipt; its project is null where the operation belongs to no project. */
export type StoredReceipt = Omit<Receipt, 'projectId'> & { readonly projectId: string | null }

/** The receipt of an operation that had an effect. */
export function receiptOf(
  {
    key,
    projectId,
    payloadHash,
    receivedAt,
  }: Pick<OperationRecord, 'key' | 'projectId' | 'payloadHash' | 'receivedAt'>,
  { outcome, reason, committed }: Pick<OperationEffect<unknown>, 'outcome' | 'reason' | 'committed'>,
): StoredReceipt {
  return { key, outcome, reason, projectId, seq: committed.seq, head: committed.head, payloadHash, receivedAt }
}

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
  readonly result: unknown
}

/**
 * Runs `effect` unless the key has been booked. It must come first in its transaction. A second call with the same
 * key waits here until the first has committed or failed, and after a commit gets the stored answer.
 *
 * @throws ApiFailure `key_reused` when the key belongs to another author or another payload; what `effect` throws
 */
export async function runOperation<Result>(
  transaction: Queryable,
  operation: OperationRecord,
  effect: () => Promise<OperationEffect<Result>>,
): Promise<OperationAnswer<Result>> {
  if (!(await claimKey(transaction, operation))) return replay<Result>(transaction, operation)
  const done = await effect()
  const { outcome, reason, centerId, committed } = done
  const receipt = receiptOf(operation, done)
  const result = done.result(receipt)
  await transaction.query({
    name: 'operation_done',
    text: 'UPDATE operation SET center_id = $2, outcome = $3, reason = $4, seq = $5, head = $6, result = $7 WHERE key = $1',
    values: [operation.key, centerId, outcome, reason, committed.seq, committed.head, JSON.stringify(result)],
  })
  return { replayed: false, result, receipt }
}

async function claimKey(transaction: Queryable, operation: OperationRecord): Promise<boolean> {
  return (await claimKeys(transaction, [operation])).has(operation.key)
}

const each =
  (read: (operation: OperationRecord) => string | number | null) =>
  (operations: readonly OperationRecord[]): string =>
    arrayText(operations.map(read))

const CLAIM = prepare<readonly OperationRecord[]>('operation_claim', (parameter) => {
  const operation = columns(parameter, {
    key: ['uuid[]', each(({ key }) => key)],
    author: ['uuid[]', each(({ author }) => author)],
    payload_hash: ['text[]', each(({ payloadHash }) => payloadHash)],
    call: ['text[]', each(({ call }) => call)],
    project_id: ['uuid[]', each(({ projectId }) => projectId)],
    center_id: ['uuid[]', each(({ centerId }) => centerId)],
    entity_id: ['uuid[]', each(({ entityId }) => entityId)],
    crf_version_id: ['uuid[]', each(({ crfVersionId }) => crfVersionId)],
    pass: ['smallint[]', each(({ pass }) => pass)],
    carried_by: ['uuid[]', each(({ carriedBy }) => carriedBy)],
    device_id: ['uuid[]', each(({ acted }) => acted.deviceId)],
    device_seq: ['bigint[]', each(({ deviceSeq }) => deviceSeq)],
    acted_at: ['timestamptz[]', each(({ acted }) => acted.at)],
    acted_offset_minutes: ['integer[]', each(({ acted }) => acted.offsetMinutes)],
    clock_drift_ms: ['double precision[]', each(({ acted }) => acted.driftMs)],
    protocol: ['integer[]', each(({ protocol }) => protocol)],
    app_version: ['text[]', each(({ acted }) => acted.appVersion)],
    received_at: ['timestamptz[]', each(({ receivedAt }) => receivedAt)],
    body: ['jsonb[]', (operations) => jsonArrayText(operations.map(({ body }) => body))],
  })
  return `
      INSERT INTO operation (${operation.names})
      SELECT o.* FROM unnest(${operation.places}) AS o (key) ORDER BY o.key
      ON CONFLICT (key) DO NOTHING RETURNING key`
})

/**
 * Books operations that are booked nowhere yet, each under its key. Operations whose keys are taken are left as they
 * are. Where another transaction is about to take a key, this one waits for its end. Keys are taken in their order,
 * so that two transactions that want the same keys do not block each other.
 *
 * @returns the keys that were claimed
 */
export async function claimKeys(
  transaction: Queryable,
  operations: readonly OperationRecord[],
): Promise<ReadonlySet<string>> {
  const { rows } = await transaction.query<{ key: string }>(CLAIM(operations))
  return new Set(rows.map(({ key }) => key))
}

async function replay<Result>(transaction: Queryable, operation: OperationRecord): Promise<OperationAnswer<Result>> {
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
