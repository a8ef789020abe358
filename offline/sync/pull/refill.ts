import * as z from 'zod/mini'
import { isRetryable } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { entryRow } from '#core/api/sync/rows.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import { cachedTables, deletePatient, putMarked } from '#offline/db/marks.ts'
import type { Need } from '#offline/db/room.ts'
import type { CursorRow, EvictedRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { NEARLY_FULL } from '#offline/db/usage.ts'
import { errorInBody } from '#offline/net/answer.ts'
import { readJson, send } from '#offline/net/request.ts'
import { isInView, sealRows, viewFor } from '#offline/sync/cache.ts'
import { CALL_TIMEOUT_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'

/**
 * Bringing back what gave way on a full disk (offline/db/room.ts): patient by patient, when there is room again or
 * somebody opens one.
 */

/**
 * For this long after the disk was full nothing comes back by itself, because what the browser says of its room is a
 * guess.
 */
const AFTER_FULL_MS = 30 * 60_000
const PATIENTS_A_CYCLE = 25

type Keeper = Pick<SyncContext, 'storage' | 'ring' | 'userId'>

/** Whether a patient's entries gave way, so that not all of the entries are here. */
export async function isEvicted(
  { storage, ring }: Pick<SyncContext, 'storage' | 'ring'>,
  scope: string,
  patientId: string,
): Promise<boolean> {
  return (await storage.cache.evicted.get([scope, patientId, viewFor(ring, scope, 'entry')])) !== undefined
}

/** Fetches again what gave way in a scope, as far as there is room now. Nothing else gives way for it. */
export async function refill(context: SyncContext, scope: string): Promise<Result<true, ApiError>> {
  const { storage, ring, random } = context
  const marked = await storage.run(({ cache }) => cache.evicted.where('scope').equals(scope).toArray())
  if (!marked.ok) return marked
  const own = marked.value.filter(({ view }) => view === viewFor(ring, scope, 'entry'))
  if (own.length === 0 || !(await hasRoomFor(context, own))) return ok(true)
  // The reserve comes first: where it does not fit again, nothing is fetched.
  if (!(await layReserve(context))) return ok(true)
  // It starts at a random patient: otherwise patients of whom the server has nothing for this user would keep the
  // others away.
  const from = Math.floor(random() * own.length)
  for (const { patientId } of [...own.slice(from), ...own.slice(0, from)].slice(0, PATIENTS_A_CYCLE)) {
    const back = await bringBack(context, scope, patientId, () => entriesOf(context, scope, patientId), 'spare')
    if (back.ok) continue
    if (back.error.code === 'storage_full') break
    if (isRetryable(back.error.code)) return back
  }
  return ok(true)
}

/**
 * Lays the reserve again where a part of it was given up. This happens long after the disk was full, and only if there
 * is plainly room: the room that was given up is meant for the work that follows.
 *
 * @returns whether all of the reserve is there
 */
export async function layReserve({ storage, now }: Pick<SyncContext, 'storage' | 'now'>): Promise<boolean> {
  const laid = await storage.run(async ({ cache }) => {
    if (await storage.reserve.isWhole()) return true
    const marks = await cache.evicted.toArray()
    return isLongAfterFull({ storage, now }, marks) && (await storage.reserve.lay())
  }, 'spare')
  return laid.ok && laid.value
}

/** The marks in the cache also show what other tabs and threads met. */
function isLongAfterFull(
  { storage, now }: Pick<SyncContext, 'storage' | 'now'>,
  marks: readonly EvictedRow[],
): boolean {
  const last = Math.max(storage.fullAt(), ...marks.map(({ at }) => at))
  // A clock that was set back does not keep entries away for good.
  return Math.abs(now() - last) >= AFTER_FULL_MS
}

async function hasRoomFor({ storage, now, storageUse }: SyncContext, marks: readonly EvictedRow[]): Promise<boolean> {
  if (!isLongAfterFull({ storage, now }, marks)) return false
  const use = (await storageUse?.()) ?? null
  const needed = marks.reduce((sum, { bytes }) => sum + bytes, 0)
  return use === null || use.usedBytes + needed < use.quotaBytes * NEARLY_FULL
}

/**
 * Brings a patient's entries back to this device, all of them or none.
 *
 * @param fetchEntries asks the server for them
 * @param need what may give way for them
 * @returns whether the entries are here now
 */
export async function bringBack(
  keeper: Keeper,
  scope: string,
  patientId: string,
  fetchEntries: () => Promise<Result<readonly EntryRow[], ApiError>>,
  need: Need,
): Promise<Result<boolean, ApiError>> {
  const { storage, ring, userId } = keeper
  const read = await storage.run(({ cache }) => cache.pulls.where('scope').equals(scope).toArray())
  if (!read.ok) return read
  const before = standOf(read.value)
  // What is fetched now is at least as new as all that was pulled. So the answer to an earlier operation must not
  // replace it.
  const { cursor: seq, epoch } = read.value.toSorted((a, b) => b.cursor - a.cursor)[0] ?? { cursor: 0, epoch: null }
  const fetched = await fetchEntries()
  if (!fetched.ok) return fetched
  const parsed = parseScope(scope)
  const rows = fetched.value.filter(
    (row) => parsed?.kind === 'center' && row.pass === parsed.pass && row.centerId === parsed.centerId,
  )
  const pulled = rows.map((row) => ({ kind: 'entry', id: row.id, seq, row }) as const)
  if (!pulled.every((one) => isInView(ring, scope, one))) return ok(false)
  const sealed = await attempt(() => sealRows(ring, userId, scope, pulled, epoch))
  if (!sealed.ok) return sealed
  const view = viewFor(ring, scope, 'entry')
  return storage.run(
    ({ cache }) =>
      cache.transaction('rw', [...cachedTables(cache), cache.pulls, cache.evicted], async () => {
        // A pull that went on meanwhile has left out changes of this patient: these rows may then be older than its
        // cursor.
        if (standOf(await cache.pulls.where('scope').equals(scope).toArray()) !== before) return false
        // Marks stay when their rows give way: no mark may be left of an entry that the server no longer has.
        await deletePatient(cache, scope, patientId, view)
        await putMarked(cache, sealed.value)
        await cache.evicted.delete([scope, patientId, view])
        return true
      }),
    need,
  )
}

/** Where all pulls of a scope stand, as one text to compare. */
function standOf(rows: readonly CursorRow[]): string {
  return JSON.stringify(
    rows.map(({ userId, cursor, from, comparing }) => [
      userId,
      cursor,
      comparing?.id ?? '',
      (comparing ?? { cursor: 0 }).cursor,
      from ?? comparing?.from ?? '',
    ]),
  )
}

const answerShape = z.object({ success: z.literal(true), data: z.array(entryRow) })

async function entriesOf(
  { wire }: SyncContext,
  scope: string,
  patientId: string,
): Promise<Result<readonly EntryRow[], ApiError>> {
  const projectId = parseScope(scope)?.projectId ?? ''
  const answer = await send(wire, {
    method: 'GET',
    path: `/edc/data/crf/patient/data/list?${new URLSearchParams({ patientId }).toString()}`,
    headers: { projectId },
    timeoutMs: CALL_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  const body = await readJson(answer.value.response)
  answer.value.stop()
  if (!body.ok) return body
  const parsed = answerShape.safeParse(body.value)
  return parsed.success ? ok(parsed.data.data) : { ok: false, error: errorInBody(body.value) ?? { code: 'gateway' } }
}
