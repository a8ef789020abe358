import ky, { isTimeoutError } from 'ky'
import type { Options, SearchParamsOption } from 'ky'
import type { Call } from '#core/api/call.ts'
import { authCalls } from '#core/api/calls/auth.ts'
import { endsSession } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { MANNER, introduceSelf, isContact, readBlob, readFailure, readJson } from '#offline/net/request.ts'
import type { Wire } from '#offline/net/request.ts'
import { noteFailure } from '#src/log/capture.ts'

import type { AnswerOf, Api, CallInput, Refreshed } from '../api.ts'
import { decodeAnswer } from './decode.ts'
import { loadPart } from '#src/parts/loadPart.ts'

/**
 * How screens ask the server: every call of theirs goes through here, by ky. It adds token and context to a request,
 * ends it in time, and repeats what may be repeated. What people enter is not sent from here but from the outbox.
 */

/** How often a call that may be repeated is sent again at once when nothing answers, after 0.3 and 0.6 s. */
const TIMES_AGAIN = 2

/**
 * The rows of the contract for checking a password are there from the start. The rest of the contract comes with the
 * first call that needs it.
 */
const earlyRows: ReadonlyMap<string, Call> = new Map(authCalls.map((call: Call) => [call.id, call]))

/**
 * A call's row of the contract; null while the rest of the contract comes neither from this device nor from the server.
 */
async function rowOf(id: CallId): Promise<Call | null> {
  const early = earlyRows.get(id)
  if (early !== undefined) return early
  const table = await loadPart(() => import('#core/api/table.ts'))
  return table === null ? null : table.callOf(id)
}

/** The client behind `createApi`, which documents its parameters. */
export function createClient(wire: Wire, renew: () => Promise<Refreshed>, mayAskAgain: () => boolean): Api {
  const send = createSender(wire, mayAskAgain)
  return {
    call: async <Id extends CallId>(id: Id, input: CallInput<CallOf<Id>> = {}) => {
      // One key for both attempts: the first may have been booked.
      const key = input.key ?? newId()
      const row = await rowOf(id)
      if (row === null) return err({ code: 'offline' })
      const mayRenew = input.renew !== false && row.auth !== 'none'
      const isBare = wire.token() === null && input.headers?.[headers.token] === undefined
      // The session was opened from the device's own memory: the server has not been told yet who this is.
      const before = mayRenew && isBare ? await renew() : null
      const first =
        before === null || before === 'fresh'
          ? await send(row, input, key)
          : err<ApiError>({ code: before === 'lost' ? 'unauthenticated' : 'offline' })
      const again =
        before === null && !first.ok && endsSession(first.error.code) && mayRenew && (await renew()) === 'fresh'
      const last = again ? await send(row, input, key) : first
      // The upload of the error log reports its own failures.
      if (!last.ok && id !== 'log.local') noteFailure('api', id, last.error.code)
      // Decoded by the schemas of the same row from which the type is derived.
      return last as Result<AnswerOf<CallOf<Id>>, ApiError>
    },
  }
}

type Send = (row: Call, input: CallInput<Call>, key: string) => Promise<Result<unknown, ApiError>>

/** Makes what sends a call and reads its answer, within the call's time limit. */
function createSender(wire: Wire, mayAskAgain: () => boolean): Send {
  const client = ky.create({
    ...MANNER,
    // ky takes whole addresses only.
    prefix: `${wire.base === '' ? location.origin : wire.base}/api`,
    fetch: (request, init) => wire.fetch(request, init),
    // Our own errors decide what a status means.
    throwHttpErrors: false,
    // One limit (`totalTimeout`) covers the whole call: its repetitions and the reading of its answer.
    timeout: false,
    hooks: {
      beforeRequest: [
        ({ request }) => {
          // A call that names its own author is believed.
          for (const [name, value] of Object.entries(introduceSelf(wire)))
            if (!request.headers.has(name)) request.headers.set(name, value)
        },
      ],
    },
  })
  return async (row, input, key) => {
    const { signal } = input
    const answer = client(pathOf(row, input), {
      method: row.method,
      searchParams: input.query as SearchParamsOption,
      headers: {
        ...contextHeaders(row, input),
        ...(row.write ? { [headers.idempotencyKey]: key } : {}),
        ...input.headers,
      },
      ...bodyOf(row, input),
      totalTimeout: input.timeoutMs ?? row.timeoutMs,
      retry: {
        limit: mayRepeat(row) ? TIMES_AGAIN : 0,
        methods: [row.method],
        // ky would read from an error's words whether nothing answered; we do not.
        shouldRetry: ({ error }) => !isTimeoutError(error) && signal?.aborted !== true && mayAskAgain(),
      },
      ...(signal === undefined ? {} : { signal }),
    })
    let response: Response
    try {
      response = await answer
    } catch (error) {
      // The thrown error says only that there is no answer; why we stopped waiting is known here.
      const code = signal?.aborted === true ? 'aborted' : isTimeoutError(error) ? 'timeout' : 'offline'
      if (code !== 'aborted') wire.onContact?.(false)
      return err({ code })
    }
    wire.onContact?.(isContact(response.status))
    if (!response.ok) return err(await readFailure(response.status, answer))
    // A refusal is JSON, not the file.
    const isFile =
      row.answer === 'blob' && response.headers.get('Content-Type')?.startsWith('application/json') !== true
    if (isFile) return readBlob(answer)
    const body = await readJson(answer)
    return body.ok ? decodeAnswer(row, body.value) : body
  }
}

/**
 * Whether a call that nothing answered may be sent again: a read, or a write with a key, which the server books once
 * however often it comes. A file is not kept in memory for this, nor sent again over a line that has just broken.
 * A call about the session itself is sent once: the browser adds the session cookie, and a moment later that may be
 * the cookie of a colleague, whose session a late sign-out would end.
 */
function mayRepeat(row: Call): boolean {
  return (row.method === 'GET' || row.write) && row.upload === false && row.area !== 'auth'
}

function bodyOf(row: Call, { body }: CallInput<Call>): Pick<Options, 'body' | 'json'> {
  if (body === undefined) return {}
  // The browser itself sets the content type of a form, with the boundary between its parts.
  return row.upload === 'form' ? { body: formOf(body) } : { json: body }
}

function formOf(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body as Readonly<Record<string, string | Blob>>)) form.set(name, value)
  return form
}

function pathOf(row: Call, input: CallInput<Call>): string {
  const params = (input.params ?? {}) as Readonly<Record<string, unknown>>
  return row.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function contextHeaders(row: Call, { projectId, crfId, pass }: CallInput<Call>): Record<string, string> {
  if (row.context === 'none') return {}
  return {
    ...(projectId === undefined ? {} : { [headers.projectId]: projectId }),
    ...(crfId === undefined ? {} : { [headers.crfId]: crfId }),
    ...(row.context === 'data' ? { [headers.doubleSeqNo]: String(pass ?? 1) } : {}),
  }
}
