import type { ErrorCode } from '#core/api/errors.ts'
import type { EndedWhy } from '#offline/db/rows.ts'

/** The server's codes for sessions that somebody has ended on purpose. */
const MADE_BY_SOMEBODY = [
  'account_disabled',
  'session_revoked',
  'password_changed',
  'device_blocked',
] as const satisfies readonly (ErrorCode & EndedWhy)[]

/**
 * Why somebody has ended a session. Null for any other refusal, and for a session that has only expired: then what is
 * open goes on.
 */
export function endedWhyOf(code: ErrorCode): EndedWhy | null {
  return MADE_BY_SOMEBODY.find((why) => why === code) ?? null
}
