import * as z from 'zod/mini'
import type { UploadState, UploadStart } from '#core/api/calls/attachment.ts'
import { errorKind, isRetryable } from '#core/api/errors.ts'
import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { sha256OfBytes } from '#offline/bytes.ts'
import type { Bytes } from '#offline/bytes.ts'
import type { WorkDb } from '#offline/db/databases.ts'
import type { FileRow } from '#offline/db/rows.ts'
import { attempt } from '#offline/db/storageError.ts'
import { LONGEST_WAIT_MS, backoff, isDue } from '#offline/outbox/order.ts'
import { readJson, send } from '#offline/net/request.ts'
import type { RequestOptions } from '#offline/net/request.ts'
import { CALL_TIMEOUT_MS } from '#offline/sync/context.ts'
import type { SyncContext } from '#offline/sync/context.ts'

import type { FileFacts } from '#offline/vault/sealedKinds.ts'
import { PIECE_BYTES, openFacts, openPiece, thumbText } from './keep.ts'
import { mayBeNamed, waitingOn } from './named.ts'
import { ofWhoeverBrings, sweepFiles } from './upkeep.ts'

/**
 * Sending files: one at a time and piece by piece, after the operation that names the file is at the server. It goes on
 * from where the server stands. What people entered goes first: before each piece we look whether something waits.
 */

/**
 * How long one cycle sends files. After that it is the turn of everything else, and the next cycle sends what is left.
 */
const TURN_MS = 60_000
/** How often a request is sent again at once because its connection broke. */
const TRIES_AT_ONCE = 6
/** How often the server may say that nothing of a piece arrived, before the file waits. */
const VAIN_PIECES = 5
/** How long a file that cannot go yet is not looked at, unless something else changes. */
const NOT_YET_MS = 15_000
const OTHERS_KEYS_MS = 5 * 60_000
/**
 * A value that names a file is journalled a moment after the file. For this long nobody concludes that no value names
 * it.
 */
const LOOSE_AFTER_MS = 120_000
const PIECE_TIMEOUT_MS = 120_000

/** Errors of the session, the app or the device: any other file would fail in the same way. */
const STOPPING: ReadonlySet<ErrorCode> = new Set([
  'unauthenticated',
  'account_disabled',
  'session_revoked',
  'password_changed',
  'client_unknown',
  'client_too_old',
  'password_change_required',
  'rate_limited',
  'device_blocked',
  'busy',
  'server_full',
  'internal',
])

const uploadState = z.object({
  data: z.object({
    state: z.enum(['expected', 'arriving', 'stored', 'refused']),
    received: z.int(),
    problem: z.nullable(z.string()),
  }),
})

export interface FilesEnd {
  readonly sent: number
  /** The error that stopped the sending, if one did. */
  readonly error: ApiError | null
}

/** @param sendData sends what people entered, where something waits; an error ends the sending of files */
export async function sendFiles(
  context: SyncContext,
  sendData: () => Promise<Result<ApiError | null, ApiError>>,
): Promise<Result<FilesEnd, ApiError>> {
  const { storage, now } = context
  const until = now() + TURN_MS
  const read = await storage.run(async ({ work }) => {
    await sweepFiles(work, now())
    return work.files.where('state').equals('unsent').toArray()
  })
  if (!read.ok) return read
  let sent = 0
  for (const row of read.value.filter((one) => isDue(one, now())).toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (now() > until) break
    const end = await sendOne(context, row, until, sendData)
    if (!end.ok) return end
    if (end.value.kind === 'sent') sent += 1
    const booked = await bookEnd(context, row, end.value)
    if (!booked.ok) return booked
    if (end.value.kind === 'stopped') return ok({ sent, error: end.value.error })
  }
  return ok({ sent, error: null })
}

type OneEnd =
  | { readonly kind: 'sent' }
  /** The operation is not at the server yet, the keys are a colleague's, or the cycle's time for files is over. */
  | { readonly kind: 'later'; readonly waitMs: number }
  | { readonly kind: 'loose' }
  | { readonly kind: 'rejected'; readonly problem: string }
  | { readonly kind: 'failed'; readonly error: ApiError }
  | { readonly kind: 'stopped'; readonly error: ApiError }

async function sendOne(
  context: SyncContext,
  row: FileRow,
  until: number,
  sendData: () => Promise<Result<ApiError | null, ApiError>>,
): Promise<Result<OneEnd, ApiError>> {
  const { ring, storage, now } = context
  // What was under way before may be at the server, which tells so itself.
  const waiting = await storage.run(({ work }) =>
    work.outbox
      .where('entityId')
      .equals(row.entryId)
      .filter(({ state, sent }) => sent === 0 && state !== 'aside')
      .count(),
  )
  if (!waiting.ok) return waiting
  if (waiting.value > 0) return ok({ kind: 'later', waitMs: NOT_YET_MS })
  const facts = await attempt(() => openFacts(ring, row))
  if (!facts.ok) return ok({ kind: 'rejected', problem: facts.error.code })
  if (facts.value === null) return ok({ kind: 'later', waitMs: OTHERS_KEYS_MS })
  const thumb = await attempt(() => thumbText(ring, row))
  const body = startOf(row, facts.value, thumb.ok ? thumb.value : null)
  let last = await ask(context, row, { method: 'POST', path: 'start', body: JSON.stringify(body) })
  let vain = 0
  let damaged = 0
  for (;;) {
    // The answer is about the rights of the person at work here, often a colleague who may not bring this file. So the
    // file waits for somebody who may.
    if (!last.ok && ofWhoeverBrings(last.error.code)) return ok({ kind: 'later', waitMs: OTHERS_KEYS_MS })
    if (!last.ok) return last.error.code === 'waits_for_earlier' ? notNamed(context, row) : ok(failedWith(last.error))
    const { state, received, problem } = last.value
    // What arrived does not have the hash that was named. Once, it may have been the beginning of somebody else's
    // upload; twice, the content on this device is damaged.
    if (problem === 'hash') damaged += 1
    if (damaged > 1) return ok({ kind: 'rejected', problem: 'hash' })
    if (state === 'stored') return ok({ kind: 'sent' })
    if (state === 'refused') return ok({ kind: 'rejected', problem: problem ?? 'invalid' })
    const noted = await storage.run(({ work }) => work.files.update(row.id, { sentBytes: received }))
    if (!noted.ok) return noted
    if (received >= row.size) {
      vain += 1
      if (vain > VAIN_PIECES) return ok({ kind: 'failed', error: { code: 'gateway' } })
      last = await ask(context, row, { method: 'POST', path: 'finish', body: '{}' })
      continue
    }
    const stopped = await sendData()
    if (!stopped.ok) return stopped
    if (stopped.value !== null) return ok({ kind: 'stopped', error: stopped.value })
    if (now() > until) return ok({ kind: 'later', waitMs: 0 })
    const piece = await pieceFrom(context, row, received)
    if (!piece.ok)
      return piece.error.code === 'storage_lost' ? ok({ kind: 'rejected', problem: 'storage_lost' }) : piece
    if (piece.value === null) return ok({ kind: 'later', waitMs: OTHERS_KEYS_MS })
    last = await ask(context, row, {
      method: 'PUT',
      path: `piece?from=${received}&hash=${await sha256OfBytes(piece.value)}`,
      body: piece.value,
    })
    vain = last.ok && last.value.state === 'arriving' && last.value.received <= received ? vain + 1 : 0
    if (vain > VAIN_PIECES) return ok({ kind: 'failed', error: { code: 'gateway' } })
  }
}

/** What an upload says of itself. A file without a field is of a query. */
function startOf(
  { entryId, size }: FileRow,
  { name, type, hash, table, rid, code }: FileFacts,
  thumb: string | null,
): UploadStart {
  const said = { name, type, size, hash, thumb }
  return code === null ? { queryId: entryId, ...said } : { entryId, table, rid, code, ...said }
}

/** The bytes from a given byte to the end of its piece. */
async function pieceFrom(
  { storage, ring }: SyncContext,
  row: FileRow,
  from: number,
): Promise<Result<Bytes | null, ApiError>> {
  const n = Math.floor(from / PIECE_BYTES)
  const piece = await storage.run(async ({ work }) => openPiece(ring, row, await work.filePieces.get([row.id, n])))
  return piece.ok && piece.value !== null ? ok(piece.value.slice(from - n * PIECE_BYTES)) : piece
}

/**
 * The server knows of no operation that names the file. Where nothing on this device names it either, no value does.
 */
async function notNamed(context: SyncContext, row: FileRow): Promise<Result<OneEnd, ApiError>> {
  const named = await mayBeNamed(context, row)
  if (!named.ok) return named
  const isLoose = !named.value && context.now() - Date.parse(row.takenAt) > LOOSE_AFTER_MS
  return ok(isLoose ? { kind: 'loose' } : { kind: 'later', waitMs: NOT_YET_MS })
}

function failedWith(error: ApiError): OneEnd {
  if (STOPPING.has(error.code) || errorKind(error.code) === 'transport') return { kind: 'stopped', error }
  if (isRetryable(error.code) || error.code === 'not_available') return { kind: 'failed', error }
  return { kind: 'rejected', problem: error.fields?.[0]?.code ?? error.code }
}

async function bookEnd(
  { storage, now, random }: SyncContext,
  row: FileRow,
  end: OneEnd,
): Promise<Result<unknown, ApiError>> {
  if (end.kind === 'loose') return storage.run(({ work }) => markLoose(work, row, now() + NOT_YET_MS))
  return storage.run(({ work }) =>
    work.files.update(
      row.id,
      (() => {
        switch (end.kind) {
          case 'sent':
            return { state: 'sent' as const, sentBytes: row.size, sentAt: new Date(now()).toISOString(), problem: null }
          case 'later':
            return { nextAt: now() + end.waitMs }
          case 'rejected':
            return { state: 'rejected' as const, problem: end.problem }
          case 'failed':
          case 'stopped': {
            const wait = Math.max(backoff(row.attempts, random()), (end.error.retryAfterSeconds ?? 0) * 1000)
            return { attempts: row.attempts + 1, nextAt: now() + Math.min(LONGEST_WAIT_MS, wait) }
          }
        }
      })(),
    ),
  )
}

/** Marks a file as loose, unless something that names it may have been typed since we looked. */
function markLoose(work: WorkDb, { id, entryId }: FileRow, nextAt: number): Promise<unknown> {
  return work.transaction('rw', work.files, work.outbox, work.drafts, async () =>
    work.files.update(id, (await waitingOn(work, entryId)) > 0 ? { nextAt } : { state: 'loose' }),
  )
}

/**
 * One request about a file. A connection that breaks says nothing about the server: all of these requests may be
 * repeated.
 */
async function ask(
  { wire }: SyncContext,
  row: FileRow,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string | Bytes },
): Promise<Result<UploadState, ApiError>> {
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
  const options: RequestOptions = {
    method,
    path: `/edc/data/page/attach/${row.id}/${path}`,
    headers: { 'Content-Type': type, [headers.projectId]: row.projectId },
    body,
    timeoutMs: typeof body === 'string' ? CALL_TIMEOUT_MS : PIECE_TIMEOUT_MS,
  }
  for (let tries = 1; ; tries += 1) {
    const answer = await send(wire, options)
    const read = answer.ok ? await readJson(answer.value.response) : answer
    if (answer.ok) answer.value.stop()
    if (read.ok) {
      const parsed = uploadState.safeParse(read.value)
      return parsed.success ? ok(parsed.data.data) : err({ code: 'gateway' })
    }
    if (read.error.code !== 'offline' || tries >= TRIES_AT_ONCE) return read
  }
}
