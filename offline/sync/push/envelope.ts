import type { ApiError } from '#core/api/errors.ts'
import { PUSH_PARALLEL } from '#core/api/sync/push.ts'
import type { DeviceReport, PushRequest } from '#core/api/sync/push.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import type { Bytes } from '#offline/bytes.ts'
import type { OutboxRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { gzip } from '#offline/net/request.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { givenNumber } from './given.ts'
import { bookRefused } from './bookAnswers.ts'

/** What goes together in one request. */

/** Most bytes before compressing: about what expands from 128 KB of compressed JSON. */
const RAW_BYTES = 700_000
/** The first envelopes differ in size, so that one lane sends its next envelope while the others wait for answers. */
const FIRST_BYTES = [150_000, 350_000, 600_000]
/** Less than this is not worth a request. */
const LEAST_BYTES = 250_000
const MAX_OPS = 200

/** Rows that go in order, each building on the one before. */
export type OperationRun = readonly OutboxRow[]

export interface ReadyOperation {
  readonly row: OutboxRow
  readonly op: Operation
  /** Subject number that the server gave to this enrolment once. */
  readonly no: string | null
}

/** Opens what the ring can open. A run ends before the first row that only somebody else's key opens. */
export async function openRuns(
  context: SyncContext,
  runs: readonly OperationRun[],
): Promise<Result<readonly ReadyOperation[], ApiError>> {
  const all = await Promise.all(runs.map((run) => openRun(context, run)))
  const failed = all.find((result) => !result.ok)
  return failed?.ok === false ? failed : ok(all.flatMap((result) => (result.ok ? result.value : [])))
}

async function openRun(context: SyncContext, run: OperationRun): Promise<Result<readonly ReadyOperation[], ApiError>> {
  const operations: ReadyOperation[] = []
  for (const row of run) {
    const op = await attempt(() => openOperation(context.ring, row))
    const no = await attempt(() => givenNumber(context.ring, row))
    if (!op.ok) {
      // The row's bytes are damaged: a person has to know, and the others must not wait for it.
      const told = await bookRefused(context, [row], op.error)
      if (!told.ok) return told
    }
    if (!op.ok || op.value === null) break
    operations.push({ row, op: op.value, no: no.ok ? no.value : null })
  }
  return ok(operations)
}

/**
 * Puts whole runs together into envelopes. The first envelopes are short, so that the server begins while the next
 * ones are still being sent. Then they are long, and towards the end shorter again, so that all lanes finish at about
 * the same time.
 *
 * @returns envelopes in two turns: operations that failed by themselves go after all others, each in an envelope of its
 *   own
 */
export function packRuns(runs: readonly OperationRun[]): readonly OperationRun[][][] {
  const isAlone = (run: OperationRun): boolean => run.some(({ alone }) => alone === 1)
  const together = runs.filter((one) => !isAlone(one))
  const envelopes: OperationRun[][] = []
  let current: OperationRun[] = []
  let count = 0
  let size = 0
  let left = together.reduce((sum, run) => sum + bytesOf(run), 0)
  let most = mostBytes(0, left)
  for (const run of together) {
    const bytes = bytesOf(run)
    if (count > 0 && (size + bytes > most || count + run.length > MAX_OPS)) {
      envelopes.push(current)
      left -= size
      current = []
      count = 0
      size = 0
      most = mostBytes(envelopes.length, left)
    }
    current.push(run)
    count += run.length
    size += bytes
  }
  if (current.length > 0) envelopes.push(current)
  return [envelopes, runs.filter(isAlone).map((run) => [run])]
}

function bytesOf(run: OperationRun): number {
  return run.reduce((sum, { op }) => sum + op.data.byteLength, 0)
}

/**
 * How many bytes an envelope may hold, before compressing; `before` envelopes went before it, and `left` bytes are
 * still to be sent.
 */
function mostBytes(before: number, left: number): number {
  const share = Math.max(LEAST_BYTES, Math.min(RAW_BYTES, left / PUSH_PARALLEL))
  return Math.min(FIRST_BYTES[before] ?? RAW_BYTES, share)
}

/** What a device says of itself in each envelope. `epochs`: the server's epoch, as each scope last knew it. */
export interface Sender {
  readonly report: DeviceReport
  readonly epochs: Readonly<Record<string, string>>
}

/** The request's body. */
export function envelopeOf(
  { deviceId }: SyncContext,
  { report, epochs }: Sender,
  operations: readonly ReadyOperation[],
): Promise<Bytes> {
  const known = new Set(operations.flatMap(({ row }) => epochs[row.scope] ?? []))
  const former = operations.flatMap(({ row }) => (row.former === undefined ? [] : [[row.key, row.former] as const]))
  const numbers = operations.flatMap(({ op, no }) => (no === null ? [] : [[op.key, { no }] as const]))
  const hints = numbers.length === 0 ? {} : { hints: Object.fromEntries(numbers) }
  const request: PushRequest = {
    deviceId,
    report,
    ops: operations.map(({ op }) => op),
    ...hints,
    ...(known.size === 0 ? {} : { epochs: [...known] }),
    ...(former.length === 0 ? {} : { former: Object.fromEntries(former) }),
  }
  return gzip(JSON.stringify(request))
}
