import type { log as source } from '../zh/log.ts'
import type { Texts } from '../texts.ts'

export const log: Texts<typeof source> = {
  badge_one: 'Local error log, {{count}} entry',
  badge: 'Local error log, {{count}} entries',
  title: 'Local error log',
  intro:
    'Only where the program failed: no entered data, passwords or address parameters. Up to {{most}} entries are kept; the oldest are removed first.',
  columns: { type: 'Type', url: 'Address', message: 'Message', stack: 'Stack', time: 'Time' },
  type: {
    error: 'Script error',
    unhandledrejection: 'Unhandled error',
    screen: 'Page failed',
    api: 'Request failed',
    sync: 'Sync failed',
  },
  stack: { show: 'Show', none: 'None' },
  empty: {
    title: 'No error logs',
    text: 'Program errors are recorded here and can be sent to the administrator.',
  },
  upload: {
    open: 'Upload to the server',
    title: 'Please confirm',
    question: 'Upload the local log to the server?',
    submit: 'Upload',
    done: 'Sent!',
  },
  clear: {
    open: 'Clear the local log',
    title: 'Please confirm',
    question: 'Clear the local log entries?',
    submit: 'Clear',
    done: 'Cleared!',
  },
  offline: 'Offline: upload is not possible now. The log stays on this device; upload it once you are online.',
}
