import type * as z from 'zod/mini'
import type { Call, DataOf } from '#core/api/call.ts'
import { authCalls } from '#core/api/calls/auth.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import { endsSession } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'
import type { Page } from '#core/wire/shapes.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { readBlob, readJson, send } from '#offline/net/request.ts'
import type { Wire } from '#offline/net/request.ts'
import { noteFailure } from '#src/log/capture.ts'

import { decodeAnswer } from './decode.ts'
import { loadPart } from './loadPart.ts'

/** What a call answers with, by the shape of its answer. */
export type AnswerOf<C extends Call> = C['answer'] extends 'page'
  ? Page<DataOf<C>>
  : C['answer'] extends 'tree'
    ? readonly DataOf<C>[]
    : C['answer'] extends 'blob'
      ? Blob
      : DataOf<C>

/**
 * What a call is given. The context is captured when the person acts, never read from the screen's state when the call
 * is sent.
 */
export interface CallInput<C extends Call> {
  readonly params?: z.input<C['params']>
  readonly query?: z.input<C['query']>
  readonly body?: z.input<C['body']>
  readonly projectId?: string
  readonly crfId?: string
  readonly pass?: 1 | 2
  /** Idempotency key of a write that may be repeated; made anew without it. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** False for a call that must not bring a fresh token: the end of a session. */
  readonly renew?: boolean
}

/** What came of asking for a fresh token: `lost` only when the server said so; a silent server takes nothing away. */
export type Refreshed = 'fresh' | 'lost' | 'unreachable'

/** Calls the server by the contract's table. */
export interface Api {
  call<Id extends CallId>(id: Id, input?: CallInput<CallOf<Id>>): Promise<Result<AnswerOf<CallOf<Id>>, ApiError>>
}

/**
 * Rows that a password's check needs are there from the start. The rest of the contract comes with the first call that
 * needs it.
 */
const earlyRows: ReadonlyMap<string, Call> = new Map(authCalls.map((call: Call) => [call.id, call]))

/** The row of a call; null while the rest of the contract can be had neither from this device nor from the server. */
async function rowOf(id: CallId): Promise<Call | null> {
  const early = earlyRows.get(id)
  if (early !== undefined) return early
  const table = await loadPart(() => import('#core/api/table.ts'))
  return table === null ? null : table.callOf(id)
}

/**
 * An API client.
 *
 * @param wire how requests go
 * @param renew asked once by a call that needs a user: before it goes where there is no token, and after a 401
 */
export function createApi(wire: Wire, renew: () => Promise<Refreshed>): Api {
  const once = async (row: Call, input: CallInput<Call>, key: string) => {
    const answer = await send(wire, {
      method: row.method,
      path: pathOf(row, input),
      headers: {
        // The browser names the type of a form itself, with the line that parts it.
        ...(input.body === undefined || row.upload === 'form' ? {} : { 'Content-Type': 'application/json' }),
        ...contextHeaders(row, input),
        ...(row.write ? { [headers.idempotencyKey]: key } : {}),
        ...input.headers,
      },
      ...(input.body === undefined
        ? {}
        : { body: row.upload === 'form' ? formOf(input.body) : JSON.stringify(input.body) }),
      timeoutMs: input.timeoutMs ?? row.timeoutMs,
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    })
    if (!answer.ok) return answer
    // A refusal in words is none of the file's.
    const isFile =
      row.answer === 'blob' &&
      answer.value.response.headers.get('Content-Type')?.startsWith('application/json') !== true
    if (isFile) return readBlob(answer.value)
    const body = await readJson(answer.value.response)
    answer.value.stop()
    return body.ok ? decodeAnswer(row, body.value) : body
  }
  return {
    call: async <Id extends CallId>(id: Id, input: CallInput<CallOf<Id>> = {}) => {
      // One key for both attempts: the first may have been booked.
      const key = input.key ?? newId()
      const row = await rowOf(id)
      if (row === null) return err({ code: 'offline' })
      const mayRenew = input.renew !== false && row.auth !== 'none'
      const isBare = wire.token() === null && input.headers?.[headers.token] === undefined
      // Opened from the device's own memory: a server that is there has yet to be told who this is.
      const before = mayRenew && isBare ? await renew() : null
      const first =
        before === null || before === 'fresh'
          ? await once(row, input, key)
          : err<ApiError>({ code: before === 'lost' ? 'unauthenticated' : 'offline' })
      const again =
        before === null && !first.ok && endsSession(first.error.code) && mayRenew && (await renew()) === 'fresh'
      const last = again ? await once(row, input, key) : first
      // The log's own way out says by itself what went wrong.
      if (!last.ok && id !== 'log.local') noteFailure('api', id, last.error.code)
      // Decoded by the schemas of the very row that the type is derived from.
      return last as Result<AnswerOf<CallOf<Id>>, ApiError>
    },
  }
}

function formOf(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body as Readonly<Record<string, string | Blob>>)) form.set(name, value)
  return form
}

function pathOf(row: Call, input: CallInput<Call>): string {
  const params = (input.params ?? {}) as Readonly<Record<string, unknown>>
  const path = row.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(
    (input.query ?? {}) as Readonly<Record<string, string | number | undefined>>,
  )) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

function contextHeaders(row: Call, { projectId, crfId, pass }: CallInput<Call>): Record<string, string> {
  if (row.context === 'none') return {}
  return {
    ...(projectId === undefined ? {} : { [headers.projectId]: projectId }),
    ...(crfId === undefined ? {} : { [headers.crfId]: crfId }),
    ...(row.context === 'data' ? { [headers.doubleSeqNo]: String(pass ?? 1) } : {}),
  }
}
