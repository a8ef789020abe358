/**
 * Every way a call can fail, as one closed union (docs/adr/0006-errors.md). The server makes these, the client decodes each answer into
 * a value or one of these in one place (`decodeAnswer`), and nobody ever decides on the text of a message.
 */

/** What a failure means for the caller. 401, 403 and 409 are never one kind; an aborted call is never a lost network. */
export type ErrorKind = 'transport' | 'protocol' | 'decision' | 'conflict' | 'server' | 'local'

interface ErrorRow {
  readonly kind: ErrorKind
  /** HTTP status the server answers with (≤ 500), or null where the error is made on the device. */
  readonly http: number | null
  /** `code` of the R envelope, or null where the error is made on the device. */
  readonly body: number | null
}

/** The one table error code → kind → HTTP status → body code. */
export const errorTable = {
  // transport: no answer was read; the call may or may not have had its effect
  offline: { kind: 'transport', http: null, body: null },
  timeout: { kind: 'transport', http: null, body: null },
  aborted: { kind: 'transport', http: null, body: null },
  gateway: { kind: 'transport', http: null, body: null },
  // protocol: the call was not considered; the same call may succeed after a sign-in, an update, a pause
  unauthenticated: { kind: 'protocol', http: 401, body: 401 },
  client_unknown: { kind: 'protocol', http: 401, body: 401 },
  // the session was ended by somebody: why, so that the person at the open page reads it
  account_disabled: { kind: 'protocol', http: 401, body: 401 },
  session_revoked: { kind: 'protocol', http: 401, body: 401 },
  password_changed: { kind: 'protocol', http: 401, body: 401 },
  client_too_old: { kind: 'protocol', http: 426, body: 426 },
  rate_limited: { kind: 'protocol', http: 429, body: 429 },
  too_large: { kind: 'protocol', http: 413, body: 413 },
  not_available: { kind: 'protocol', http: 200, body: 501 },
  unsupported_media: { kind: 'protocol', http: 415, body: 415 },
  // decision: the call was considered and refused
  invalid: { kind: 'decision', http: 400, body: 400 },
  invalid_credentials: { kind: 'decision', http: 400, body: 400 },
  captcha_wrong: { kind: 'decision', http: 400, body: 400 },
  account_locked: { kind: 'decision', http: 400, body: 400 },
  password_change_required: { kind: 'decision', http: 403, body: 403 },
  forbidden: { kind: 'decision', http: 403, body: 403 },
  not_found: { kind: 'decision', http: 404, body: 404 },
  method_not_allowed: { kind: 'decision', http: 405, body: 405 },
  project_not_started: { kind: 'decision', http: 403, body: 403 },
  project_stopped: { kind: 'decision', http: 400, body: 400 },
  project_closed: { kind: 'decision', http: 400, body: 400 },
  center_disabled: { kind: 'decision', http: 400, body: 400 },
  version_not_editable: { kind: 'decision', http: 400, body: 400 },
  version_not_sound: { kind: 'decision', http: 200, body: -1 },
  approvals_missing: { kind: 'decision', http: 400, body: 400 },
  // what is to go or to change its key is named by fields: `problems` says where; sent again with `confirmed` it is done
  in_use: { kind: 'decision', http: 400, body: 400 },
  transition_refused: { kind: 'decision', http: 400, body: 400 },
  page_unreadable: { kind: 'decision', http: 400, body: 400 },
  // what was asked for takes more time or memory than anybody may have, and was ended
  too_much_work: { kind: 'decision', http: 400, body: 400 },
  frozen: { kind: 'decision', http: 400, body: 400 },
  locked: { kind: 'decision', http: 400, body: 400 },
  // double entry: the two passes and their comparison are three people's
  other_pass: { kind: 'decision', http: 400, body: 400 },
  own_entry: { kind: 'decision', http: 400, body: 400 },
  // messages: the operator has not set up this way to patients
  message_way_missing: { kind: 'decision', http: 400, body: 400 },
  device_blocked: { kind: 'decision', http: 403, body: 403 },
  // who is nothing in the project any more has as much waiting for a decision as is taken: it stays on the device
  inbox_full: { kind: 'decision', http: 400, body: 400 },
  proof_wrong: { kind: 'decision', http: 403, body: 403 },
  // conflict: what the call builds on is no longer so
  key_reused: { kind: 'conflict', http: 409, body: 409 },
  already_exists: { kind: 'conflict', http: 409, body: 409 },
  revision_changed: { kind: 'conflict', http: 409, body: 409 },
  // Two people at one draft are nothing out of the ordinary: no browser prints an error for it.
  draft_changed: { kind: 'conflict', http: 200, body: 409 },
  waits_for_earlier: { kind: 'conflict', http: 409, body: 409 },
  // server: nothing was written; the same call may be tried again
  busy: { kind: 'server', http: 500, body: 500 },
  // the server's disk is full: nothing is written until its operator makes room, and reading goes on
  server_full: { kind: 'server', http: 500, body: 500 },
  internal: { kind: 'server', http: 500, body: 500 },
  // a failure whose answer says nothing of ours and nothing in words
  unknown: { kind: 'server', http: null, body: null },
  // local: made on the device
  storage_full: { kind: 'local', http: null, body: null },
  storage_lost: { kind: 'local', http: null, body: null },
  storage_closed: { kind: 'local', http: null, body: null },
  vault_locked: { kind: 'local', http: null, body: null },
  password_wrong: { kind: 'local', http: null, body: null },
  not_kept: { kind: 'local', http: null, body: null },
} as const satisfies Record<string, ErrorRow>

/** The stable code of an error. */
export type ErrorCode = keyof typeof errorTable

/** Error codes that the server can answer with. */
export type ServerErrorCode = {
  [Code in ErrorCode]: (typeof errorTable)[Code]['http'] extends number ? Code : never
}[ErrorCode]

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
  return errorTable[code].kind
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
  return code === 'unauthenticated' || code === 'account_disabled' || code === 'session_revoked' || code === 'password_changed'
}

/** Whether `text` is one of our codes (an older client meets codes of a newer server). */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorTable, text)
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
