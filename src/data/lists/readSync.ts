import { timeOfId } from '#core/ids.ts'
import { parseScope } from '#core/sync/protocol/scope.ts'
import { getMeta } from '#offline/db/meta.ts'
import type { OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { storageUse } from '#offline/db/usage.ts'
import { readOutboxLines } from '#offline/outbox/outboxLines.ts'
import { decisionOn, waitingReceipts } from '#src/data/casebook/readAttention.ts'
import { openBounces } from '#src/data/rows/bounced.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { openConflicts } from '#src/data/rows/decisions.ts'
import { centersHere, openable, outboxRows, rowsOf } from '#src/data/rows/local.ts'
import { Names } from '#src/data/rows/names.ts'
import { itemsOf, openReceipt, targetOf } from '#src/data/rows/operations.ts'
import type { OutboxView, ReceiptView, SyncState, UnsentCount, UnsentWork } from '#src/data/shapes/types.ts'
import type { Reading } from '#src/data/shapes/reading.ts'

/** What is on this device only and what the server has: derived from rows. */

export function readOutbox(context: DataContext): Reading<readonly OutboxView[]> {
  return context.storage.run(async ({ work }) => {
    const names = new Names(context)
    const paused = (await getMeta(work, 'paused')) ?? null
    const rows = await outboxRows(context)
    return Promise.all(rows.map((row) => outboxView(context, names, row, paused !== null)))
  })
}

async function outboxView(context: DataContext, names: Names, row: OutboxRow, paused: boolean): Promise<OutboxView> {
  const op = await openable(context, row)
  const target = targetOf(op)
  const waiting = row.state === 'queued' || row.state === 'retry'
  return {
    key: row.key,
    projectId: row.projectId,
    seq: row.seq,
    call: row.call,
    state: waiting && paused ? 'paused' : row.state === 'aside' ? 'rejected' : row.state,
    author: row.author,
    authorName: await names.author(row.projectId, row.author),
    patientLabel: await names.patient(row.patientId),
    ...(await names.page(row.projectId, target)),
    actedAt: row.actedAt,
    items: itemsOf(op),
    error: row.error,
    patientId: row.patientId,
    target,
    entityId: row.entityId,
  }
}

/** How many lines of unsent work a work list shows. */
const UNSENT_SHOWN = 50

/** A project's unsent work: the oldest lines, and the count of all. Only lines that are shown are decrypted. */
export function readUnsentWork(context: DataContext, projectId: string): Reading<UnsentWork> {
  return context.storage.run(async ({ work }) => {
    const lines = (await readOutboxLines(context.storage)).filter(
      ({ scope }) => parseScope(scope)?.projectId === projectId,
    )
    const names = new Names(context)
    const paused = (await getMeta(work, 'paused')) ?? null
    const rows = await rowsOf(context, lines.slice(0, UNSENT_SHOWN))
    return {
      lines: await Promise.all(rows.map((row) => outboxView(context, names, row, paused !== null))),
      total: lines.length,
    }
  })
}

/** How many receipts a list shows. */
const RECEIPTS_SHOWN = 200

export function readReceipts(context: DataContext): Reading<readonly ReceiptView[]> {
  return context.storage.run(async ({ work }) => {
    const names = new Names(context)
    const rows = await work.receipts.orderBy('receivedAt').reverse().limit(RECEIPTS_SHOWN).toArray()
    const views = await Promise.all(rows.map((row) => receiptView(context, names, row)))
    return views.filter((view) => view !== null)
  })
}

async function receiptView(context: DataContext, names: Names, row: ReceiptRow): Promise<ReceiptView | null> {
  const receipt = await openReceipt(context, row)
  if (receipt === null) return null
  const op = await openable(context, row)
  const decision = await decisionOn(context, row)
  return {
    ...receipt,
    call: row.call,
    inbox: decision?.state ?? null,
    note: decision?.note ?? null,
    patientLabel: await names.patient(row.patientId),
    ...(await names.page(row.projectId, targetOf(op))),
    items: itemsOf(op),
  }
}

/**
 * What is on this device only, refused operations included. It is counted again after every change, so it reads no more
 * than keys and one row. It does not use the index of states: Chromium keeps the old index entries until it reads over
 * them, and a drain changes every row.
 */
export function readUnsent(context: DataContext): Reading<UnsentCount> {
  return context.storage.run(async ({ work }) => {
    const [all, aside] = await Promise.all([work.outbox.count(), work.outbox.where('state').equals('aside').count()])
    // Keys begin with the time at which they were made.
    const oldest = await work.outbox
      .orderBy('key')
      .filter(({ state }) => state !== 'aside' && state !== 'rejected')
      .first()
    const files = (await work.files.where('state').anyOf('unsent', 'rejected').primaryKeys()).toSorted()
    const first = files.slice(0, 1).map((id) => new Date(timeOfId(id)).toISOString())
    const times = [...first, ...(oldest === undefined ? [] : [oldest.actedAt])].toSorted()
    return { unsent: all - aside + files.length, oldestUnsent: times[0] ?? null }
  })
}

export function readSyncState(context: DataContext): Reading<Omit<SyncState, keyof UnsentCount>> {
  return context.storage.run(async ({ work, cache }) => {
    const refused = await work.outbox.where('state').equals('rejected').count()
    const inNeed = await work.outbox.where('state').equals('reason').toArray()
    const unexplained = new Set(inNeed.map(({ entityId }) => entityId)).size
    const decisions = (await waitingReceipts(context)).length
    const conflicts = (await openConflicts(context, await centersHere(context))).length
    const bounced = (await openBounces(context)).length
    // Without a network nobody needs to sign in; with a network, nothing is sent without a token.
    const unsigned = !context.signedIn() && context.reachable() === true
    const paused = (await getMeta(work, 'paused')) ?? (unsigned ? 'signed_out' : null)
    return {
      reachable: context.reachable(),
      lastContact: (await getMeta(work, 'lastContact')) ?? null,
      driftMs: (await getMeta(work, 'driftMs')) ?? null,
      syncing: (await getMeta(work, 'syncing')) ?? false,
      unexplained: inNeed.length,
      attention: refused + unexplained + decisions + conflicts + bounced,
      paused: context.vault().state === 'locked' ? 'vault_locked' : paused,
      storage: await storageUse(),
      evicted: (await cache.evicted.orderBy('patientId').uniqueKeys()).length,
    }
  })
}
