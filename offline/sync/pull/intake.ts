import type { ApiError } from '#core/api/errors.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import type { RowKind } from '#core/api/sync/rows.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import { cachedTables, putMarked, putMarks } from '#offline/db/marks.ts'
import type { SealedRows } from '#offline/db/marks.ts'
import { noteMoment } from '#offline/db/meta.ts'
import type { Comparing } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { forgetBounces } from '#offline/sync/bounce.ts'
import {
  cacheId,
  checkedRow,
  isInView,
  noteCompared,
  packsOf,
  putKeepingHidden,
  sealRows,
  viewFor,
} from '#offline/sync/cache.ts'
import type { Pulled } from '#offline/sync/cache.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import { letGo } from '#offline/sync/letGo.ts'

import { retryMissing } from './again.ts'
import { endComparison, forgetGivenUp, withdraw } from './compare.ts'
import { isTakenIn } from './opened.ts'

/**
 * Storing what a pull brings: rows and the cursor up to which they have come are stored in one transaction, so a pull
 * can break off anywhere.
 */

export type StartLine = Extract<PullLine, { t: 'start' }>
type Dropped = { readonly kind: RowKind; readonly id: string }

/** What the intake needs to store one stream. */
export interface Stream {
  readonly scope: string
  readonly start: StartLine
  /** The comparison to which the stream belongs; null for a pull of changes. */
  readonly comparing: Comparing | null
  /**
   * Where the pull of the scope stood when the stream was asked for; null where nothing had come yet. The stream does
   * not bring what came before that.
   */
  readonly follows: number | null
  /**
   * Epoch of the server, to be stored with each row. Null where the pull of the scope stores the same epoch once for
   * all rows: a first download brings tens of thousands of them.
   */
  readonly epoch: string | null
  /** Colleagues who keep the scope on this device. */
  readonly others: readonly string[]
  /** The patients whose rows are taken in; null where those of all patients are (offline/sync/pull/opened.ts). */
  readonly opened: ReadonlySet<string> | null
}

/**
 * A batch is stored when this many rows have come: screens that read wait for no longer than one batch takes. It is
 * also stored when the last batch was stored this long ago: then the line is slow and may break.
 */
const BATCH_ROWS = 400
const BATCH_MS = 1000
/**
 * Progress is written no more often than a person can read it: each figure is a write to the disk, and every screen
 * that shows it counts anew.
 */
const PROGRESS_MS = 400

type CursorLine = Extract<PullLine, { t: 'cursor' | 'end' }>
/** `keys`: rows come in a view for which the keys here are not the right ones. */
type Stored = Result<'more' | 'done' | 'again' | 'keys', ApiError>
export type Failure = Extract<Result<never, ApiError>, { ok: false }>

/** Takes in the lines of a stream: while one batch is being written, the next is read and sealed. */
export class Intake {
  private readonly context: SyncContext
  private stream: Stream | null = null
  private puts: Pulled[] = []
  private drops: Dropped[] = []
  /**
   * The last cursor whose rows have all come but are not stored yet, and how many of `puts` and `drops` belong to it.
   */
  private ended: { readonly line: CursorLine; readonly puts: number; readonly drops: number } | null = null
  private storing: Promise<Stored> = Promise.resolve(ok('more'))
  private storedAt = performance.now()
  private toldAt = 0
  private done = 0
  /** Where the pull of the scope stands, unless it was given up or begun anew meanwhile. */
  private follows: number | null = null

  constructor(context: SyncContext) {
    this.context = context
  }

  async begin(stream: Stream): Promise<void> {
    this.stream = stream
    this.follows = stream.follows
    await this.tell(stream)
  }

  async take(said: Exclude<PullLine, { t: 'start' }>): Promise<Stored> {
    switch (said.t) {
      case 'put': {
        const row = checkedRow(said.kind, said.id, said.seq, said.row)
        // This app cannot read the row: the pull waits for a newer app, because guessing would be wrong.
        if (row === null) return err({ code: 'client_too_old' })
        if (this.stream !== null && !isInView(this.context.ring, this.stream.scope, row)) return ok('keys')
        if (isTakenIn(this.stream?.opened ?? null, row)) this.puts.push(row)
        return ok('more')
      }
      case 'drop':
        this.drops.push({ kind: said.kind, id: said.id })
        return ok('more')
      case 'cursor': {
        const early = this.puts.length + this.drops.length < BATCH_ROWS && performance.now() - this.storedAt < BATCH_MS
        if (!early) return this.store(said)
        this.ended = { line: said, puts: this.puts.length, drops: this.drops.length }
        return ok('more')
      }
      case 'end': {
        const before = await this.store(said)
        return before.ok && before.value === 'more' ? this.storing : before
      }
    }
  }

  /**
   * Stores what came completely before the stream broke, so that many short pulls make progress where no long one gets
   * through.
   *
   * @param why what broke the stream
   * @returns why, or the worse failure that the rows could not be stored
   */
  async brokenOff(why: Failure): Promise<Failure> {
    const { ended } = this
    if (ended === null) return why
    this.puts.length = ended.puts
    this.drops.length = ended.drops
    const before = await this.store(ended.line)
    const stored = before.ok ? await this.storing : before
    return stored.ok ? why : stored
  }

  /** Waits until nothing is being written any more. */
  async finishWriting(): Promise<void> {
    await this.storing
  }

  /** Begins to store what has come, once the batch before is stored. Gives the result of that earlier batch. */
  private async store(line: CursorLine): Promise<Stored> {
    const { stream, puts, drops } = this
    if (stream === null) return err({ code: 'gateway' })
    this.puts = []
    this.drops = []
    this.ended = null
    this.storedAt = performance.now()
    const sealed = attempt(() => sealRows(this.context.ring, this.context.userId, stream.scope, puts, stream.epoch))
    const before = await this.storing
    if (before.ok && before.value === 'more') this.storing = this.storeNow(stream, line, { puts, drops, sealed })
    else await sealed
    return before
  }

  private async storeNow(stream: Stream, line: CursorLine, batch: Batch): Promise<Stored> {
    const stored = await storeBatch(this.context, { ...stream, follows: this.follows }, line, batch)
    if (!stored.ok) return stored
    this.follows = line.cursor
    const left = await forgetGivenUp(this.context, stream.scope)
    if (!left.ok) return left
    if (left.value) return ok('again')
    const forgotten = await forgetBounces(this.context, batch.puts)
    if (!forgotten.ok) return forgotten
    const retried = await retryMissing(this.context, batch.puts)
    if (!retried.ok) return retried
    if (stored.value === 'done') {
      const { epoch, durable = 0 } = stream.start
      const projectId = parseScope(stream.scope)?.projectId
      const gone = projectId === undefined ? ok(true) : await letGo(this.context, projectId, epoch, durable)
      if (!gone.ok) return gone
    }
    this.done += batch.puts.length + batch.drops.length
    await this.tell(line.t === 'end' ? null : stream)
    return stored
  }

  private async tell(stream: Stream | null): Promise<void> {
    if (stream !== null && performance.now() - this.toldAt < PROGRESS_MS) return
    this.toldAt = performance.now()
    await tellProgress(this.context, stream, this.done)
  }
}

/** What came between two cursors. */
interface Batch {
  readonly puts: readonly Pulled[]
  readonly drops: readonly Dropped[]
  /** The rows of `puts`, sealed. */
  readonly sealed: Promise<Result<SealedRows, ApiError>>
}

/** Stores what came since the last cursor, and the cursor. */
async function storeBatch(
  context: SyncContext,
  stream: Stream,
  line: CursorLine,
  { drops, sealed: sealing }: Batch,
): Promise<Stored> {
  const { storage, ring, userId } = context
  const { scope, start, comparing, follows, others, opened } = stream
  const sealed = await sealing
  if (!sealed.ok) return sealed
  const dropped = drops.map(({ kind, id }): [string, string, string] => [
    scope,
    kind,
    cacheId(ring, userId, scope, kind, id),
  ])
  return storage.run(
    ({ cache }) =>
      cache.transaction('rw', [...cachedTables(cache), cache.pulls, cache.compared, cache.evicted], async () => {
        const current = await cache.pulls.get([scope, userId])
        // Another thread has begun a new comparison or has ended this one: what this stream brings is not the whole of
        // any comparison any more.
        if (comparing !== null && current?.comparing?.id !== comparing.id) return 'again'
        // The scope was given up, and perhaps chosen again: what came before is no longer here, and this stream does
        // not bring it.
        if (comparing === null && (current?.cursor ?? null) !== follows) return 'again'
        const kept = await withoutEvicted(context, scope, sealed.value)
        if (kept.rows.length < sealed.value.rows.length) await putMarks(cache, sealed.value.rows)
        await (others.length === 0 ? putMarked(cache, kept) : putKeepingHidden(cache, kept, userId))
        await withdraw(cache, dropped, userId, others)
        const reached = {
          cursor: line.cursor,
          from: line.t === 'cursor' ? (line.from ?? null) : null,
          epoch: start.epoch,
          scopeVersion: start.scopeVersion,
        }
        const pulledAt = line.t === 'end' ? new Date(context.now()).toISOString() : (current?.pulledAt ?? null)
        if (comparing === null) {
          await cache.pulls.put({ ...current, scope, userId, ...reached, pulledAt, light: opened === null ? 0 : 1 })
          return line.t === 'end' ? 'done' : 'more'
        }
        await noteCompared(cache, scope, userId, sealed.value.rows)
        if (line.t === 'end' && start.total === 0) {
          await endComparison(context, scope, others)
          await cache.pulls.put({ scope, userId, ...reached, pulledAt, comparing: null })
          return 'done'
        }
        const before = current ?? { scope, userId, ...reached, cursor: 0, from: null, pulledAt: null }
        await cache.pulls.put({ ...before, comparing: { ...reached, id: comparing.id } })
        return line.t === 'end' ? 'again' : 'more'
      }),
    'cache',
  )
}

/**
 * Leaves out rows of patients whose entries gave way on a full disk. Such a patient is fetched as a whole
 * (offline/sync/pull/refill.ts); otherwise only a part would be here.
 */
async function withoutEvicted(
  { storage: { cache }, ring }: SyncContext,
  scope: string,
  sealed: SealedRows,
): Promise<SealedRows> {
  const view = viewFor(ring, scope, 'entry')
  const patients = [...new Set(sealed.rows.flatMap(({ kind, parent }) => (kind === 'entry' ? [parent] : [])))]
  if (patients.length === 0 || (await cache.evicted.where('scope').equals(scope).count()) === 0) return sealed
  const marks = await cache.evicted.bulkGet(
    patients.map((patientId): [string, string, string] => [scope, patientId, view]),
  )
  const gone = new Set(marks.flatMap((mark) => (mark === undefined ? [] : [mark.patientId])))
  const rows = sealed.rows.filter(({ kind, parent }) => kind !== 'entry' || !gone.has(parent))
  return { rows, packs: packsOf(sealed.packs, rows) }
}

/** Tells screens how far the pull of a scope is. Where a figure cannot be written, only that figure is missing. */
async function tellProgress({ storage }: SyncContext, stream: Stream | null, done: number): Promise<void> {
  if (stream?.start.total === 0) return
  const progress = stream === null ? null : { scope: stream.scope, done, total: Math.max(done, stream.start.total) }
  await storage.run(({ work }) => noteMoment(work, { pullProgress: progress }), 'spare')
}
