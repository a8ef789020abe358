import type { ApiError } from './errors.ts'
import { endsSession, errorKind } from './errors.ts'
import { statusOfError } from './errorStatus.ts'

/**
 * The R envelope: HTTP 200 with `success: false` is a failure. `error` is ours, beside what the BladeX family reads.
 */
export interface Envelope<Data> {
  readonly code: number
  readonly success: boolean
  readonly data: Data | null
  readonly msg: string
  readonly error?: ApiError
}

/** A success. */
export function envelopeOf<Data>(data: Data, msg: string, code = 200): Envelope<Data> {
  return { code, success: true, data, msg }
}

/** A failure; `msg` is the error's text in the language asked for. */
export function failureEnvelope(error: ApiError, msg: string): Envelope<never> {
  return { code: statusOfError(error.code).body, success: false, data: null, msg, error }
}

/**
 * A failure of the token endpoint, which answers as OAuth2 does: raw, with a text that clients of the BladeX family
 * show. `failure` is ours: it says which of our errors it was.
 */
export interface TokenFailure {
  readonly error: 'invalid_grant' | 'invalid_request' | 'invalid_client' | 'temporarily_unavailable' | 'server_error'
  readonly error_code: number
  readonly error_description: string
  readonly failure: ApiError
}

/** A refused token request; `msg` is the error's text in the language asked for. */
export function tokenFailure(error: ApiError, msg: string): TokenFailure {
  return {
    error: oauthError(error),
    error_code: statusOfError(error.code).body,
    error_description: msg,
    failure: error,
  }
}

function oauthError({ code }: ApiError): TokenFailure['error'] {
  if (code === 'client_unknown') return 'invalid_client'
  if (code === 'rate_limited' || code === 'busy' || code === 'server_full') return 'temporarily_unavailable'
  if (endsSession(code) || ['invalid_credentials', 'captcha_wrong', 'account_locked', 'device_blocked'].includes(code))
    return 'invalid_grant'
  return errorKind(code) === 'server' ? 'server_error' : 'invalid_request'
}
