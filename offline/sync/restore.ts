import type { ApiError } from '#core/api/errors.ts'
import { conflictId } from '#core/derivedIds.ts'
import { filesNamedBy } from '#core/files/inOperation.ts'
import type { JsonValue } from '#core/json.ts'
import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { itemChange, rowChange } from '#core/sync/entryChange.ts'
import type { FormerPlace } from '#core/sync/protocol/former.ts'
import { DELETED } from '#core/sync/merge.ts'
import type { Operation } from '#core/sync/protocol/operation.ts'
import * as z from 'zod/mini'
import type { Databases, WorkDb } from '#offline/db/databases.ts'
import { countWrite, getMeta, setMeta } from '#offline/db/meta.ts'
import type { OutboxRow, ReceiptRow, Sealed } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { goAgain, offerAgain } from '#offline/files/standing.ts'
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
 * A server that was restored from a backup may have forgotten what it acknowledged since. The very same operations go
 * again, with their keys: what it still has it answers from its own memory, what it has not it books.
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
 * The same for every scope whose keys are here and that was last seen under another epoch, kept or given up since; from
 * then on the device counts on the new one. A pull finds the new epoch by its own cursor and compares everything.
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
 * The same by the epoch that the server was last heard to have: whoever signed in has brought keys of scopes that
 * nobody keeps.
 */
export async function offerForgotten(context: SyncContext): Promise<Result<true, ApiError>> {
  const read = await context.storage.run(({ work }) => getMeta(work, 'serverEpoch'))
  if (!read.ok) return read
  return read.value === undefined ? ok(true) : offerAll(context, read.value)
}

/** After the offer: a crash between the two offers once more what is left to offer. */
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

/** What whoever met the restored server first had no keys for: whoever has them offers it when they come. */
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

/** After the offer: a crash between the two only offers the rest once more. */
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
 * What was held while a project was paused is applied by the server when it goes on. Sent again with the same key, it
 * is answered with what became of it; until then the device would go on saying that it waits.
 */
export function askForHeld(context: SyncContext, projectId: string): Promise<Result<readonly string[], ApiError>> {
  return offer(context, null, async ({ work }) =>
    (await work.receipts.where('outcome').equals('held').toArray()).filter(
      (row): row is Offerable => row.op !== null && row.projectId === projectId,
    ),
  )
}

/**
 * What was in the inbox and has been released, or was held and went to the inbox when the project ended, as pulled rows
 * tell: sent again, it is answered with what became of it. What was returned stays as it is, with the reason in its
 * row.
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
 * Gives the keys of those that this user has no keys for.
 *
 * @param lost the history that the server has forgotten: they go in its order, patient by patient, and what was not
 *   sent yet goes behind them; null where the server has forgotten nothing
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
  /** By patient, the last that goes. */
  const last = new Map<string, string>()
  for (const receipt of receipts.value.toSorted((a, b) => a.seq - b.seq)) {
    const op = await attempt(() => openOperation(ring, receipt))
    // What is somebody else's to read they offer themselves; what is damaged nobody can.
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
      // The receipts of a forgotten time say nothing any more; new ones come with the new answers.
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
 * What was not sent yet when the restore was learned of: it was done after what had been sent. Gives how many that are.
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

/** Where the server had it; null where that says nothing of what it is to be applied to. */
async function formerOf(
  context: SyncContext,
  epoch: string,
  { key, scope, outcome, seq, collided: facts }: Offerable,
  { body }: Operation,
): Promise<FormerPlace | null> {
  if (outcome === 'applied') return { epoch, seq, collided: [] }
  // It waited and was applied to nothing: like what was never sent, it stands nowhere among what was.
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
  // Where none is known here, what collided then is found out anew.
  return collided.length === 0 ? null : { epoch, seq, collided }
}

const changes = z.object({ items: z.array(itemChange), rows: z.array(rowChange) })

/** Every place of which an entry's change may have opened a conflict. */
function placesIn(body: JsonValue): FormerPlace['collided'] {
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
