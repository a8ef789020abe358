import { isErrorCode } from '#core/api/errors.ts'
import type { ApiError } from '#core/api/errors.ts'
import { wireError } from '#core/wire/wireError.ts'
import type { WireError } from '#core/wire/wireError.ts'

/** The server's answers as typed errors. This is the only place where a failure on the wire becomes an `ApiError`. */

/** A typed failure of the wire. A code that this app does not know becomes `internal`: the server may be newer. */
export function apiError({ code, ...more }: WireError): ApiError {
  const { message, fields, problems, retryAfterSeconds } = more
  return {
    code: isErrorCode(code) ? code : 'internal',
    ...(message === undefined ? {} : { message }),
    ...(fields === undefined
      ? {}
      : { fields: fields.map(({ params, ...field }) => (params === undefined ? field : { ...field, params })) }),
    ...(problems === undefined ? {} : { problems }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

/**
 * The error in a failed answer's body, wherever the envelope or the token endpoint puts it; null when it holds none of
 * ours.
 */
export function errorInBody(body: unknown): ApiError | null {
  if (typeof body !== 'object' || body === null) return null
  for (const candidate of ['error' in body ? body.error : null, 'failure' in body ? body.failure : null]) {
    const parsed = wireError.safeParse(candidate)
    if (parsed.success) return { ...wordsInBody(body), ...apiError(parsed.data) }
  }
  return null
}

/**
 * The message of a failed answer, wherever its body holds one (specification §8), also when something between us and
 * the server wrote that answer.
 */
export function wordsInBody(body: unknown): Pick<ApiError, 'message'> {
  if (typeof body !== 'object' || body === null) return {}
  for (const text of ['msg' in body ? body.msg : null, 'error_description' in body ? body.error_description : null]) {
    if (typeof text === 'string' && text.trim() !== '') return { message: text }
  }
  return {}
}

/** The meaning of a status when the body says nothing: something between us and the server has answered. */
export function errorOfStatus(status: number): ApiError {
  if (status === 401) return { code: 'unauthenticated' }
  if (status === 413) return { code: 'too_large' }
  if (status === 429) return { code: 'rate_limited' }
  if (status === 403) return { code: 'forbidden' }
  return { code: 'gateway' }
}
