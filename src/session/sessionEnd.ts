import type { ErrorCode } from '#core/api/errors.ts'
import type { EndedWhy } from '#offline/db/rows.ts'

/** Ends of a session that somebody has made, by the server's word for them. */
const MADE_BY_SOMEBODY = [
  'account_disabled',
  'session_revoked',
  'password_changed',
  'device_blocked',
] as const satisfies readonly (ErrorCode & EndedWhy)[]

/**
 * Why a session is over, where somebody has ended it; null for any other refusal, and where it has only come of age:
 * then what is open goes on.
 */
export function endedWhyOf(code: ErrorCode): EndedWhy | null {
  return MADE_BY_SOMEBODY.find((why) => why === code) ?? null
}
