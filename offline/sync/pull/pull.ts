import type { ApiError } from '#core/api/errors.ts'
import { readPullLine } from '#core/api/sync/pull.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { getMeta } from '#offline/db/meta.ts'
import type { Comparing, CursorRow } from '#offline/db/rows.ts'
import { readLines, send } from '#offline/net/request.ts'
import { noteServerTime } from '#offline/sync/clock.ts'
import { PULL_TIMEOUT_MS, SILENCE_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import { noteEpoch, offerAll } from '#offline/sync/restore.ts'

import { beginComparison, othersWhoKeep } from './compare.ts'
import { Intake } from './intake.ts'
import type { StartLine } from './intake.ts'
import { bringOpened } from './bringOpened.ts'
import { fetchAnew, openedIn } from './opened.ts'

/**
 * Fetching a scope's changes. What comes is stored as it comes (offline/sync/pull/intake.ts), so a pull can break off
 * anywhere.
 */

/**
 * How often one scope is asked in one cycle. After a comparison has fetched everything, the changes since then are
 * fetched, until there are none. Where a scope never becomes quiet, the next cycle goes on.
 */
const ROUNDS = 6

/**
 * Pulls one scope to its end. `keys`: the right to identifying data was given or withdrawn; nothing is taken in until
 * the keys here are the current ones.
 */
export async function pullScope(context: SyncContext, scope: string): Promise<Result<'done' | 'keys', ApiError>> {
  const opened = await openedIn(context, scope)
  if (!opened.ok) return opened
  for (let round = 0; round < ROUNDS; round += 1) {
    const pulled = await pullOnce(context, scope, opened.value)
    if (!pulled.ok) return pulled
    if (pulled.value === 'keys') return ok('keys')
    if (pulled.value === 'done') break
  }
  return opened.value === null
    ? ok('done')
    : bringOpened(context, scope, (start) => epochChanged(context, scope, start))
}

/** Asks once. `again`: everything is to be compared, or a comparison has to find out whether anything is left. */
async function pullOnce(
  context: SyncContext,
  scope: string,
  opened: ReadonlySet<string> | null,
): Promise<Result<'done' | 'again' | 'keys', ApiError>> {
  const { storage, wire, deviceId, userId } = context
  const read = await storage.run(async ({ work, cache }) => ({
    kept: await work.kept.get([scope, userId]),
    row: await cache.pulls.get([scope, userId]),
  }))
  if (!read.ok) return read
  // The scope was given up meanwhile.
  if (read.value.kept === undefined) return ok('done')
  const { row } = read.value
  const others = await othersWhoKeep(context, scope)
  if (!others.ok) return others
  const known = cursorOf(row, opened !== null)
  // Nobody has been opened yet: the first opened patient sets the change number from which changes are pulled.
  if (known === null && opened !== null) return ok('done')
  const { cursor = 0, from = null } = known?.comparing ?? known ?? {}
  const query = new URLSearchParams({
    scope,
    cursor: String(cursor),
    deviceId,
    ...(cursor === 0 && opened === null ? { from: from ?? '' } : {}),
  })
  const answer = await send(wire, {
    method: 'GET',
    path: `/edc/sync/pull?${query.toString()}`,
    headers: { Accept: 'application/x-ndjson' },
    timeoutMs: PULL_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  const intake = new Intake(context)
  try {
    for await (const line of readLines(answer.value, SILENCE_MS)) {
      if (!line.ok) return await intake.brokenOff(line)
      const said = readPullLine(line.value)
      if (said === null) return err({ code: 'gateway' })
      if (said.t === 'start') {
        const started = await startOf(context, scope, known, said, opened !== null)
        if (!started.ok) return started
        if (started.value === 'again') return ok('again')
        // A pull of its own, alone, and with one epoch for all rows: then the pull's row names the epoch.
        const isNamed = opened === null && others.value.length === 0 && (row === undefined || row.epoch === said.epoch)
        await intake.begin({
          scope,
          start: said,
          comparing: started.value.comparing,
          epoch: isNamed ? null : said.epoch,
          follows: row?.cursor ?? null,
          others: others.value,
          opened,
        })
        continue
      }
      const taken = await intake.take(said)
      if (!taken.ok) return taken
      if (taken.value !== 'more') return ok(taken.value)
    }
    // A stream without an end line was cut off.
    return await intake.brokenOff(err({ code: 'offline' }))
  } finally {
    // The write that is under way ends before anybody else may write.
    await intake.finishWriting()
  }
}

/** How far a scope has come. A pull that took in only opened patients says nothing about the whole scope. */
function cursorOf(row: CursorRow | undefined, light: boolean): CursorRow | null {
  if (row === undefined || (row.light === 1) === light) return row ?? null
  return !light && (row.comparing ?? null) !== null ? row : null
}

/** Where a stream starts, as its first line says. */
async function startOf(
  context: SyncContext,
  scope: string,
  known: CursorRow | null,
  start: StartLine,
  light: boolean,
): Promise<Result<{ readonly comparing: Comparing | null } | 'again', ApiError>> {
  await noteServerTime(context, start.serverTime)
  const restored = await epochChanged(context, scope, start)
  if (!restored.ok) return restored
  const mark = known?.comparing ?? known
  if (restored.value || (mark !== null && (mark.epoch !== start.epoch || mark.scopeVersion !== start.scopeVersion))) {
    // The server's data, or what it shows to this user, have changed as a whole.
    const begun = light ? await fetchAnew(context, scope) : await beginComparison(context, scope, start)
    return begun.ok ? ok('again') : begun
  }
  if (known !== null) return ok({ comparing: known.comparing ?? null })
  const there = await context.storage.run(({ cache }) => cache.rows.where('scope').equals(scope).count())
  if (!there.ok) return there
  if (there.value === 0) return ok({ comparing: null })
  // A colleague keeps the scope already: rows that this user may not see must not be taken for the user's own.
  const begun = await beginComparison(context, scope, start)
  return begun.ok ? ok({ comparing: begun.value.comparing ?? null }) : begun
}

/**
 * Whether the server was restored from a backup since the last contact. If so, it is offered again what it may have
 * forgotten.
 */
async function epochChanged(
  context: SyncContext,
  scope: string,
  { epoch }: StartLine,
): Promise<Result<boolean, ApiError>> {
  const read = await context.storage.run(({ work }) => getMeta(work, 'epochs'))
  if (!read.ok) return read
  // Only the epoch of this scope counts: acknowledged operations can be opened only with the keys of their scope.
  const known = read.value?.[scope]
  if (known === epoch) return ok(false)
  const offered = await offerAll(context, epoch)
  if (!offered.ok) return offered
  if (known !== undefined) return ok(true)
  const noted = await noteEpoch(context, scope, epoch)
  return noted.ok ? ok(false) : noted
}
