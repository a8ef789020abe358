import { ApiFailure } from '#core/api/errors.ts'
import { statusOfError } from '#core/api/errorStatus.ts'
import type { ApiError, ErrorCode } from '#core/api/errors.ts'
import { failureEnvelope, tokenFailure } from '#core/api/envelope.ts'
import type { Envelope, TokenFailure } from '#core/api/envelope.ts'
import { errorMessages } from '#core/api/messages.ts'
import type { Language } from '#core/language.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { isFull } from '#server/storage/room.ts'

/** Here every failure of a request becomes one typed error (docs/adr/0006-errors.md). */

const RETRY_AFTER_SECONDS = 2
/** A person has to make room, which takes longer. */
const FULL_RETRY_AFTER_SECONDS = 30

/** The failure, in the terms of the contract. An unexpected one is `internal` and tells nothing about itself. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiFailure) return thrown.error
  if (thrown instanceof DatabaseError) return databaseError(thrown)
  if (isFull(thrown)) return serverFull()
  return { code: codeOfStatus(statusOf(thrown)) }
}

/** Whether an operator should learn of the failure; all others concern only the caller. */
export function isOurFault(thrown: unknown): boolean {
  return toApiError(thrown).code === 'internal' || thrown instanceof DatabaseError
}

/** HTTP status of an error. */
export function httpStatus(error: ApiError): number {
  return statusOfError(error.code).http
}

/** The envelope of an error in the language asked for. */
export function toEnvelope(error: ApiError, language: Language): Envelope<never> {
  const message = error.message ?? errorMessages[language][error.code]
  return failureEnvelope({ ...error, message }, message)
}

/** The token endpoint's form of the same answer. */
export function toTokenFailure(error: ApiError, language: Language): TokenFailure {
  return tokenFailure(error, error.message ?? errorMessages[language][error.code])
}

/** The error while the server has no room. */
export function serverFull(): ApiError {
  return { code: 'server_full', retryAfterSeconds: FULL_RETRY_AFTER_SECONDS }
}

/** The error while the database does not answer writes. */
export function tooBusy(): ApiError {
  return { code: 'busy', retryAfterSeconds: RETRY_AFTER_SECONDS }
}

function databaseError({ failure }: DatabaseError): ApiError {
  switch (failure.kind) {
    case 'lock_timeout':
    case 'statement_timeout':
    case 'serialization':
    case 'unavailable':
      return tooBusy()
    case 'full':
      return serverFull()
    case 'unique':
      return { code: 'already_exists' }
    case 'constraint':
    case 'forbidden':
    case 'other':
      return { code: 'internal' }
  }
}

function statusOf(thrown: unknown): number {
  return thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number'
    ? thrown.statusCode
    : 500
}

/** What Fastify itself refuses: bodies that are too large, of another type, or not readable. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 413) return 'too_large'
  if (status === 415) return 'unsupported_media'
  if (status === 429) return 'rate_limited'
  if (status === 404) return 'not_found'
  return status >= 400 && status < 500 ? 'invalid' : 'internal'
}
