import { isRetryable } from '#core/api/errors.ts'
import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Operation } from '#core/sync/operation.ts'
import { PUSH_MAX_BYTES, PUSH_PARALLEL, pushAnswer } from '#core/sync/push.ts'
import type { DeviceReport, PushRequest } from '#core/sync/push.ts'
import { getMeta } from '#offline/db/meta.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import type { Bytes } from '#offline/bytes.ts'
import { apiError } from '#offline/net/answer.ts'
import { gzip, readLines, send } from '#offline/net/request.ts'
import { chainsToSend } from '#offline/outbox/order.ts'
import { openOperation } from '#offline/outbox/outbox.ts'

import { PUSH_TIMEOUT_MS, SILENCE_MS } from './context.ts'
import type { SyncContext } from './context.ts'
import { noteServerTime } from './clock.ts'
import { failed, refused, release, taken } from './settle.ts'

/** Sending the outbox: chains in envelopes, a few under way, every answer settled as it comes. */

/** Before compressing: about what 128 KB of JSON expand from. */
const RAW_BYTES = 600_000
const MAX_OPS = 200

/** Errors of the session, the app or the device: no operation would fare better now. */
const STOPPING: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'client_unknown',
  'client_too_old',
  'password_change_required',
  'device_blocked',
  'rate_limited',
])

interface Carried {
  readonly row: OutboxRow
  readonly op: Operation
}

/** What stops the whole push, as opposed to what one operation's answer says. */
export type PushEnd = { readonly acknowledged: number; readonly stopped: ApiError | null }

/** Sends all that can go now. Ends early when the server cannot be reached, or refuses the session or the app. */
export async function push(context: SyncContext): Promise<Result<PushEnd, ApiError>> {
  const { storage, now } = context
  const read = await storage.run(({ work }) => work.outbox.toArray())
  if (!read.ok) return read
  const chains = await opened(context, chainsToSend(read.value, now()))
  if (!chains.ok) return chains
  const envelopes = packed(chains.value)
  const report = await deviceReport(context, read.value)
  if (!report.ok) return report
  let acknowledged = 0
  let stopped: ApiError | null = null
  const lane = async (): Promise<Result<true, ApiError>> => {
    for (let envelope = envelopes.shift(); envelope !== undefined && stopped === null; envelope = envelopes.shift()) {
      const sent = await sendEnvelope(context, envelope, report.value)
      if (!sent.ok) return sent
      acknowledged += sent.value.acknowledged
      stopped ??= sent.value.stopped
    }
    return ok(true)
  }
  const lanes = await Promise.all(Array.from({ length: PUSH_PARALLEL }, lane))
  const broken = lanes.find((result) => !result.ok)
  return broken?.ok === false ? broken : ok({ acknowledged, stopped })
}

/** Opens what the ring can open. A chain ends before the first row whose key is somebody else's. */
async function opened(context: SyncContext, chains: readonly (readonly OutboxRow[])[]): Promise<Result<Carried[][], ApiError>> {
  const all: Carried[][] = []
  for (const chain of chains) {
    const carried: Carried[] = []
    for (const row of chain) {
      const op = await attempt(() => openOperation(context.ring, row))
      if (!op.ok) {
        // Its bytes are damaged: a person has to know, and the others must not wait for it.
        const told = await refused(context, [row], op.error)
        if (!told.ok) return told
      }
      if (!op.ok || op.value === null) break
      carried.push({ row, op: op.value })
    }
    if (carried.length > 0) all.push(carried)
  }
  return ok(all)
}

/** Whole chains, put together to envelopes. */
function packed(chains: readonly Carried[][]): Carried[][] {
  const envelopes: Carried[][] = []
  let current: Carried[] = []
  let size = 0
  for (const chain of chains) {
    const bytes = chain.reduce((sum, { row }) => sum + row.op.data.byteLength, 0)
    if (current.length > 0 && (size + bytes > RAW_BYTES || current.length + chain.length > MAX_OPS)) {
      envelopes.push(current)
      current = []
      size = 0
    }
    current.push(...chain)
    size += bytes
  }
  if (current.length > 0) envelopes.push(current)
  return envelopes
}

async function sendEnvelope(context: SyncContext, carried: readonly Carried[], report: DeviceReport): Promise<Result<PushEnd, ApiError>> {
  const request: PushRequest = { deviceId: context.deviceId, report, ops: carried.map(({ op }) => op) }
  const body = await gzip(JSON.stringify(request))
  if (body.byteLength > PUSH_MAX_BYTES && carried.length > 1) return inHalves(context, carried, report)
  const held = await marked(context, carried)
  if (!held.ok) return held
  if (held.value.length < carried.length) {
    // A row was replaced by a newer save between reading and marking: what is left goes without it.
    const released = await release(context, held.value)
    return released.ok ? (held.value.length === 0 ? ok({ acknowledged: 0, stopped: null }) : sendEnvelope(context, held.value, report)) : released
  }
  return settleAnswers(context, carried, body, report)
}

async function settleAnswers(
  context: SyncContext,
  carried: readonly Carried[],
  body: Bytes,
  report: DeviceReport,
): Promise<Result<PushEnd, ApiError>> {
  const open = new Map(carried.map((one) => [one.row.key, one]))
  const answer = await send(context.wire, {
    method: 'POST',
    path: '/edc/sync/push',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', Accept: 'application/x-ndjson' },
    body,
    timeoutMs: PUSH_TIMEOUT_MS,
  })
  if (!answer.ok) {
    const { code } = answer.error
    if ((code === 'too_large' || code === 'invalid') && carried.length > 1) {
      // One of them is poisoned: the others must not wait for it.
      const released = await release(context, carried)
      return released.ok ? inHalves(context, carried, report) : released
    }
    const settled = await (code === 'too_large' || code === 'invalid' || code === 'proof_wrong'
      ? refused(context, carried.map(({ row }) => row), answer.error)
      : failed(context, carried.map(({ row }) => row), answer.error))
    return settled.ok ? ok({ acknowledged: 0, stopped: stopping(answer.error) }) : settled
  }
  let acknowledged = 0
  let stopped: ApiError | null = null
  for await (const line of readLines(answer.value, SILENCE_MS)) {
    if (!line.ok) {
      stopped = line.error
      break
    }
    const parsed = pushAnswer.safeParse(line.value)
    if (!parsed.success) {
      // A newer server's word: that operation waits for a newer app, the answers to the others still count.
      stopped ??= { code: 'client_too_old' }
      continue
    }
    const said = parsed.data
    if (said.t === 'end') {
      await noteServerTime(context, said.serverTime)
      continue
    }
    const one = open.get(said.key)
    if (one === undefined) continue
    const settled = await (said.t === 'taken'
      ? taken(context, one.row, said.receipt, said.result)
      : settleRefusal(context, one.row, apiError(said.error)))
    if (!settled.ok) return settled
    open.delete(said.key)
    if (said.t === 'taken') acknowledged += 1
    else stopped ??= stopping(apiError(said.error), true)
  }
  // What was not answered may have been booked or not: it goes again with the same key.
  const unanswered = [...open.values()].map(({ row }) => row)
  const settled = await failed(context, unanswered, stopped ?? { code: 'gateway' })
  return settled.ok ? ok({ acknowledged, stopped }) : settled
}

function settleRefusal(context: SyncContext, row: OutboxRow, error: ApiError): Promise<Result<unknown, ApiError>> {
  const passes = isRetryable(error.code) || stopping(error, true) !== null || error.code === 'not_available'
  return passes ? failed(context, [row], error) : refused(context, [row], error)
}

/** Whether an error is about the session, the app, the device or the connection rather than about one operation. */
function stopping(error: ApiError, ofOneOperation = false): ApiError | null {
  if (STOPPING.has(error.code)) return error
  return !ofOneOperation && isRetryable(error.code) ? error : null
}

async function inHalves(context: SyncContext, carried: readonly Carried[], report: DeviceReport): Promise<Result<PushEnd, ApiError>> {
  const middle = Math.ceil(carried.length / 2)
  const first = await sendEnvelope(context, carried.slice(0, middle), report)
  if (!first.ok || first.value.stopped !== null) return first
  const second = await sendEnvelope(context, carried.slice(middle), report)
  if (!second.ok) return second
  return ok({ acknowledged: first.value.acknowledged + second.value.acknowledged, stopped: second.value.stopped })
}

/** Marks rows as under way, from here on immutable. Gives those that are still there. */
function marked({ storage }: SyncContext, carried: readonly Carried[]): Promise<Result<Carried[], ApiError>> {
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      const current = await work.outbox.bulkGet(carried.map(({ row }) => row.key))
      const there = carried.filter((_, at) => current[at]?.state === 'queued' || current[at]?.state === 'retry')
      for (const { row } of there) await work.outbox.update(row.key, { state: 'sending', sent: 1 })
      return there
    }),
  )
}

async function deviceReport({ storage, appVersion, now }: SyncContext, rows: readonly OutboxRow[]): Promise<Result<DeviceReport, ApiError>> {
  return storage.run(async ({ work }) => ({
    unsent: [...Map.groupBy(rows, ({ scope }) => scope)].map(([scope, group]) => ({
      scope,
      count: group.length,
      oldest: group.map(({ actedAt }) => actedAt).toSorted()[0] ?? null,
    })),
    clockDriftMs: (await getMeta(work, 'driftMs')) ?? null,
    appVersion,
    sentAt: new Date(now()).toISOString(),
  }))
}
