import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { Result } from '#core/result.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import { PROTOCOL } from '#core/sync/protocol.ts'
import type { Operation } from '#core/sync/operation.ts'
import { getMeta, nextSeq, setMeta } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import type { LeaseRow, OutboxRow } from '#offline/db/rows.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import { prove } from '#offline/vault/keys.ts'

import { REPLACEABLE, joinChanges } from './draftOp.ts'
import type { DraftOp } from './draftOp.ts'

/** Who acts, on what, with which keys. */
export interface Author {
  readonly userId: string
  readonly ring: KeyRing
  readonly proof: CryptoKey
  readonly deviceId: string
  readonly appVersion: string
  readonly now: () => Date
}

/** What else belongs to the transaction that queues an operation. */
export interface Along {
  /** Journal rows that the operation holds; read before, deleted with it. */
  readonly drafts?: readonly string[]
  /** A lease from which a number was taken. Refused when another tab took one meanwhile (`rev`). */
  readonly lease?: { readonly row: LeaseRow; readonly expectedRev: number }
}

export interface Queued {
  readonly key: string
  readonly at: string
  /** The device's write number (`meta.writes`): a reading taken at this number or a later one holds this write. */
  readonly order: number
}

/** How often enqueueing starts over when a row it builds on changed under it. */
const ATTEMPTS = 5

/**
 * Queues what a person did: outbox row, journal and lease in one transaction. A save that was never sent gives way to a newer one of
 * the same entry by the same author, with a new key and the journals joined; so does a refused one, which is kept aside. What is
 * unsent and cannot be joined, the operation builds on (`after`).
 */
export async function enqueue(storage: Storage, author: Author, draft: DraftOp, along: Along = {}): Promise<Result<Queued, ApiError>> {
  const key = newId()
  for (let tried = 0; tried < ATTEMPTS; tried += 1) {
    const result = await storage.run(() => enqueueOnce(storage, author, key, draft, along))
    if (!result.ok || result.value !== 'changed_meanwhile') return result as Result<Queued, ApiError>
  }
  return { ok: false, error: { code: 'busy' } }
}

async function enqueueOnce(
  storage: Storage,
  author: Author,
  key: string,
  draft: DraftOp,
  along: Along,
): Promise<Queued | 'changed_meanwhile'> {
  const { work } = storage
  // The database was closed after it had committed and before it could say so: what is there is not made a second time.
  const there = await work.outbox.get(key)
  if (there !== undefined) return { key, at: there.actedAt, order: (await getMeta(work, 'writes')) ?? 0 }
  const rows = await work.outbox.where('patientId').equals(draft.patientId).toArray()
  const plan = await planFor(author, draft, rows)
  const op = await makeOperation(storage, author, key, draft, plan.body, plan.after)
  const row = await makeRow(author, draft, op)
  const order = await work.transaction('rw', work.outbox, work.drafts, work.leases, work.meta, async () => {
    for (const seen of plan.replaces) {
      const current = await work.outbox.get(seen.key)
      if (current === undefined || current.state !== seen.state || current.sent !== seen.sent) return null
    }
    if ((await work.outbox.bulkGet([...plan.after])).some((found) => found === undefined)) return null
    // A tab beside has queued something for the same entry: this one has to build on it.
    const now = await work.outbox.where('entityId').equals(draft.entityId).primaryKeys()
    if (now.some((known) => !rows.some((row) => row.key === known))) return null
    if (along.lease !== undefined) {
      const current = await work.leases.get(along.lease.row.centerId)
      if (current?.rev !== along.lease.expectedRev) throw fail('revision_changed')
      await work.leases.put(along.lease.row)
    }
    for (const seen of plan.replaces) {
      if (seen.state === 'queued') await work.outbox.delete(seen.key)
      else await work.outbox.update(seen.key, { state: 'aside', supersededBy: row.key })
    }
    await work.outbox.add(row)
    await work.drafts.bulkDelete([...(along.drafts ?? [])])
    const writes = ((await getMeta(work, 'writes')) ?? 0) + 1
    await setMeta(work, 'writes', writes)
    return writes
  })
  return order === null ? 'changed_meanwhile' : { key: row.key, at: op.acted.at, order }
}

interface Plan {
  readonly body: JsonValue
  readonly after: readonly string[]
  readonly replaces: readonly OutboxRow[]
}

async function planFor(author: Author, draft: DraftOp, rows: readonly OutboxRow[]): Promise<Plan> {
  const live = rows.filter(({ state }) => state !== 'aside').toSorted((a, b) => a.seq - b.seq)
  const ofEntity = live.filter(({ entityId }) => entityId === draft.entityId)
  let body = draft.body
  const replaces: OutboxRow[] = []
  // From the newest back: whatever this save can take over, it does, up to the first row that it must build on.
  const left = [...ofEntity]
  while (takesOver(draft, author, left.at(-1))) {
    const row = left.at(-1)
    const earlier = row === undefined ? null : await openOperation(author.ring, row)
    if (row === undefined || earlier === null || earlier.crfVersionId !== draft.crfVersionId) break
    // The body of every entry call but deletion is an entry change; `takesOver` lets only those through.
    const joined = joinChanges(earlier.body as unknown as EntryChange, body as unknown as EntryChange)
    if (joined === null) break
    body = joined as unknown as JsonValue
    replaces.push(row)
    left.pop()
  }
  const last = left.findLast(({ state }) => state !== 'rejected')
  const patientOp = live.findLast(({ entityId, state }) => entityId === draft.patientId && state !== 'rejected')
  const builtOn = last ?? (draft.entityId === draft.patientId ? undefined : patientOp)
  const after = builtOn === undefined ? [] : [builtOn.key]
  return { body, after, replaces }
}

function takesOver(draft: DraftOp, author: Author, row: OutboxRow | undefined): boolean {
  if (row === undefined || row.author !== author.userId || !REPLACEABLE.has(draft.call)) return false
  if (row.state === 'queued') return row.sent === 0 && REPLACEABLE.has(row.call)
  // The server has said that it took nothing of it, because what it builds on was not taken.
  if (row.state === 'retry' && row.error?.code === 'waits_for_earlier') return REPLACEABLE.has(row.call)
  // What was refused is said again with the newer values; a refused submit becomes a save until the person submits again.
  return row.state === 'rejected' && (REPLACEABLE.has(row.call) || row.call === 'entry.submit')
}

async function makeOperation(
  storage: Storage,
  author: Author,
  key: string,
  draft: DraftOp,
  body: JsonValue,
  after: readonly string[],
): Promise<Operation> {
  const now = author.now()
  return prove(author.proof, {
    key,
    call: draft.call,
    author: author.userId,
    deviceId: author.deviceId,
    seq: await nextSeq(storage.work),
    projectId: draft.projectId,
    centerId: draft.centerId,
    crfVersionId: draft.crfVersionId,
    pass: draft.pass,
    entityId: draft.entityId,
    after: [...after],
    acted: {
      at: now.toISOString(),
      offsetMinutes: -now.getTimezoneOffset(),
      driftMs: (await getMeta(storage.work, 'driftMs')) ?? null,
    },
    appVersion: author.appVersion,
    protocol: PROTOCOL,
    body,
  })
}

async function makeRow(author: Author, draft: DraftOp, op: Operation): Promise<OutboxRow> {
  // What a person enters may identify a patient in any field.
  const level = sensitiveLevel(author.ring, draft.scope)
  return {
    key: op.key,
    seq: op.seq,
    author: op.author,
    scope: draft.scope,
    projectId: op.projectId,
    call: op.call,
    entityId: op.entityId,
    patientId: draft.patientId,
    state: 'queued',
    sent: 0,
    attempts: 0,
    nextAt: 0,
    after: op.after,
    actedAt: op.acted.at,
    error: null,
    supersededBy: null,
    op: await seal(author.ring, { scope: draft.scope, kind: 'op', id: op.key }, level, op as unknown as JsonValue),
    reason: null,
  }
}

/** The operation of a row; null when the ring cannot open it. */
export async function openOperation(ring: KeyRing, row: Pick<OutboxRow, 'key' | 'scope' | 'op'>): Promise<Operation | null> {
  // Sealed by `makeRow` with this shape, and authenticated.
  return (await unseal(ring, { scope: row.scope, kind: 'op', id: row.key }, row.op)) as unknown as Operation | null
}

/** At start: what was under way when the app died is queued again, with the same key. Only one tab sends, so only that one calls it. */
export async function requeueSending(storage: Storage): Promise<Result<number, ApiError>> {
  return storage.run(({ work }) => work.outbox.where('state').equals('sending').modify({ state: 'queued' }))
}

