import type { ApiError } from '#core/api/errors.ts'
import { readPullLine } from '#core/api/sync/pull.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { cachedTables, putMarked } from '#offline/db/marks.ts'
import type { CursorRow, OpenedRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { readLines, send } from '#offline/net/request.ts'
import { forgetBounces } from '#offline/sync/bounce.ts'
import { checkedRow, isInView, isOwnView, keyOf, putKeepingHidden, sealRows, viewFor } from '#offline/sync/cache.ts'
import type { Pulled } from '#offline/sync/cache.ts'
import { noteServerTime } from '#offline/sync/clock.ts'
import { CALL_TIMEOUT_MS, SILENCE_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { retryMissing } from './again.ts'
import { othersWhoKeep, withdraw } from './compare.ts'
import type { StartLine } from './intake.ts'
import { letGoOpened } from './letGoOpened.ts'
import { isTakenIn, keysOfPatient, openedRows } from './opened.ts'

/**
 * Fetching patients whom somebody has opened, each as a whole. The rows, and the change number from which the patient's
 * changes are pulled, are stored in one transaction.
 */

/** What a stream of one patient has brought. */
interface Brought {
  readonly start: StartLine
  readonly cursor: number
  readonly rows: readonly Pulled[]
}

/**
 * Fetches the opened patients of a scope who are not here yet or are to be fetched anew; the last opened comes first.
 *
 * @param meet called with each stream's first line, because the server may have been restored
 */
export async function bringOpened(
  context: SyncContext,
  scope: string,
  meet: (start: StartLine) => Promise<Result<unknown, ApiError>>,
): Promise<Result<'done' | 'keys', ApiError>> {
  const { storage, ring, userId } = context
  const view = viewFor(ring, scope, 'patient')
  const read = await storage.run(({ cache }) => openedRows(cache, scope, userId))
  if (!read.ok) return read
  const due = read.value
    .filter((row) => row.due === 1 || (row.view !== null && row.view !== view))
    .toSorted((a, b) => b.at - a.at)
  for (const one of due) {
    const brought = await fetchPatient(context, one, meet)
    if (!brought.ok) return brought
    if (brought.value === 'keys') return ok('keys')
    const stored = await store(context, one, brought.value)
    if (!stored.ok) return stored
  }
  const gone = await letGoOpened(context)
  return gone.ok ? ok('done') : gone
}

async function fetchPatient(
  context: SyncContext,
  { scope, patientId }: OpenedRow,
  meet: (start: StartLine) => Promise<Result<unknown, ApiError>>,
): Promise<Result<Brought | 'keys', ApiError>> {
  const query = new URLSearchParams({ scope, cursor: '0', deviceId: context.deviceId, patientId })
  const answer = await send(context.wire, {
    method: 'GET',
    path: `/edc/sync/pull?${query.toString()}`,
    headers: { Accept: 'application/x-ndjson' },
    timeoutMs: CALL_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  let start: StartLine | null = null
  const rows: Pulled[] = []
  for await (const line of readLines(answer.value, SILENCE_MS)) {
    if (!line.ok) return line
    const said = readPullLine(line.value)
    if (said === null) return err({ code: 'gateway' })
    if (said.t === 'start') {
      start = said
      await noteServerTime(context, said.serverTime)
      const met = await meet(said)
      if (!met.ok) return met
    } else if (said.t === 'put') {
      const row = checkedRow(said.kind, said.id, said.seq, said.row)
      if (row === null) return err({ code: 'client_too_old' })
      if (!isInView(context.ring, scope, row)) return ok('keys')
      rows.push(row)
    } else if (said.t === 'end' && start !== null) {
      return ok({ start, cursor: said.cursor, rows: ofPatient(rows, patientId) })
    }
  }
  // A stream without an end line was cut off.
  return err({ code: 'offline' })
}

/** An older server cannot filter by one patient and sends the rows of all. */
function ofPatient(rows: readonly Pulled[], patientId: string): readonly Pulled[] {
  const own = new Set([patientId])
  const entries = new Set(
    rows.flatMap((one) => (one.kind === 'entry' && one.row.patientId === patientId ? [one.id] : [])),
  )
  return rows.filter((one) => isTakenIn(own, one) && (one.kind !== 'conflict' || entries.has(one.row.entryId)))
}

async function store(
  context: SyncContext,
  one: OpenedRow,
  { start, cursor, rows }: Brought,
): Promise<Result<unknown, ApiError>> {
  const { storage, ring, userId, now } = context
  const { scope, patientId } = one
  const isThere = rows.some(({ kind }) => kind === 'patient')
  // The patient was enrolled here and the operation is not sent yet: the server knows nothing of them.
  const isWaiting = isThere
    ? ok(false)
    : await storage.run(async ({ work }) => (await work.outbox.where('patientId').equals(patientId).count()) > 0)
  if (!isWaiting.ok || isWaiting.value) return isWaiting
  const others = await othersWhoKeep(context, scope)
  if (!others.ok) return others
  const sealed = await attempt(() => sealRows(ring, userId, scope, rows, start.epoch))
  if (!sealed.ok) return sealed
  const view = viewFor(ring, scope, 'patient')
  const stored = await storage.run(
    ({ cache }) =>
      cache.transaction('rw', [...cachedTables(cache), cache.pulls, cache.evicted, cache.opened], async () => {
        // The patient was given up meanwhile, or the whole scope was chosen.
        if ((await cache.opened.get([scope, userId, patientId])) === undefined) return false
        const current = await cache.pulls.get([scope, userId])
        // Changes are pulled from another point already, and these rows may be older than that. The patient is asked
        // for again.
        if (current?.light === 1 && !isOf(current, { start, cursor })) return false
        const came = new Set(sealed.value.rows.map((row) => keyOf(row).join(' ')))
        const left = (await keysOfPatient(cache, scope, patientId)).filter(
          (key) => !came.has(key.join(' ')) && isOwnView(ring, userId, { scope, kind: key[1], id: key[2] }),
        )
        await withdraw(cache, left, userId, others.value)
        await (others.value.length === 0
          ? putMarked(cache, sealed.value)
          : putKeepingHidden(cache, sealed.value, userId))
        await cache.evicted.delete([scope, patientId, view])
        if (isThere) await cache.opened.put({ ...one, view, due: 0 })
        else await cache.opened.delete([scope, userId, patientId])
        if (current?.light !== 1 && (current?.comparing ?? null) === null) {
          const { epoch, scopeVersion } = start
          await cache.pulls.put({
            scope,
            userId,
            cursor,
            from: null,
            epoch,
            scopeVersion,
            pulledAt: new Date(now()).toISOString(),
            light: 1,
          })
        }
        return true
      }),
    'cache',
  )
  if (!stored.ok || !stored.value) return stored
  const forgotten = await forgetBounces(context, rows)
  return forgotten.ok ? retryMissing(context, rows) : forgotten
}

/**
 * Whether what a stream brought is at least as new as what was pulled, and comes from the same server with the same
 * rights.
 */
function isOf(current: CursorRow, { start, cursor }: Pick<Brought, 'start' | 'cursor'>): boolean {
  return current.epoch === start.epoch && current.scopeVersion === start.scopeVersion && current.cursor <= cursor
}
