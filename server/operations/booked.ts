import { ApiFailure } from '#core/api/errors.ts'
import type { OperationResult } from '#core/api/sync/operation.ts'
import type { InboxRow } from '#core/api/sync/rows.ts'
import type { JsonValue } from '#core/json.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import type { InboxReason, Outcome, QueueableCall } from '#core/sync/protocol/operation.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { Acted, Actor } from '#server/http/handler.ts'
import { receiptOf } from '#server/http/idempotency.ts'
import type { OperationEffect } from '#server/http/idempotency.ts'

import { readBody } from './act.ts'
import type { Admission, AnyAct } from './act.ts'

/**
 * Operations that were booked and not applied. They are taken up again when their project goes on, or when a person
 * decides.
 */

export type BookedAct = AnyAct & { readonly payloadHash: string }

/** An operation with its outcome until now. */
export interface Booked {
  readonly act: BookedAct
  readonly outcome: Outcome
  readonly reason: InboxReason | 'project_stopped'
  readonly state: InboxRow['state']
  readonly centerId: string | null
}

interface BookedRow {
  readonly call: QueueableCall
  readonly body: JsonValue
  readonly payloadHash: string
  readonly projectId: string
  readonly crfVersionId: string | null
  readonly pass: 1 | 2
  readonly entityId: string
  readonly author: Omit<Actor, 'sessionId'>
  readonly carriedBy: string | null
  readonly acted: Acted
  readonly deviceSeq: number | null
  readonly protocol: number | null
  readonly receivedAt: string
  readonly numberHint: string | null
  readonly lostPlace: LostPlace | null
  readonly outcome: Outcome
  readonly reason: Booked['reason']
  readonly state: InboxRow['state']
  readonly inboxCenterId: string | null
}

/**
 * An operation that was held, as an act; null where the project has no such key.
 *
 * @param lock whether the row is locked until the transaction ends, so that nobody else decides it
 */
export async function findBooked(
  transaction: Queryable,
  key: string,
  projectId: string,
  admission: Admission,
  lock: boolean,
): Promise<Booked | null> {
  const { rows } = await transaction.query<BookedRow>({
    name: lock ? 'booked_lock' : 'booked_find',
    text: `
      SELECT
        o.call, o.body, o.payload_hash AS "payloadHash", o.project_id AS "projectId", o.crf_version_id AS "crfVersionId", o.pass,
        o.entity_id AS "entityId", o.carried_by AS "carriedBy", o.device_seq AS "deviceSeq", o.protocol, o.received_at AS "receivedAt",
        jsonb_build_object('userId', u.id, 'account', u.account, 'realName', u.real_name, 'isAdmin', u.is_admin, 'isDemo', u.is_demo) AS author,
        jsonb_build_object(
          'at', to_char(o.acted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'offsetMinutes', o.acted_offset_minutes,
          'driftMs', o.clock_drift_ms, 'deviceId', o.device_id, 'appVersion', o.app_version) AS acted,
        CASE WHEN r.op_key IS NOT NULL THEN jsonb_build_object('epoch', r.epoch, 'seq', r.seq, 'collided', r.collided) END AS "lostPlace",
        o.outcome, i.reason, i.state, i.center_id AS "inboxCenterId", i.number_hint AS "numberHint"
      FROM inbox i JOIN operation o ON o.key = i.op_key JOIN app_user u ON u.id = o.author LEFT JOIN resent r ON r.op_key = o.key
      WHERE i.op_key = $1 AND i.project_id = $2
      ${lock ? 'FOR UPDATE OF i, o' : ''}`,
    values: [key, projectId],
  })
  const [row] = rows
  if (row === undefined) return null
  const content = readBody(row.call, row.body)
  // The body was checked when it came. It can fail here only after a change of the schema.
  if (!content.ok) throw new ApiFailure({ code: 'invalid', fields: content.error })
  const { author, body: _body, call: _call, outcome, reason, state, inboxCenterId, ...rest } = row
  const act: BookedAct = {
    ...content.value,
    ...rest,
    key,
    centerId: null,
    // The operations that it builds on came before it, and so are taken up before it.
    after: [],
    author: { ...author, sessionId: '', deviceId: null },
    admission,
    language: 'zh',
    ip: null,
  }
  return { act, outcome, reason, state, centerId: inboxCenterId }
}

/** Stores the outcome of the operation, for a device that sends it again. */
export async function complete(
  transaction: Queryable,
  act: BookedAct,
  effect: OperationEffect<OperationResult>,
): Promise<void> {
  const { outcome, reason, centerId, committed, result } = effect
  const { key } = act
  await transaction.query({
    name: 'operation_released',
    text: 'UPDATE operation SET center_id = $2, outcome = $3, reason = $4, seq = $5, head = $6, result = $7 WHERE key = $1',
    values: [
      key,
      centerId,
      outcome,
      reason,
      committed.seq,
      committed.head,
      JSON.stringify(result(receiptOf(act, effect))),
    ],
  })
}
