import type { ErrorCode } from './errors.ts'

/** How the server says each error. What is missing here is made on the device alone. */

export interface ErrorStatus {
  /** HTTP status, at most 500. */
  readonly http: number
  /** `code` of the R envelope. */
  readonly body: number
}

const errorStatus = {
  unauthenticated: { http: 401, body: 401 },
  client_unknown: { http: 401, body: 401 },
  account_disabled: { http: 401, body: 401 },
  session_revoked: { http: 401, body: 401 },
  password_changed: { http: 401, body: 401 },
  client_too_old: { http: 426, body: 426 },
  rate_limited: { http: 429, body: 429 },
  too_large: { http: 413, body: 413 },
  not_available: { http: 200, body: 501 },
  unsupported_media: { http: 415, body: 415 },
  invalid: { http: 400, body: 400 },
  invalid_credentials: { http: 400, body: 400 },
  captcha_wrong: { http: 400, body: 400 },
  account_locked: { http: 400, body: 400 },
  password_change_required: { http: 403, body: 403 },
  forbidden: { http: 403, body: 403 },
  not_found: { http: 404, body: 404 },
  method_not_allowed: { http: 405, body: 405 },
  project_not_started: { http: 403, body: 403 },
  project_stopped: { http: 400, body: 400 },
  project_closed: { http: 400, body: 400 },
  center_disabled: { http: 400, body: 400 },
  version_not_editable: { http: 400, body: 400 },
  version_not_sound: { http: 200, body: -1 },
  approvals_missing: { http: 400, body: 400 },
  in_use: { http: 400, body: 400 },
  transition_refused: { http: 400, body: 400 },
  page_unreadable: { http: 400, body: 400 },
  too_much_work: { http: 400, body: 400 },
  frozen: { http: 400, body: 400 },
  locked: { http: 400, body: 400 },
  other_pass: { http: 400, body: 400 },
  own_entry: { http: 400, body: 400 },
  message_way_missing: { http: 400, body: 400 },
  device_blocked: { http: 403, body: 403 },
  inbox_full: { http: 400, body: 400 },
  proof_wrong: { http: 403, body: 403 },
  key_reused: { http: 409, body: 409 },
  already_exists: { http: 409, body: 409 },
  revision_changed: { http: 409, body: 409 },
  // Two people at one draft are nothing out of the ordinary: no browser prints an error for it.
  draft_changed: { http: 200, body: 409 },
  waits_for_earlier: { http: 409, body: 409 },
  busy: { http: 500, body: 500 },
  server_full: { http: 500, body: 500 },
  internal: { http: 500, body: 500 },
} as const satisfies Partial<Record<ErrorCode, ErrorStatus>>

/** Error codes that the server can answer with. */
export type ServerErrorCode = keyof typeof errorStatus

const ON_DEVICE: ErrorStatus = { http: 500, body: 500 }

/** The status of an error; that of `internal` for what no server answers. */
export function statusOfError(code: ErrorCode): ErrorStatus {
  return isServerError(code) ? errorStatus[code] : ON_DEVICE
}

function isServerError(code: ErrorCode): code is ServerErrorCode {
  return Object.hasOwn(errorStatus, code)
}
