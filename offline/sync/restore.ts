import type { ApiError } from '#core/api/errors.ts'
import { conflictId } from '#core/derivedIds.ts'
import { filesNamedBy } from '#core/files/inOperation.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { itemChange, rowChange } from '#core/sync/entryChange.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import { DELETED } from '#core/sync/merge.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import * as z from 'zod/mini'
import type { Databases, WorkDb } from '#offline/db/databases.ts'
import { countWrite, getMeta, setMeta } from '#offline/db/meta.ts'
import type { OutboxRow, ReceiptRow, Sealed } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { goAgain, offerAgain } from '#offline/files/upkeep.ts'
import { openOperation } from '#offline/outbox/outbox.ts'

import { cacheId, openRow } from './cache.ts'
import type { SyncContext } from './context.ts'
import { givenOf } from './push/given.ts'

/** A receipt with the operation as it was sent. */
type Offerable = ReceiptRow & { readonly op: Sealed }

/** The history of a scope that the server has forgotten. */
interface Lost {
  readonly scope: string
  readonly epoch: string
}

/**
 * A server that was restored from a backup may have forgotten what it acknowledged since that backup. The very same
 * operations go again, with their keys. The server answers those that it still has from its memory, and books the
 * others.
 *
 * @param epoch of the server before it was restored
 */
async function offerReceipts(context: SyncContext, scope: string, epoch: string): Promise<Result<true, ApiError>> {
  const offered = await offer(context, { scope, epoch }, async ({ work }) =>
    (await work.receipts.where('scope').equals(scope).toArray()).filter((row): row is Offerable => row.op !== null),
  )
  if (!offered.ok) return offered
  const files = await context.storage.run(({ work }) => offerAgain(work, scope))
  return files.ok ? noteUnoffered(context, scope, offered.value) : files
}

/**
 * Offers the receipts of every scope whose keys are here and that was last seen under another epoch, whether the scope
 * is kept or was given up since. After that the device uses the new epoch. A pull finds the new epoch through its own
 * cursor and compares everything.
 */
export async function offerAll(context: SyncContext, epoch: string): Promise<Result<true, ApiError>> {
  const read = await context.storage.run(async ({ work }) => ({
    epochs: await getMeta(work, 'epochs'),
    unoffered: await getMeta(work, 'unoffered'),
  }))
  if (!read.ok) return read
  const { epochs = {}, unoffered = {} } = read.value
  for (const [scope, known] of Object.entries(epochs)) {
    if (!context.ring.has(scope)) continue
    if (known !== epoch) {
      const offered = await offerReceipts(context, scope, known)
      if (!offered.ok) return offered
      const noted = await noteEpoch(context, scope, epoch)
      if (!noted.ok) return noted
    } else if ((unoffered[scope] ?? []).length > 0) {
      const offered = await offerUnoffered(context, scope)
      if (!offered.ok) return offered
    }
  }
  return ok(true)
}

/**
 * The same, with the epoch that the server last named: a user who signs in may bring keys of scopes that nobody keeps.
 */
export async function offerForgotten(context: SyncContext): Promise<Result<true, ApiError>> {
  const read = await context.storage.run(({ work }) => getMeta(work, 'serverEpoch'))
  if (!read.ok) return read
  return read.value === undefined ? ok(true) : offerAll(context, read.value)
}

/** Called after the offer: a crash between the two repeats the offer of what is left. */
export async function noteEpoch(
  { storage }: SyncContext,
  scope: string,
  epoch: string,
): Promise<Result<true, ApiError>> {
  const noted = await storage.run(({ work }) =>
    work.transaction('rw', work.meta, async () => {
      const epochs = (await getMeta(work, 'epochs')) ?? {}
      const before = epochs[scope]
      if (before !== undefined)
        await setMeta(work, 'lostEpochs', { ...(await getMeta(work, 'lostEpochs')), [scope]: before })
      await setMeta(work, 'epochs', { ...epochs, [scope]: epoch })
      await setMeta(work, 'serverEpoch', epoch)
    }),
  )
  return noted.ok ? ok(true) : noted
}

/** Offers what an earlier user, who met the restored server first, had no keys for. */
async function offerUnoffered(context: SyncContext, scope: string): Promise<Result<true, ApiError>> {
  const read = await context.storage.run(async ({ work }) => ({
    keys: (await getMeta(work, 'unoffered'))?.[scope] ?? [],
    epoch: (await getMeta(work, 'lostEpochs'))?.[scope] ?? null,
  }))
  if (!read.ok) return read
  const { keys, epoch } = read.value
  if (keys.length === 0) return ok(true)
  const offered = await offer(context, epoch === null ? null : { scope, epoch }, async ({ work }) =>
    (await work.receipts.bulkGet([...keys])).filter((row): row is Offerable => row !== undefined && row.op !== null),
  )
  if (!offered.ok) return offered
  return offered.value.length === keys.length ? ok(true) : noteUnoffered(context, scope, offered.value)
}

/** Called after the offer: a crash between the two only repeats the offer of the rest. */
async function noteUnoffered(
  { storage }: SyncContext,
  scope: string,
  keys: readonly string[],
): Promise<Result<true, ApiError>> {
  const noted = await storage.run(({ work }) =>
    work.transaction('rw', work.meta, async () =>
      setMeta(work, 'unoffered', { ...(await getMeta(work, 'unoffered')), [scope]: keys }),
    ),
  )
  return noted.ok ? ok(true) : noted
}

/**
 * Work that was held while a project was paused is applied by the server when the project goes on. When the operation
 * is sent again with the same key, the server answers what became of it; otherwise the device would go on showing that
 * it waits.
 */
export function askForHeld(context: SyncContext, projectId: string): Promise<Result<readonly string[], ApiError>> {
  return offer(context, null, async ({ work }) =>
    (await work.receipts.where('outcome').equals('held').toArray()).filter(
      (row): row is Offerable => row.op !== null && row.projectId === projectId,
    ),
  )
}

/**
 * Asks for work that was released from the inbox, and for held work that went to the inbox when the project ended;
 * pulled rows tell of both. When such an operation is sent again, the server answers what became of it. Returned work
 * stays as it is, with the reason in its row.
 */
export function askForDecided(context: SyncContext, projectId: string): Promise<Result<readonly string[], ApiError>> {
  const { ring, userId } = context
  return offer(context, null, async ({ work, cache }) => {
    const waiting = await work.receipts
      .where('outcome')
      .anyOf('inbox', 'held')
      .filter((row) => row.projectId === projectId)
      .toArray()
    const decided: Offerable[] = []
    for (const receipt of waiting.filter((row): row is Offerable => row.op !== null)) {
      const cached = await cache.rows.get([projectId, 'inbox', cacheId(ring, userId, projectId, 'inbox', receipt.key)])
      const row = cached === undefined ? null : await openRow(ring, 'inbox', cached)
      const moved = receipt.outcome === 'held' && row !== null && row.reason !== 'project_stopped'
      if (moved || row?.state === 'released') decided.push(receipt)
    }
    return decided
  })
}

/**
 * Gives the keys of the operations that this user has no keys to open.
 *
 * @param lost the history that the server has forgotten: its operations go in the order of that history, patient by
 *   patient, and operations that were not sent yet go behind them; null where the server has forgotten nothing
 */
async function offer(
  context: SyncContext,
  lost: Lost | null,
  which: (databases: Databases) => Promise<Offerable[]>,
): Promise<Result<readonly string[], ApiError>> {
  const { storage, ring, userId } = context
  const receipts = await storage.run(which)
  if (!receipts.ok) return receipts
  const rows: OutboxRow[] = []
  const closed: string[] = []
  const named: string[] = []
  /** By patient, the key of the last operation that goes. */
  const last = new Map<string, string>()
  for (const receipt of receipts.value.toSorted((a, b) => a.seq - b.seq)) {
    const op = await attempt(() => openOperation(ring, receipt))
    // An operation that only somebody else can open is offered by that user; a damaged one cannot be offered by
    // anybody.
    if (op.ok && op.value === null) closed.push(receipt.key)
    if (!op.ok || op.value === null) continue
    const given = await storage.run((databases) => givenOf(databases, ring, userId, receipt))
    const row = makeOffer(receipt, op.value, given.ok ? given.value : null)
    named.push(...filesNamedBy(op.value.body))
    const before = last.get(row.patientId)
    const former = lost === null ? null : await formerOf(context, lost.epoch, receipt, op.value)
    rows.push({
      ...row,
      ...(before === undefined ? {} : { behind: [before] }),
      ...(former === null ? {} : { former }),
      ...(lost === null ? { asked: receipt.seq } : {}),
    })
    last.set(row.patientId, row.key)
  }
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, work.receipts, work.files, work.meta, async () => {
      // The receipts of the forgotten history no longer mean anything; new ones come with the new answers.
      const behind = lost === null ? 0 : await putBehind(work, lost, last)
      if (rows.length + behind > 0) await countWrite(work)
      await work.outbox.bulkPut(rows)
      await goAgain(work, named)
      await work.receipts.bulkDelete(rows.map(({ key }) => key))
      return closed
    }),
  )
}

/**
 * Marks operations that were not sent yet when the device learned of the restore: they come after all that had been
 * sent. Gives their number.
 */
function putBehind(work: WorkDb, { scope, epoch }: Lost, last: ReadonlyMap<string, string>): Promise<number> {
  return work.outbox
    .filter((row) => row.scope === scope && row.former === undefined)
    .modify((row: { -readonly [Key in keyof OutboxRow]: OutboxRow[Key] }) => {
      const before = last.get(row.patientId)
      if (before !== undefined) row.behind = [before]
      row.former = { epoch, seq: null, collided: [] }
    })
}

/** Where the operation stood in the lost history; null where that does not tell to which data it is to be applied. */
async function formerOf(
  context: SyncContext,
  epoch: string,
  { key, scope, outcome, seq, collided: facts }: Offerable,
  { body }: Operation,
): Promise<LostPlace | null> {
  if (outcome === 'applied') return { epoch, seq, collided: [] }
  // The operation waited and was not applied: like one that was never sent, it has no place among the applied ones.
  if (outcome !== 'conflict') return { epoch, seq: null, collided: [] }
  if (facts !== undefined) return { epoch, seq, collided: facts.map((code) => ({ table: null, rid: null, code })) }
  const { ring, userId } = context
  const places = placesIn(body)
  const ids = places.map((place): [string, string, string] => [
    scope,
    'conflict',
    cacheId(ring, userId, scope, 'conflict', conflictId(key, place, 0)),
  ])
  const rows = await context.storage.run(({ cache }) => cache.rows.bulkGet(ids))
  const collided = rows.ok ? places.filter((_, at) => rows.value[at] !== undefined) : []
  // Where no collision is known here, the server finds out anew what collided then.
  return collided.length === 0 ? null : { epoch, seq, collided }
}

const changes = z.object({ items: z.array(itemChange), rows: z.array(rowChange) })

/** Every place in which an entry's change may have opened a conflict. */
function placesIn(body: JsonValue): LostPlace['collided'] {
  const parsed = changes.safeParse(body)
  if (!parsed.success) return [{ table: null, rid: null, code: DELETED }]
  const { items, rows } = parsed.data
  const ofRows = [...items, ...rows].flatMap(({ table, rid }) => (rid === null ? [] : [{ table, rid, code: DELETED }]))
  const all = [
    ...items.map(({ table, rid, code }) => ({ table, rid, code })),
    ...ofRows,
    { table: null, rid: null, code: DELETED },
  ]
  return [...new Map(all.map((place) => [JSON.stringify(place), place])).values()]
}

function makeOffer(receipt: Offerable, op: Operation, given: Sealed | null): OutboxRow {
  return {
    key: receipt.key,
    seq: op.seq,
    author: op.author,
    scope: receipt.scope,
    projectId: receipt.projectId,
    call: receipt.call,
    entityId: receipt.entityId,
    patientId: receipt.patientId,
    state: 'queued',
    sent: 1,
    attempts: 0,
    nextAt: 0,
    after: op.after,
    actedAt: op.acted.at,
    error: null,
    supersededBy: null,
    op: receipt.op,
    reason: null,
    ...(given === null ? {} : { given }),
  }
}
