import * as z from 'zod/mini'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import type { Call } from './call.ts'
import { isErrorCode } from './errors.ts'
import type { ApiError, ErrorCode } from './errors.ts'
import { json } from './shapes.ts'
import { wireError } from '../sync/push.ts'

/**
 * The one place where an answer becomes a value or a typed error (docs/adr/0006-errors.md); page and worker use it alike. The body
 * decides: HTTP 200 with `success: false` is a failure.
 */

const envelope = z.object({
  code: z.int(),
  success: z.boolean(),
  data: z.optional(json),
  msg: z.string(),
  error: z.optional(wireError),
})

/** A refused token request (`TokenFailure` of envelope.ts): what OAuth asks for, and which of our errors it was. */
const tokenFailure = z.object({ error: z.string(), error_description: z.string(), failure: wireError })

/** What came back over HTTP. `body` is the parsed JSON, or undefined when it was none. */
export interface HttpAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Decodes the answer of a call whose shape is `r`, `page`, `tree` or `raw`. The value is as the contract's schema gives it: for a
 * page `{records, total, …}`, for a tree an array.
 */
export function decodeAnswer(call: Call, answer: HttpAnswer): Result<unknown, ApiError> {
  if (call.answer === 'raw') {
    const failure = rawFailure(answer)
    return failure === null ? parse(call.data, answer.body) : err(failure)
  }
  const parsed = z.safeParse(envelope, answer.body)
  if (!parsed.success) return err(withoutEnvelope(answer.status))
  const { code, success, data, msg, error } = parsed.data
  if (!success) return err(errorOf(error, code, msg))
  switch (call.answer) {
    case 'page':
      return parse(pageSchema(call.data), data)
    case 'tree':
      return parse(z.array(call.data), data)
    default:
      return parse(call.data, data)
  }
}

/** A typed error as the wire carries it, back into ours. A code that this client does not know counts as `internal`. */
export function errorFromWire(error: z.infer<typeof wireError>): ApiError {
  const { code, message, fields, problems, retryAfterSeconds } = error
  return {
    code: isErrorCode(code) ? code : 'internal',
    ...(message === undefined ? {} : { message }),
    ...(fields === undefined ? {} : { fields: fields.map(({ params, ...field }) => ({ ...field, ...(params === undefined ? {} : { params }) })) }),
    ...(problems === undefined ? {} : { problems }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/** What an answer without an envelope means: something between us and the server spoke, or a server that we do not know. */
export function withoutEnvelope(status: number): ApiError {
  switch (status) {
    case 401:
      return { code: 'unauthenticated' }
    case 413:
      return { code: 'too_large' }
    case 429:
      return { code: 'rate_limited' }
    default:
      return { code: 'gateway' }
  }
}

function errorOf(error: z.infer<typeof wireError> | undefined, code: number, msg: string): ApiError {
  if (error !== undefined) return { message: msg, ...errorFromWire(error) }
  return { code: codeOf(code), message: msg }
}

function codeOf(body: number): ErrorCode {
  switch (body) {
    case 401:
      return 'unauthenticated'
    case 403:
      return 'forbidden'
    case 404:
      return 'not_found'
    case 501:
      return 'not_available'
    default:
      return body >= 400 && body < 500 ? 'invalid' : 'internal'
  }
}

function rawFailure(answer: HttpAnswer): ApiError | null {
  const token = z.safeParse(tokenFailure, answer.body)
  if (token.success) return { message: token.data.error_description, ...errorFromWire(token.data.failure) }
  const wrapped = z.safeParse(envelope, answer.body)
  if (wrapped.success && !wrapped.data.success) return errorOf(wrapped.data.error, wrapped.data.code, wrapped.data.msg)
  return answer.status >= 400 ? withoutEnvelope(answer.status) : null
}

function pageSchema(record: Call['data']) {
  return z.object({
    records: z.array(record),
    total: z.int(),
    totalIsLeast: z.optional(z.boolean()),
    size: z.int(),
    current: z.int(),
    pages: z.int(),
  })
}

/** An answer that does not fit the contract is a fault of the server, not a value. */
function parse(schema: z.ZodMiniType, value: unknown): Result<unknown, ApiError> {
  const parsed = z.safeParse(schema, value)
  return parsed.success ? ok(parsed.data) : err({ code: 'internal' })
}
