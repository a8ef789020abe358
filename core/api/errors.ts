/**
 * Every way a call can fail, as one closed union (docs/adr/0006-errors.md). The server makes these, the client decodes
 * each answer into a value or one of these in one place (`decodeAnswer`), and nobody ever decides on the text of a
 * message.
 */

/**
 * What a failure means for the caller. 401, 403 and 409 are never one kind; an aborted call is never a lost network.
 */
export type ErrorKind = 'transport' | 'protocol' | 'decision' | 'conflict' | 'server' | 'local'

/**
 * The one table error code → kind. With what status the server answers each: errorStatus.ts, which a sign-in does not
 * have to load.
 */
export const errorKinds = {
  // transport: no answer was read; the call may or may not have had its effect
  offline: 'transport',
  timeout: 'transport',
  aborted: 'transport',
  gateway: 'transport',
  // protocol: the call was not considered; the same call may succeed after a sign-in, an update, a pause
  unauthenticated: 'protocol',
  client_unknown: 'protocol',
  // the session was ended by somebody: why, so that the person at the open page reads it
  account_disabled: 'protocol',
  session_revoked: 'protocol',
  password_changed: 'protocol',
  client_too_old: 'protocol',
  rate_limited: 'protocol',
  too_large: 'protocol',
  not_available: 'protocol',
  unsupported_media: 'protocol',
  // decision: the call was considered and refused
  invalid: 'decision',
  invalid_credentials: 'decision',
  captcha_wrong: 'decision',
  account_locked: 'decision',
  password_change_required: 'decision',
  forbidden: 'decision',
  not_found: 'decision',
  method_not_allowed: 'decision',
  project_not_started: 'decision',
  project_stopped: 'decision',
  project_closed: 'decision',
  center_disabled: 'decision',
  version_not_editable: 'decision',
  version_not_sound: 'decision',
  approvals_missing: 'decision',
  // what is to go or to change its key is named by fields: `problems` says where; sent again with `confirmed` it is
  // done
  in_use: 'decision',
  transition_refused: 'decision',
  page_unreadable: 'decision',
  // what was asked for takes more time or memory than anybody may have, and was ended
  too_much_work: 'decision',
  frozen: 'decision',
  locked: 'decision',
  // double entry: the two passes and their comparison are three people's
  other_pass: 'decision',
  own_entry: 'decision',
  // messages: the operator has not set up this way to patients
  message_way_missing: 'decision',
  device_blocked: 'decision',
  // who is nothing in the project any more has as much waiting for a decision as is taken: it stays on the device
  inbox_full: 'decision',
  proof_wrong: 'decision',
  // conflict: what the call builds on is no longer so
  key_reused: 'conflict',
  already_exists: 'conflict',
  revision_changed: 'conflict',
  draft_changed: 'conflict',
  waits_for_earlier: 'conflict',
  // server: nothing was written; the same call may be tried again
  busy: 'server',
  // the server's disk is full: nothing is written until its operator makes room, and reading goes on
  server_full: 'server',
  internal: 'server',
  // a failure whose answer says nothing of ours and nothing in words
  unknown: 'server',
  // local: made on the device
  storage_full: 'local',
  storage_lost: 'local',
  storage_closed: 'local',
  vault_locked: 'local',
  password_wrong: 'local',
  not_kept: 'local',
} as const satisfies Record<string, ErrorKind>

/** The stable code of an error. */
export type ErrorCode = keyof typeof errorKinds

/** What is wrong with one field of a request: a path into the body, and a code with its figures. */
export interface FieldError {
  /** Dotted path into the request, or the prop of a page field. */
  readonly path: string
  /** Stable code, such as `required`, `type`, `too_long`, `unknown_field`, `not_alphanumeric`. */
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** One line of what keeps a draft from being sound (specification §4): where, what, and in words. */
export interface SoundnessProblem {
  readonly target: string
  readonly output: string
  readonly content: string
}

/** A failure as both sides hold it. `message` is text for people in the language asked for; nothing decides on it. */
export interface ApiError {
  readonly code: ErrorCode
  readonly message?: string
  readonly fields?: readonly FieldError[]
  readonly problems?: readonly SoundnessProblem[]
  /** Seconds after which a retry makes sense (429, lock time-outs). */
  readonly retryAfterSeconds?: number
}

/** What an error means for the caller. */
export function errorKind(code: ErrorCode): ErrorKind {
  return errorKinds[code]
}

/** Whether the same call, unchanged and with the same key, may succeed later without anybody deciding anything. */
export function isRetryable(code: ErrorCode): boolean {
  const kind = errorKind(code)
  return (
    (kind === 'transport' && code !== 'aborted') ||
    kind === 'server' ||
    code === 'rate_limited' ||
    code === 'waits_for_earlier'
  )
}

/** Whether the call was refused because its session is over: only a new sign-in, if anything, helps. */
export function endsSession(code: ErrorCode): boolean {
  return (
    code === 'unauthenticated' ||
    code === 'account_disabled' ||
    code === 'session_revoked' ||
    code === 'password_changed'
  )
}

/** Whether `text` is one of our codes (an older client meets codes of a newer server). */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorKinds, text)
}

/** An `ApiError` that can be thrown inside one process. It never crosses a wire or a thread as an exception. */
export class ApiFailure extends Error {
  readonly error: ApiError

  constructor(error: ApiError, options?: { cause: unknown }) {
    super(error.message ?? error.code, options)
    this.name = 'ApiFailure'
    this.error = error
  }
}

/** Short form: `throw fail('forbidden')`. */
export function fail(code: ErrorCode, more?: Omit<ApiError, 'code'>): ApiFailure {
  return new ApiFailure({ code, ...more })
}
