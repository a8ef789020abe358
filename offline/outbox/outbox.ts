import { fail } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { callIn, isEntryChange } from '#core/api/sync/operation.ts'
import type { AnyOperation, CallWithBody } from '#core/api/sync/operation.ts'
import { filesNamedBy } from '#core/files/inOperation.ts'
import { newId } from '#core/ids.ts'
import type { Result } from '#core/result.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import { PROTOCOL } from '#core/sync/protocol/protocol.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import { writeDirectly } from '#offline/db/directWrite.ts'
import { getCounters, nextSeq, setCounters } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import type { FileRow, LeaseRow, OutboxRow, ReceiptRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { goAgain } from '#offline/files/upkeep.ts'
import { seal, sensitiveLevel, unseal } from '#offline/vault/codec.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import { prove } from '#offline/vault/keys.ts'

import { REPLACEABLE, joinChanges, onlyExplains, unexplainedOf } from './plannedOperation.ts'
import type { PlannedOperation } from './plannedOperation.ts'
import { look, seenAhead, stillHolds } from './seen.ts'
import type { Seen } from './seen.ts'

/** Who acts, with which keys, on which device and in which version of the app. */
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
  /** Journal rows whose steps the operation holds: deleted in its transaction. */
  readonly drafts?: readonly string[]
  /** A lease from which a number was taken. Refused when another tab took a number meanwhile (`rev`). */
  readonly lease?: { readonly row: LeaseRow; readonly expectedRev: number }
}

export interface Queued {
  readonly key: string
  readonly at: string
  /** The device's write number (`meta.writes`): what is read at this number or a later one includes this write. */
  readonly order: number
}

/** How often enqueueing starts over when a row on which it builds has changed meanwhile. */
const ATTEMPTS = 5

/**
 * Queues what a person did: outbox row, journal and lease in one transaction. A newer save of the same entry by the
 * same author replaces a save that was never sent: it gets a new key, and the journals are joined. It also replaces a
 * refused save, which is kept aside. Where unsent work cannot be joined, the operation builds on it (`after`).
 */
export async function enqueue(
  storage: Storage,
  author: Author,
  planned: PlannedOperation,
  along: Along = {},
  prepared: Prepared | null = null,
): Promise<Result<Queued, ApiError>> {
  const key = prepared?.row.key ?? newId()
  let isFirstTry = true
  for (let tried = 0; tried < ATTEMPTS; tried += 1) {
    const result = await storage.run(async () => {
      const isFirst = isFirstTry
      isFirstTry = false
      const ready = isFirst && prepared !== null ? prepared : await make(storage.work, author, key, planned, isFirst)
      return enqueueOnce(storage.work, planned, ready, along, isFirst)
    })
    if (!result.ok || result.value !== 'changed_meanwhile') return result as Result<Queued, ApiError>
  }
  return { ok: false, error: { code: 'busy' } }
}

/**
 * An operation that could be queued as things were when it was planned. Its transaction finds out whether they still
 * are so.
 */
export interface Prepared {
  readonly seen: Seen
  readonly plan: Plan
  readonly row: OutboxRow
}

/** Makes an operation ahead, before it is asked for, so that a person who goes on waits for the disk alone. */
export function prepare(
  storage: Storage,
  author: Author,
  planned: PlannedOperation,
): Promise<Result<Prepared, ApiError>> {
  return storage.run(() => make(storage.work, author, newId(), planned, true))
}

/**
 * @param isFirstTry whether it may rely on what was read ahead, and on the next sequence number being free. The
 *   transaction checks both; only another tab or a sync can change them. Allowed on the first try only: on a later one
 *   the row may be there already.
 */
async function make(
  work: WorkDb,
  author: Author,
  key: string,
  planned: PlannedOperation,
  isFirstTry: boolean,
): Promise<Prepared> {
  const seen = (isFirstTry ? await seenAhead(work, planned) : null) ?? (await look(work, planned))
  const plan = await planFor(author, planned, seen.rows)
  const seq = isFirstTry ? seen.counters.outboxSeq + 1 : await nextSeq(work)
  const op = await makeOperation(author, key, planned, plan, { seq, driftMs: seen.driftMs })
  return { seen, plan, row: await makeRow(author, planned, op, plan.unexplained) }
}

async function enqueueOnce(
  work: WorkDb,
  planned: PlannedOperation,
  ready: Prepared,
  along: Along,
  isFirstTry: boolean,
): Promise<Queued | 'changed_meanwhile'> {
  const { seen, plan, row } = ready
  const { key, seq } = row
  if (isFirstTry && along.lease === undefined && plan.replaces.every(isUnsent)) {
    return writeAtOnce(work, ready, along.drafts ?? [])
  }
  return work.transaction('rw', work.outbox, work.drafts, work.leases, work.files, work.meta, async () => {
    const [there, holds, counters] = await Promise.all([
      work.outbox.get(key),
      stillHolds(work, seen, planned),
      getCounters(work),
    ])
    // The database was closed after it had committed and before it could say so: the row is there, and is not made a
    // second time.
    if (there !== undefined) return { key, at: there.actedAt, order: counters.writes }
    if (!holds || (isFirstTry && counters.outboxSeq !== seq - 1)) return 'changed_meanwhile'
    if (along.lease !== undefined) {
      const current = await work.leases.get(along.lease.row.centerId)
      if (current?.rev !== along.lease.expectedRev) throw fail('revision_changed')
      await work.leases.put(along.lease.row)
    }
    const order = counters.writes + 1
    await Promise.all([
      ...plan.replaces.map((old) =>
        isUnsent(old)
          ? work.outbox.delete(old.key)
          : work.outbox.update(old.key, { state: 'aside', supersededBy: row.key }),
      ),
      work.outbox.add(row),
      work.drafts.bulkDelete([...(along.drafts ?? [])]),
      goAgain(work, plan.names),
      setCounters(work, { writes: order, outboxSeq: Math.max(seq, counters.outboxSeq) }),
    ])
    return { key, at: row.actedAt, order }
  })
}

/**
 * Writes and checks in one transaction, and does not wait for the checks first, because a person would wait for them.
 * Everybody who adds operations or takes a sequence number counts up `writes`. Besides, a replaced row must still be
 * unsent, and no named file may have become loose. A row on which this one builds may have been sent, taken or refused
 * meanwhile: that changes nothing, because it could also have happened a moment later.
 */
async function writeAtOnce(
  work: WorkDb,
  { seen, plan, row }: Prepared,
  drafts: readonly string[],
): Promise<Queued | 'changed_meanwhile'> {
  const { counters } = seen
  const order = counters.writes + 1
  const isWritten = await writeDirectly(
    work,
    [
      { table: 'meta', key: 'writes', holds: (now) => (now?.value ?? 0) === counters.writes },
      ...plan.replaces.map((old) => ({
        table: 'outbox' as const,
        key: old.key,
        holds: (now: OutboxRow | undefined) => now?.state === old.state && now.sent === old.sent,
      })),
      ...plan.names.map((key) => ({
        table: 'files' as const,
        key,
        holds: (now: FileRow | undefined) => now?.state !== 'loose',
      })),
    ],
    [
      { table: 'meta', key: 'writes', row: { key: 'writes', value: order } },
      { table: 'meta', key: 'outboxSeq', row: { key: 'outboxSeq', value: row.seq } },
      ...plan.replaces.map(({ key }) => ({ table: 'outbox' as const, key, row: null })),
      ...drafts.map((key) => ({ table: 'drafts' as const, key, row: null })),
      { table: 'outbox', key: row.key, row },
    ],
  )
  return isWritten ? { key: row.key, at: row.actedAt, order } : 'changed_meanwhile'
}

interface Plan {
  /** What the operation says: the planned operation, joined with what it takes over. */
  readonly said: CallWithBody
  readonly after: readonly string[]
  readonly replaces: readonly OutboxRow[]
  /** The places for which the author has yet to give a reason. */
  readonly unexplained: readonly ReasonPlace[]
  /** Files that the operation names. */
  readonly names: readonly string[]
}

async function planFor(author: Author, planned: PlannedOperation, rows: readonly OutboxRow[]): Promise<Plan> {
  const live = rows.filter(({ state }) => state !== 'aside').toSorted((a, b) => a.seq - b.seq)
  const ofEntity = live.filter(({ entityId }) => entityId === planned.entityId)
  let said = callIn(planned)
  const replaces: OutboxRow[] = []
  // From the newest row backwards: the save takes over each row that it can, up to the first row on which it must
  // build.
  const left = [...ofEntity]
  while (takesOver(planned, author, left.at(-1))) {
    const row = left.at(-1)
    if (row === undefined) break
    // A row with damaged bytes is left as it is, for a person to see. The page can be saved all the same.
    const opened = await attempt(() => openOperation(author.ring, row))
    const earlier = opened.ok ? opened.value : null
    if (earlier === null || earlier.crfVersionId !== planned.crfVersionId) break
    // `takesOver` lets no other calls through.
    if (!isEntryChange(earlier) || !isEntryChange(said)) break
    const joined = joinChanges(earlier.body, said.body)
    if (joined === null) break
    said = { call: said.call, body: joined }
    replaces.push(row)
    left.pop()
  }
  const last = left.findLast(({ state }) => state !== 'rejected')
  const patientOp = live.findLast(({ entityId, state }) => entityId === planned.patientId && state !== 'rejected')
  const visitOp = live.findLast(({ entityId, state }) => entityId === planned.visitId && state !== 'rejected')
  // A visit builds on its patient: what waits for the visit waits for the patient too.
  const builtOn = last ?? (planned.entityId === planned.patientId ? undefined : (visitOp ?? patientOp))
  const after = builtOn === undefined ? [] : [builtOn.key]
  return {
    said,
    after,
    replaces,
    unexplained:
      isEntryChange(planned) && isEntryChange(said) && needsReasons(planned, ofEntity)
        ? unexplainedOf(
            planned,
            said.body,
            replaces.flatMap((row) => row.unexplained ?? []),
          )
        : [],
    names: filesNamedBy(said.body),
  }
}

/**
 * Whether the page was submitted before, as far as its author or this device knows. A refused submit does not count.
 */
function needsReasons(planned: PlannedOperation, ofEntity: readonly OutboxRow[]): boolean {
  // A change that waits for its reason shows it too, also to a tab that has not heard of the submit.
  return (
    planned.submittedOnce === true ||
    ofEntity.some(({ call, state }) => state === 'reason' || (call === 'entry.submit' && state !== 'rejected'))
  )
}

/** Whether a row never left this device and waits only for its turn or for its reasons. */
function isUnsent({ state }: OutboxRow): boolean {
  return state === 'queued' || state === 'reason'
}

function takesOver(planned: PlannedOperation, author: Author, row: OutboxRow | undefined): boolean {
  if (row === undefined || row.author !== author.userId || !REPLACEABLE.has(planned.call)) return false
  if (row.state === 'queued') return row.sent === 0 && REPLACEABLE.has(row.call)
  if (row.state === 'reason') return REPLACEABLE.has(row.call)
  // The server said that it took nothing of this operation, because it had not taken what the operation builds on.
  if (row.state === 'retry' && row.error?.code === 'waits_for_earlier') return REPLACEABLE.has(row.call)
  // A refused save is replaced by one with the newer values. A refused submit becomes a save until the person submits
  // again.
  return row.state === 'rejected' && (REPLACEABLE.has(row.call) || row.call === 'entry.submit')
}

async function makeOperation(
  author: Author,
  key: string,
  planned: PlannedOperation,
  { said, after }: Plan,
  { seq, driftMs }: { readonly seq: number; readonly driftMs: number | null },
): Promise<AnyOperation> {
  const now = author.now()
  return prove(author.proof, {
    key,
    ...said,
    author: author.userId,
    deviceId: author.deviceId,
    seq,
    projectId: planned.projectId,
    centerId: planned.centerId,
    crfVersionId: planned.crfVersionId,
    pass: planned.pass,
    entityId: planned.entityId,
    after: [...after],
    acted: {
      at: now.toISOString(),
      offsetMinutes: -now.getTimezoneOffset(),
      driftMs,
    },
    appVersion: author.appVersion,
    protocol: PROTOCOL,
  })
}

async function makeRow(
  author: Author,
  planned: PlannedOperation,
  op: AnyOperation,
  unexplained: readonly ReasonPlace[],
): Promise<OutboxRow> {
  // What a person enters may identify a patient in any field.
  const level = sensitiveLevel(author.ring, planned.scope)
  return {
    ...(planned.mark === undefined ? {} : { mark: planned.mark }),
    ...(unexplained.length === 0 ? {} : { unexplained }),
    ...(op.call === 'entry.save' && onlyExplains(op.body) ? { explains: 1 as const } : {}),
    key: op.key,
    seq: op.seq,
    author: op.author,
    scope: planned.scope,
    projectId: op.projectId,
    call: op.call,
    entityId: op.entityId,
    patientId: planned.patientId,
    state: unexplained.length === 0 ? 'queued' : 'reason',
    sent: 0,
    attempts: 0,
    nextAt: 0,
    after: op.after,
    actedAt: op.acted.at,
    error: null,
    supersededBy: null,
    op: await seal(author.ring, { scope: planned.scope, kind: 'op', id: op.key }, level, op),
    reason: null,
  }
}

/** The operation of a row; null when the ring cannot open it, or it was let go (offline/sync/letGo.ts). */
export async function openOperation(
  ring: KeyRing,
  row: Pick<OutboxRow | ReceiptRow, 'key' | 'scope' | 'op'>,
): Promise<AnyOperation | null> {
  return row.op === null ? null : unseal(ring, { scope: row.scope, kind: 'op', id: row.key }, row.op)
}

/**
 * At start: operations that were under way when the app died are queued again, with the same keys. Only one tab sends,
 * so only that tab calls this.
 */
export async function requeueSending(storage: Storage): Promise<Result<number, ApiError>> {
  return storage.run(({ work }) => work.outbox.where('state').equals('sending').modify({ state: 'queued' }))
}
