import { isRetryable } from '#core/api/errors.ts'
import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import { PUSH_MAX_BYTES, PUSH_PARALLEL, pushAnswer } from '#core/api/sync/push.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import type { Bytes } from '#offline/bytes.ts'
import { writeDirectly } from '#offline/db/directWrite.ts'
import { getCounters, getMeta } from '#offline/db/meta.ts'
import type { Storage } from '#offline/db/open.ts'
import type { MetaRow, OutboxRow } from '#offline/db/rows.ts'
import { apiError } from '#offline/net/answer.ts'
import { readBundles } from '#offline/net/request.ts'
import type { Gathering } from '#offline/net/request.ts'
import { runsToSend } from '#offline/outbox/order.ts'
import { noteServerTime } from '#offline/sync/clock.ts'
import { SILENCE_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import { envelopeOf, openRuns, packRuns } from './envelope.ts'
import type { ReadyOperation, OperationRun, Sender } from './envelope.ts'
import { inLanes } from './lanes.ts'
import { deviceReport, noteReported } from './report.ts'
import { sendPush } from './send.ts'
import { bookFailed, bookRefused, release, unmark } from './bookAnswers.ts'
import type { Taken } from './bookAnswers.ts'
import { AnswerBook } from './answerBook.ts'

/** Sending the outbox: runs of operations in envelopes, a few envelopes at once, each answer booked as it comes. */

/** Errors of the session, the app, the device or the server's disk: any other operation would fail in the same way. */
const STOPPING: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'account_disabled',
  'session_revoked',
  'password_changed',
  'device_blocked',
  'client_unknown',
  'client_too_old',
  'password_change_required',
  'rate_limited',
  'server_full',
])

/** Errors of a whole envelope that one operation in it may have caused. Halving the envelope finds that operation. */
const POISONED: ReadonlySet<ErrorCode> = new Set(['too_large', 'invalid', 'internal'])

/**
 * What stops the whole push, as opposed to the answer to one operation. `restored`: the epoch of a server that was
 * restored from a backup; it takes nothing before it was offered what it has forgotten.
 */
export type PushEnd = {
  readonly acknowledged: number
  readonly stopped: ApiError | null
  readonly restored: string | null
}

/** What came of an envelope. `failedAlone`: operations at which the server failed although each came by itself. */
interface Sent {
  readonly acknowledged: number
  readonly failedAlone: number
}

const NOTHING_SENT: Sent = { acknowledged: 0, failedAlone: 0 }

/** When this many operations fail one by one and none goes through, the server is at fault and not an operation. */
const ILL_SERVER = 2

/** How often an envelope without any answer is sent again at once because its connection broke. */
const TRIES_AT_ONCE = 5

/** Answers are booked in bundles: each bundle costs the device three transactions, one of which waits for the disk. */
const GATHERING: Gathering = { most: 48, forMs: 1000 }

/** One push under way; its lanes share it. */
interface Course {
  readonly sender: Sender
  readonly book: AnswerBook
  /** The device's write number when the outbox was read: as long as the number is the same, the rows are unchanged. */
  readonly writes: number
  stopped: ApiError | null
  /** Epoch of a server that was restored. */
  restored: string | null
  /** Connections that broke since the server last answered. */
  broken: number
  /** When the device last noted that it reached the server, ms since the epoch. */
  notedAt: number
}

/** How often a long push makes this note. */
const NOTE_EVERY_MS = 5000

/** Sends all that can go now. Ends early when the server cannot be reached, or refuses the session or the app. */
export async function push(context: SyncContext): Promise<Result<PushEnd, ApiError>> {
  const { storage, now } = context
  const read = await storage.run(({ work }) =>
    work.transaction('r', work.outbox, work.meta, async () => ({
      rows: await work.outbox.toArray(),
      writes: (await getCounters(work)).writes,
      epochs: (await getMeta(work, 'epochs')) ?? {},
    })),
  )
  if (!read.ok) return read
  const turns = packRuns(runsToSend(read.value.rows, now()))
  // Push runs every few seconds. A device with nothing to send makes no report here (offline/sync/push/report.ts).
  if (turns.length === 0) return ok({ acknowledged: 0, stopped: null, restored: null })
  const report = await deviceReport(context)
  if (!report.ok) return report
  const course: Course = {
    sender: { report: report.value, epochs: read.value.epochs },
    writes: read.value.writes,
    book: new AnswerBook(context),
    stopped: null,
    restored: null,
    broken: 0,
    notedAt: -Infinity,
  }
  let acknowledged = 0
  let broken: ApiError | null = null
  for (const envelopes of turns) {
    await inLanes<Result<Ready, ApiError>>({
      prepare: async () => {
        const goesOn = broken === null && !hasEnded(course) && course.book.failure === null
        const envelope = goesOn ? envelopes.shift() : undefined
        return envelope === undefined ? null : madeReady(context, course, envelope)
      },
      send: async (ready, heard) => {
        const sent = ready.ok ? await sendReady(context, course, ready.value, heard) : ready
        if (sent.ok) acknowledged += sent.value.acknowledged
        else broken ??= sent.error
      },
    })
    const booked = await course.book.done()
    if (broken !== null) return err(broken)
    if (!booked.ok) return booked
  }
  return ok({ acknowledged, stopped: course.stopped, restored: course.restored })
}

/** Whether nothing more is to be sent in this push. */
function hasEnded({ stopped, restored }: Course): boolean {
  return stopped !== null || restored !== null
}

/** An envelope that waits for its turn. Its rows are marked as under way, unless the envelope cannot go as it is. */
type Ready =
  | { readonly state: 'marked'; readonly operations: readonly ReadyOperation[]; readonly body: Bytes }
  | { readonly state: 'too_large' | 'changed'; readonly operations: readonly ReadyOperation[] }

async function madeReady(
  context: SyncContext,
  course: Course,
  envelope: readonly OperationRun[],
): Promise<Result<Ready, ApiError>> {
  const opened = await openRuns(context, envelope)
  return opened.ok ? marking(context, course, opened.value) : opened
}

async function marking(
  context: SyncContext,
  course: Course,
  operations: readonly ReadyOperation[],
): Promise<Result<Ready, ApiError>> {
  if (operations.length === 0) return ok({ state: 'changed', operations })
  const body = await envelopeOf(context, course.sender, operations)
  if (body.byteLength > PUSH_MAX_BYTES && operations.length > 1) return ok({ state: 'too_large', operations })
  const held = await markUnderWay(context, course.writes, operations)
  if (!held.ok) return held
  if (held.value.length === operations.length) return ok({ state: 'marked', operations, body })
  // A newer save replaced a row between reading and marking: the others go without it.
  const released = await unmark(context, held.value)
  return released.ok ? ok({ state: 'changed', operations: held.value }) : released
}

/** @param heard called as soon as the server has begun to answer */
async function sendReady(
  context: SyncContext,
  course: Course,
  ready: Ready,
  heard: () => void,
): Promise<Result<Sent, ApiError>> {
  if (ready.operations.length === 0) return ok(NOTHING_SENT)
  if (ready.state === 'marked') {
    if (!hasEnded(course)) return deliver(context, course, ready.operations, ready.body, heard)
    const released = await unmark(context, ready.operations)
    return released.ok ? ok(NOTHING_SENT) : released
  }
  return ready.state === 'too_large'
    ? inHalves(context, course, ready.operations)
    : sendEnvelope(context, course, ready.operations)
}

async function sendEnvelope(
  context: SyncContext,
  course: Course,
  operations: readonly ReadyOperation[],
): Promise<Result<Sent, ApiError>> {
  const ready = await marking(context, course, operations)
  return ready.ok ? sendReady(context, course, ready.value, () => undefined) : ready
}

/**
 * Brings marked rows to the server. A connection that breaks says nothing about the server: rows without an answer go
 * again at once, with the same keys. This stops when several connections break in a row without a word of the server.
 */
async function deliver(
  context: SyncContext,
  course: Course,
  operations: readonly ReadyOperation[],
  body: Bytes,
  heard: () => void,
): Promise<Result<Sent, ApiError>> {
  let acknowledged = 0
  let end = await exchange(context, course, operations, body, heard)
  for (let tries = 0; end.ok; tries += 1) {
    const { unanswered, error } = end.value
    acknowledged += end.value.acknowledged
    if (course.restored !== null && unanswered.length > 0) {
      const released = await release(context, unanswered)
      return released.ok ? ok({ acknowledged, failedAlone: 0 }) : released
    }
    // The connection broke after everything had been answered: that does no harm.
    if (unanswered.length === 0 && (error === null || error.code === 'offline'))
      return ok({ acknowledged, failedAlone: 0 })
    if (end.value.heard) tries = 0
    if (error?.code !== 'offline' || course.broken >= PUSH_PARALLEL || tries >= TRIES_AT_ONCE) {
      const booked = await bookUnanswered(context, course, end.value)
      return booked.ok ? ok({ ...booked.value, acknowledged: acknowledged + booked.value.acknowledged }) : booked
    }
    course.broken += 1
    end = await exchange(context, course, unanswered, await envelopeOf(context, course.sender, unanswered), heard)
  }
  return end
}

/** Operations without an answer may have been booked or not: they go again later, with the same keys. */
async function bookUnanswered(context: SyncContext, course: Course, end: Exchanged): Promise<Result<Sent, ApiError>> {
  const { unanswered, error, heard } = end
  const rows = unanswered.map(({ row }) => row)
  if (error !== null && !heard && POISONED.has(error.code)) {
    if (unanswered.length > 1) {
      // One of the operations causes the error: the others must not wait for it.
      const released = await release(context, unanswered)
      // The operations count as sent, whatever keeps the halves from going.
      const again = unanswered.map((one) => ({ ...one, row: { ...one.row, sent: 1 as const } }))
      return released.ok ? inHalves(context, course, again) : released
    }
    const internal = error.code === 'internal'
    const booked = await (internal ? bookFailed(context, rows, error, rows[0]) : bookRefused(context, rows, error))
    // The fault may be in this operation only: it waits, and all others go on.
    return booked.ok ? ok({ acknowledged: 0, failedAlone: internal ? 1 : 0 }) : booked
  }
  if (error?.code === 'proof_wrong') {
    const told = await bookRefused(context, rows, error)
    return told.ok ? ok(NOTHING_SENT) : told
  }
  if (error !== null) course.stopped ??= stopping(error)
  // Operations are answered in order: if the network was not at fault, the first unanswered one was.
  const booked = await bookFailed(context, rows, error ?? { code: 'gateway' }, end.brokeOff ? rows[0] : undefined)
  return booked.ok ? ok(NOTHING_SENT) : booked
}

/** What came of one request. `heard`: something was answered. `brokeOff`: the answer broke off. */
interface Exchanged {
  readonly acknowledged: number
  readonly unanswered: readonly ReadyOperation[]
  readonly error: ApiError | null
  readonly heard: boolean
  readonly brokeOff: boolean
}

/** Sends one request and books each answer as it comes. */
async function exchange(
  context: SyncContext,
  course: Course,
  operations: readonly ReadyOperation[],
  body: Bytes,
  onWord: () => void,
): Promise<Result<Exchanged, ApiError>> {
  const answer = await sendPush(context, body)
  if (answer.ok) onWord()
  if (!answer.ok)
    return ok({ acknowledged: 0, unanswered: operations, error: answer.error, heard: false, brokeOff: false })
  const open = new Map(operations.map((one) => [one.row.key, one]))
  let acknowledged = 0
  let error: ApiError | null = null
  let brokeOff = false
  for await (const lines of readBundles(answer.value, SILENCE_MS, GATHERING)) {
    const booked = await bookLines(context, course, open, lines)
    if (!booked.ok) return booked
    acknowledged += booked.value.acknowledged
    error ??= booked.value.error
    brokeOff ||= lines.some((line) => !line.ok)
  }
  const heard = open.size < operations.length
  return ok({ acknowledged, unanswered: [...open.values()], error, heard, brokeOff })
}

/**
 * Hands on the operations that were taken, and books the refusals of those that were not. `error`: what went wrong
 * with the stream.
 */
async function bookLines(
  context: SyncContext,
  course: Course,
  open: Map<string, ReadyOperation>,
  lines: readonly Result<unknown, ApiError>[],
): Promise<Result<{ readonly acknowledged: number; readonly error: ApiError | null }, ApiError>> {
  const answers: Taken[] = []
  let error: ApiError | null = null
  for (const line of lines) {
    const parsed = line.ok ? pushAnswer.safeParse(line.value) : null
    if (parsed?.success !== true) {
      // An answer in the words of a newer server: that operation waits for a newer app, and the other answers still
      // count.
      error ??= line.ok ? { code: 'client_too_old' } : line.error
      continue
    }
    course.broken = 0
    const said = parsed.data
    if (said.t === 'end') {
      await noteHeard(context, course, said.serverTime)
      if ([...open.values()].some(({ row }) => (course.sender.epochs[row.scope] ?? said.epoch) !== said.epoch))
        course.restored ??= said.epoch
      continue
    }
    const one = open.get(said.key)
    if (one === undefined) continue
    open.delete(said.key)
    if (said.t === 'taken') answers.push({ row: one.row, receipt: said.receipt, result: said.result })
    else {
      const refusal = apiError(said.error)
      const booked = await bookRefusal(context, one.row, refusal)
      if (!booked.ok) return booked
      course.stopped ??= stopping(refusal, true)
    }
  }
  if (answers.length > 0) course.book.add(answers)
  return ok({ acknowledged: answers.length, error })
}

async function noteHeard(context: SyncContext, course: Course, serverTime: string): Promise<void> {
  const now = context.now()
  if (Math.abs(now - course.notedAt) < NOTE_EVERY_MS) return
  course.notedAt = now
  await noteReported(context, course.sender.report)
  await noteServerTime(context, serverTime)
}

function bookRefusal(context: SyncContext, row: OutboxRow, error: ApiError): Promise<Result<unknown, ApiError>> {
  const passes = isRetryable(error.code) || stopping(error, true) !== null || error.code === 'not_available'
  return passes ? bookFailed(context, [row], error) : bookRefused(context, [row], error)
}

/**
 * The error, where it is about the session, the app, the device or the connection and not about one operation; else
 * null.
 */
function stopping(error: ApiError, ofOneOperation = false): ApiError | null {
  if (STOPPING.has(error.code)) return error
  return !ofOneOperation && isRetryable(error.code) ? error : null
}

async function inHalves(
  context: SyncContext,
  course: Course,
  operations: readonly ReadyOperation[],
): Promise<Result<Sent, ApiError>> {
  if (hasEnded(course)) return ok(NOTHING_SENT)
  const middle = Math.ceil(operations.length / 2)
  const first = await sendEnvelope(context, course, operations.slice(0, middle))
  if (!first.ok || hasEnded(course)) return first
  const second = await sendEnvelope(context, course, operations.slice(middle))
  if (!second.ok) return second
  const acknowledged = first.value.acknowledged + second.value.acknowledged
  const failedAlone = first.value.failedAlone + second.value.failedAlone
  if (acknowledged === 0 && failedAlone >= ILL_SERVER) course.stopped ??= { code: 'internal' }
  return ok({ acknowledged, failedAlone })
}

/** Marks rows as under way; from here on they never change. Gives the rows that are still there. */
async function markUnderWay(
  { storage }: SyncContext,
  writes: number,
  operations: readonly ReadyOperation[],
): Promise<Result<readonly ReadyOperation[], ApiError>> {
  const isAsRead = {
    table: 'meta' as const,
    key: 'writes',
    holds: (now: MetaRow | undefined) => (now?.value ?? 0) === writes,
  }
  const changes = operations.map(({ row }) => ({
    table: 'outbox' as const,
    key: row.key,
    row: { ...row, state: 'sending' as const, sent: 1 as const },
  }))
  const marking = await storage.run(({ work }) => writeDirectly(work, [isAsRead], changes))
  if (!marking.ok) return marking
  return marking.value ? ok(operations) : markedOneByOne(storage, operations)
}

/** Somebody has saved since the outbox was read: each row is checked. */
function markedOneByOne(
  storage: Storage,
  operations: readonly ReadyOperation[],
): Promise<Result<readonly ReadyOperation[], ApiError>> {
  return storage.run(({ work }) =>
    work.transaction('rw', work.outbox, async () => {
      const current = await work.outbox.bulkGet(operations.map(({ row }) => row.key))
      const rows = current.flatMap((row) => (row?.state === 'queued' || row?.state === 'retry' ? [row] : []))
      await work.outbox.bulkPut(rows.map((row): OutboxRow => ({ ...row, state: 'sending', sent: 1 })))
      const there = new Set(rows.map(({ key }) => key))
      return operations.filter(({ row }) => there.has(row.key))
    }),
  )
}
