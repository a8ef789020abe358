import type { ErrorCode } from './errors.ts'

/** The same in English. */
export const messagesEn: Readonly<Record<ErrorCode, string>> = {
  offline: 'Network down; continue once it is back.',
  timeout: 'The server took too long to answer. Please try again.',
  aborted: 'Cancelled.',
  gateway: 'The server cannot be reached at the moment. Please try again.',
  unauthenticated: 'Session expired, please sign in again',
  client_unknown: 'Not authorised',
  account_disabled:
    'This account has been disabled. Please contact the administrator; unsent work on this device is kept.',
  session_revoked:
    'The administrator has ended this session. Please sign in again; unsent work on this device is kept.',
  password_changed: 'The password was changed or reset. Please sign in with the new one.',
  client_too_old: 'This app is too old. Please update it; the data on this device is safe.',
  rate_limited: 'Too many attempts. Try again later.',
  too_large: 'The content is too large.',
  not_available: 'This function is not enabled.',
  unsupported_media: 'Unsupported content type.',
  invalid: 'Submitted data is not valid. Check it and try again',
  invalid_credentials: 'Incorrect account or password',
  captcha_wrong: 'Incorrect verification code',
  account_locked: 'Too many failed sign-ins. Please try again later',
  password_change_required: 'Please change the password before the first use.',
  forbidden: 'You do not have permission to do this. Contact your administrator.',
  not_found: 'The requested content was not found.',
  method_not_allowed: 'This method is not supported',
  project_not_started: 'The project is being set up; only administrators can enter.',
  project_stopped: 'The project is paused; this is not possible at the moment.',
  project_closed: 'The project is closed; its data is locked.',
  center_disabled: 'This center is disabled and cannot enrol new subjects; existing data is not affected.',
  version_not_editable: 'Only a draft version can be edited.',
  version_not_sound: 'The form has problems and cannot be published yet.',
  approvals_missing: 'All testers must approve before the release!',
  in_use: 'This dictionary is used by form fields.',
  transition_refused: 'This is not possible in the current state.',
  too_much_work:
    'This took too much time or memory and was stopped; nothing was changed. Please look at the rules, or do less at a time.',
  page_unreadable: 'The definition of this page cannot be read, so entry is stopped. Please contact the data manager.',
  frozen: 'This page is frozen. Your changes are kept; please contact the data manager.',
  locked: 'This page is locked. Your changes are kept; please contact the data manager.',
  other_pass:
    'The author also entered the other pass of this subject; the two passes must be entered by different people.',
  own_entry: 'You have entered data of this subject; someone else must compare and merge.',
  message_way_missing: 'This channel has not been set up on the server. Contact your administrator.',
  device_blocked: 'This device is blocked. Please contact the administrator; the data on it are safe.',
  inbox_full:
    'You are no longer in this project, and the number of your changes awaiting review has reached its limit. The content stays on this device: export it under “Data on this device” and give it to the data manager.',
  proof_wrong: "The author's proof does not match; the content is kept on this device.",
  key_reused: 'This operation number is already used. Reload and try again.',
  already_exists: 'This record already exists.',
  draft_changed: 'Someone has just changed this draft.',
  revision_changed: 'Someone else has changed this. Reload and try again.',
  waits_for_earlier: 'Waiting for an earlier save to complete.',
  busy: 'The server is busy. Please try again.',
  server_full:
    'The server’s storage is full and it cannot save now. Please tell the administrator. What is saved on this device is safe.',
  internal: 'Server error',
  unknown: 'unknown error',
  storage_full:
    'Not enough storage on this device; unsaved entries are still on the screen. Free up space and try again.',
  storage_lost:
    'The database on this device cannot be opened. Reload the page; if the problem persists, contact your administrator.',
  storage_closed: 'The database of this device was closed and is being reopened.',
  vault_locked: 'Please unlock the data on this device with your password.',
  password_wrong: 'Incorrect password',
  not_kept: 'This is not on this device; it can be viewed once you are online.',
}
