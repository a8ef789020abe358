import type { ApiError } from './errors.ts'
import { errorTable } from './errors.ts'

/** The R envelope: HTTP 200 with `success: false` is a failure. `error` is ours, beside what the BladeX family reads. */
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
  return { code: errorTable[error.code].body ?? 500, success: false, data: null, msg, error }
}
