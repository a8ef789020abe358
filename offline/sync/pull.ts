import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { pullLine } from '#core/sync/pull.ts'
import type { PullLine } from '#core/sync/pull.ts'
import type { RowKind } from '#core/sync/rows.ts'
import { getMeta, setMeta } from '#offline/db/meta.ts'
import type { CursorRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { readLines, send } from '#offline/net/request.ts'

import { forgetBounces } from './bounce.ts'
import { cacheId, checkedRow, isOwnView, sealRows } from './cache.ts'
import type { Pulled } from './cache.ts'
import { noteServerTime } from './clock.ts'
import { PULL_TIMEOUT_MS, SILENCE_MS } from './context.ts'
import type { SyncContext } from './context.ts'
import { offerReceipts } from './restore.ts'

/** Fetching a scope's changes: rows and the cursor up to which they have come are stored in one transaction, so a pull can break anywhere. */

type StartLine = Extract<PullLine, { t: 'start' }>
type Dropped = { readonly kind: RowKind; readonly id: string }

/** Pulls one scope to its end. */
export async function pullScope(context: SyncContext, scope: string): Promise<Result<true, ApiError>> {
  const known = await context.storage.run(({ cache }) => cache.cursors.get([scope, context.userId]))
  if (!known.ok) return known
  const first = await pullFrom(context, scope, known.value ?? null)
  if (!first.ok || first.value === 'done') return first.ok ? ok(true) : first
  // What the server holds or shows has changed as a whole: everything is fetched, and what does not come again is dropped.
  const second = await pullFrom(context, scope, null, true)
  return second.ok ? ok(true) : second
}

async function pullFrom(
  context: SyncContext,
  scope: string,
  known: CursorRow | null,
  compare = false,
): Promise<Result<'done' | 'start_over', ApiError>> {
  const { storage, wire, deviceId } = context
  const query = new URLSearchParams({ scope, cursor: String(known?.cursor ?? 0), deviceId })
  const answer = await send(wire, {
    method: 'GET',
    path: `/edc/sync/pull?${query.toString()}`,
    headers: { Accept: 'application/x-ndjson' },
    timeoutMs: PULL_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  let start: StartLine | null = null
  let puts: Pulled[] = []
  let drops: Dropped[] = []
  let done = 0
  const seen = new Set<string>()
  for await (const line of readLines(answer.value, SILENCE_MS)) {
    if (!line.ok) return line
    const parsed = pullLine.safeParse(line.value)
    if (!parsed.success) return err({ code: 'gateway' })
    const said = parsed.data
    switch (said.t) {
      case 'start': {
        start = said
        await noteServerTime(context, said.serverTime)
        const restored = await epochChanged(context, scope, said)
        if (!restored.ok) return restored
        if (restored.value) return ok('start_over')
        if (known !== null && (known.epoch !== said.epoch || known.scopeVersion !== said.scopeVersion)) return ok('start_over')
        break
      }
      case 'put': {
        const row = checkedRow(said.kind, said.id, said.seq, said.row)
        // A row that this app cannot read: it waits for a newer app rather than for a guess.
        if (row === null) return err({ code: 'client_too_old' })
        puts.push(row)
        seen.add(`${said.kind} ${cacheId(context.ring, context.userId, scope, said.kind, said.id)}`)
        break
      }
      case 'drop':
        drops.push({ kind: said.kind, id: said.id })
        break
      case 'cursor':
      case 'end': {
        if (start === null) return err({ code: 'gateway' })
        const stored = await storeBatch(context, scope, start, said, puts, drops, compare ? seen : null)
        if (!stored.ok) return stored
        const forgotten = await forgetBounces(context, puts)
        if (!forgotten.ok) return forgotten
        done += puts.length + drops.length
        puts = []
        drops = []
        if (said.t === 'end') return ok('done')
        await storage.run(({ work }) => setMeta(work, 'pullProgress', { scope, done, total: Math.max(done, start?.total ?? 0) }))
        break
      }
    }
  }
  // A stream that ends without saying so was cut off.
  return err({ code: 'offline' })
}

async function storeBatch(
  context: SyncContext,
  scope: string,
  start: StartLine,
  mark: Extract<PullLine, { t: 'cursor' | 'end' }>,
  puts: readonly Pulled[],
  drops: readonly Dropped[],
  compareWith: ReadonlySet<string> | null,
): Promise<Result<unknown, ApiError>> {
  const { storage, ring, userId, now } = context
  const sealed = await attempt(() => sealRows(ring, userId, scope, puts))
  if (!sealed.ok) return sealed
  return storage.run(({ cache }) =>
    cache.transaction('rw', cache.rows, cache.cursors, async () => {
      await cache.rows.bulkPut(sealed.value)
      await cache.rows.bulkDelete(drops.map(({ kind, id }) => [scope, kind, cacheId(ring, userId, scope, kind, id)]))
      if (mark.t === 'end' && compareWith !== null) await sweep(context, scope, compareWith)
      // While comparing, the cursor is kept only at the end: a broken comparison starts over.
      if (mark.t === 'cursor' && compareWith !== null) return
      await cache.cursors.put({
        scope,
        userId,
        cursor: mark.cursor,
        epoch: start.epoch,
        scopeVersion: start.scopeVersion,
        pulledAt: mark.t === 'end' ? new Date(now()).toISOString() : ((await cache.cursors.get([scope, userId]))?.pulledAt ?? null),
      })
    }),
  )
}

/** Drops what did not come again. A colleague's view of the same is not this pull's to judge. */
async function sweep({ storage, ring, userId }: SyncContext, scope: string, seen: ReadonlySet<string>): Promise<void> {
  const keys = await storage.cache.rows.where('scope').equals(scope).primaryKeys()
  await storage.cache.rows.bulkDelete(
    keys.filter(([, kind, id]) => !seen.has(`${kind} ${id}`) && isOwnView(ring, userId, { scope, kind, id })),
  )
}

/** Whether the server was restored from a backup since the last contact: then it is offered again what it may have forgotten. */
async function epochChanged(context: SyncContext, scope: string, { epoch }: StartLine): Promise<Result<boolean, ApiError>> {
  const read = await context.storage.run(({ work }) => getMeta(work, 'epochs'))
  if (!read.ok) return read
  // By scope: only who holds a scope's keys can open what was acknowledged in it.
  const known = read.value?.[scope]
  if (known === epoch) return ok(false)
  const changed = known !== undefined
  if (changed) {
    const offered = await offerReceipts(context, scope)
    if (!offered.ok) return offered
  }
  const noted = await context.storage.run(({ work }) =>
    work.transaction('rw', work.meta, async () => setMeta(work, 'epochs', { ...(await getMeta(work, 'epochs')), [scope]: epoch })),
  )
  return noted.ok ? ok(changed) : noted
}
