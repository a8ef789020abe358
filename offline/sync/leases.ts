import { numberLease } from '#core/api/calls/sync.ts'
import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import * as z from 'zod/mini'
import type { Storage } from '#offline/db/open.ts'
import type { LeaseRow } from '#offline/db/rows.ts'
import { errorInBody } from '#offline/net/answer.ts'
import { readJson, send } from '#offline/net/request.ts'
import { seal, unseal } from '#offline/vault/codec.ts'
import type { KeyRing, SealPlace } from '#offline/vault/codec.ts'
import type { LeasedNumbers } from '#offline/vault/sealedKinds.ts'

import { CALL_TIMEOUT_MS } from './context.ts'
import type { SyncContext } from './context.ts'

/** Subject numbers leased per center, for enrolling without a network (docs/adr/0001-ids-and-rows.md). */

/** How many numbers a device holds ready per center, and how long it does not ask again after a refusal. */
export const NUMBERS_READY = 20
const ASK_AGAIN_MS = 60 * 60_000

const answerShape = z.object({ success: z.literal(true), data: numberLease })

/** Asks for numbers of a center's scope where few are left. Refusals are remembered, and are no failure of the sync. */
export async function topUp(context: SyncContext, scopeName: string): Promise<Result<true, ApiError>> {
  const { storage, ring, wire, deviceId, userId, now } = context
  const scope = parseScope(scopeName)
  if (scope?.kind !== 'center' || !ring.has(scopeName)) return ok(true)
  const read = await storage.run(async ({ work }) => ({
    row: await work.leases.get(scope.centerId),
    isLight: (await work.kept.get([scopeName, userId]))?.light === 1,
  }))
  if (!read.ok) return read
  const { row, isLight } = read.value
  // A device that keeps the center enrols without a network. A computer on which one patient was opened must not use up
  // the center's numbers.
  if (isLight) return ok(true)
  if (row !== undefined && (row.left >= NUMBERS_READY || Math.abs(now() - row.refusedAt) < ASK_AGAIN_MS))
    return ok(true)
  const answer = await send(wire, {
    method: 'POST',
    path: '/edc/sync/lease',
    headers: { 'Content-Type': 'application/json', projectId: scope.projectId },
    body: JSON.stringify({ projectId: scope.projectId, deviceId, centerId: scope.centerId, want: NUMBERS_READY }),
    timeoutMs: CALL_TIMEOUT_MS,
  })
  if (!answer.ok) return remember(context, scopeName, scope.centerId, row, null, answer.error)
  const body = await readJson(answer.value.response)
  answer.value.stop()
  if (!body.ok) return body
  const parsed = answerShape.safeParse(body.value)
  if (!parsed.success)
    return remember(context, scopeName, scope.centerId, row, null, errorInBody(body.value) ?? { code: 'gateway' })
  return remember(context, scopeName, scope.centerId, row, parsed.data.data.numbers, null)
}

async function remember(
  { storage, ring, now }: SyncContext,
  scope: string,
  centerId: string,
  row: LeaseRow | undefined,
  leased: readonly string[] | null,
  error: ApiError | null,
): Promise<Result<true, ApiError>> {
  if (
    error !== null &&
    !['forbidden', 'not_found', 'center_disabled', 'project_closed', 'project_stopped'].includes(error.code)
  ) {
    return err(error)
  }
  const made = await storage.run(async () => {
    const numbers = row === undefined ? EMPTY : await openNumbers(ring, row)
    // The numbers that were given out here cannot be read, so none may be added: one of them could be given out twice.
    if (numbers === null) return null
    const used = new Set(numbers.used)
    const free = [...new Set([...numbers.free, ...(leased ?? [])])].filter((no) => !used.has(no))
    return makeRow(ring, scope, centerId, (row?.rev ?? 0) + 1, { free, used: numbers.used }, error === null ? 0 : now())
  })
  if (!made.ok) return made
  const next = made.value
  if (next === null) return ok(true)
  const put = await storage.run(({ work }) =>
    work.transaction('rw', work.leases, async () => {
      // Somebody enrolled meanwhile: the numbers come with the next cycle, because the server still holds them for this
      // device.
      if ((await work.leases.get(centerId))?.rev === row?.rev) await work.leases.put(next)
    }),
  )
  return put.ok ? ok(true) : put
}

const EMPTY: LeasedNumbers = { free: [], used: [] }

/**
 * A number that was taken, and the lease's row without it. The row is stored in the transaction that queues the
 * enrolment.
 */
export interface TakenNumber {
  readonly no: string
  readonly row: LeaseRow
  readonly expectedRev: number
}

/** Takes the next number of a center. Null when none is left. */
export function takeNumber(
  storage: Storage,
  ring: KeyRing,
  scope: string,
  centerId: string,
): Promise<Result<TakenNumber | null, ApiError>> {
  return storage.run(async ({ work }) => {
    const row = await work.leases.get(centerId)
    const numbers = row === undefined ? null : await openNumbers(ring, row)
    const [no, ...free] = numbers?.free ?? []
    if (row === undefined || numbers === null || no === undefined) return null
    const next = await makeRow(ring, scope, centerId, row.rev + 1, { free, used: [...numbers.used, no] }, row.refusedAt)
    return { no, row: next, expectedRev: row.rev }
  })
}

function openNumbers(ring: KeyRing, row: LeaseRow): Promise<LeasedNumbers | null> {
  return unseal(ring, numbersSealPlace(row), row.numbers)
}

async function makeRow(
  ring: KeyRing,
  scope: string,
  centerId: string,
  rev: number,
  numbers: LeasedNumbers,
  refusedAt: number,
): Promise<LeaseRow> {
  const sealed = await seal(ring, numbersSealPlace({ scope, centerId }), 'data', numbers)
  return { centerId, scope, rev, left: numbers.free.length, numbers: sealed, refusedAt }
}

function numbersSealPlace({ scope, centerId }: Pick<LeaseRow, 'scope' | 'centerId'>): SealPlace<'lease'> {
  return { scope, kind: 'lease', id: centerId }
}
