import ky, { TimeoutError } from 'ky'
import type { BodyOf, Call, DataOf, ParamsOf, QueryOf } from '#core/api/call.ts'
import { decodeAnswer } from '#core/api/decode.ts'
import type { ApiError } from '#core/api/errors.ts'
import { headers, OWN_CLIENT } from '#core/api/headers.ts'
import type { Language } from '#core/api/messages.ts'
import type { Page } from '#core/api/shapes.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { err } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { PROTOCOL } from '#core/sync/operation.ts'

/** Calls of the server from a page: built from the contract, answered with a value or a typed error, never with an exception. */

/** Calls that answer with an envelope or a raw object; streams and files go their own ways. */
export type PlainCallId = { [Id in CallId]: CallOf<Id>['answer'] extends 'ndjson' | 'blob' ? never : Id }[CallId]

/** What a call answers, by its shape. */
export type Answer<Id extends PlainCallId> = CallOf<Id>['answer'] extends 'page'
  ? Page<DataOf<CallOf<Id>>>
  : CallOf<Id>['answer'] extends 'tree'
    ? readonly DataOf<CallOf<Id>>[]
    : DataOf<CallOf<Id>>

/** What the caller gives: only the parts that the call takes. Context is captured here, not when the call is sent (DESIGN §3). */
export interface CallInput<Id extends PlainCallId> {
  readonly params?: ParamsOf<CallOf<Id>>
  readonly query?: Partial<QueryOf<CallOf<Id>>>
  readonly body?: BodyOf<CallOf<Id>>
  readonly projectId?: string
  readonly crfId?: string
  readonly pass?: 1 | 2
  /** Key of a write; a new one where none is given. A retry must give the same. */
  readonly key?: string
  readonly captcha?: { readonly key: string; readonly code: string }
  readonly signal?: AbortSignal
}

/** What the transport needs from the session at the moment of a call. */
export interface ApiContext {
  readonly token: () => string | null
  readonly deviceId: () => string
  readonly appVersion: string
  readonly language: () => Language
  /** Told after every call whether the server answered. */
  readonly onReach: (reached: boolean) => void
}

export type CallServer = <Id extends PlainCallId>(id: Id, input?: CallInput<Id>) => Promise<Result<Answer<Id>, ApiError>>

/** Makes the function that calls the server. It never retries: whoever calls knows whether a retry is safe. */
export function createApi(context: ApiContext): CallServer {
  return async <Id extends PlainCallId>(id: Id, input: CallInput<Id> = {}): Promise<Result<Answer<Id>, ApiError>> => {
    const call: Call = callOf(id)
    const sent = await send(call, input, context)
    // The schema that decoded the value is the one that `Answer` is inferred from.
    return sent as Result<Answer<Id>, ApiError>
  }
}

interface LooseInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly projectId?: string
  readonly crfId?: string
  readonly pass?: 1 | 2
  readonly key?: string
  readonly captcha?: { readonly key: string; readonly code: string }
  readonly signal?: AbortSignal
}

async function send(call: Call, input: LooseInput, context: ApiContext): Promise<Result<unknown, ApiError>> {
  try {
    const response = await ky(addressOf(call, input), {
      method: call.method,
      headers: headersOf(call, input, context),
      ...(input.body === undefined ? {} : { json: input.body }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
      timeout: call.timeoutMs,
      retry: 0,
      throwHttpErrors: false,
      credentials: 'same-origin',
      cache: 'no-store',
    })
    const body = await bodyOf(response)
    context.onReach(body !== undefined)
    return decodeAnswer(call, { status: response.status, body })
  } catch (error) {
    if (input.signal?.aborted === true) return err({ code: 'aborted' })
    context.onReach(false)
    // fetch throws a TypeError for every failure of the network; anything else is a defect and must be seen.
    if (error instanceof TimeoutError) return err({ code: 'timeout' })
    if (error instanceof TypeError || (error instanceof Error && error.name === 'NetworkError')) return err({ code: 'offline' })
    throw error
  }
}

/** The body as JSON, or undefined where something that is not our server answered. */
async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function addressOf(call: Call, input: LooseInput): string {
  const params = entriesOf(input.params)
  const path = call.path.replaceAll(/:([A-Za-z]+)/g, (_all, name: string) => encodeURIComponent(params.get(name) ?? ''))
  const query = new URLSearchParams([...entriesOf(input.query)])
  return `${window.location.origin}/api${path}${query.size === 0 ? '' : `?${query.toString()}`}`
}

function entriesOf(values: unknown): ReadonlyMap<string, string> {
  if (typeof values !== 'object' || values === null) return new Map()
  return new Map(Object.entries(values).flatMap(([name, value]) => (isScalar(value) ? [[name, String(value)] as const] : [])))
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function headersOf(call: Call, input: LooseInput, context: ApiContext): Record<string, string> {
  const token = context.token()
  return {
    [headers.client]: `Basic ${btoa(`${OWN_CLIENT.id}:${OWN_CLIENT.secret}`)}`,
    'Accept-Language': context.language(),
    [headers.deviceId]: context.deviceId(),
    [headers.protocol]: String(PROTOCOL),
    [headers.appVersion]: context.appVersion,
    ...(token === null || call.auth === 'none' ? {} : { [headers.token]: `bearer ${token}` }),
    ...(call.context === 'none' || input.projectId === undefined ? {} : { [headers.projectId]: input.projectId }),
    ...(call.context === 'none' || input.crfId === undefined ? {} : { [headers.crfId]: input.crfId }),
    ...(call.context === 'data' && input.pass !== undefined ? { [headers.doubleSeqNo]: String(input.pass) } : {}),
    ...(call.write ? { [headers.idempotencyKey]: input.key ?? newId() } : {}),
    ...(input.captcha === undefined
      ? {}
      : { [headers.captchaKey]: input.captcha.key, [headers.captchaCode]: input.captcha.code }),
  }
}
