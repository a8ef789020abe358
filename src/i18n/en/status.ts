import type { status as source } from '../zh/status.ts'
import type { Texts } from '../texts.ts'

export const status: Texts<typeof source> = {
  conflict: 'Conflict',
  attention: 'Needs attention',
  local: 'On this device only',
  sending: 'Syncing',
  received: 'Synced',
  missing: '{{count}} missing',
  submitted: 'Submitted',
  inProgress: 'In progress',
  notStarted: 'Not started',
  and: ', ',
  connection: {
    synced: 'Synced {{time}}',
    syncedNever: 'Connected',
    sending: 'Syncing · {{count}} left',
    checking: 'Syncing',
    reasons: '{{count}} awaiting a reason for change',
    waiting: '{{count}} not synced',
    offline: 'Offline',
    offlineKept: 'Offline · {{count}} saved on this device',
    signedOut: '{{count}} saved on this device · sign in to sync',
    vaultLocked: 'Locked · {{count}} not synced',
    tooOld: 'Update the app to sync · {{count}} on this device',
    serverFull: 'Server storage full · saving not possible',
    serverFullKept: 'Server storage full · {{count}} saved on this device',
    unknown: 'Connecting…',
    lost: 'Data on this device has been cleared',
  },
  /** Passes of double entry. */
  pass: { '1': 'First pass', '2': 'Second pass' },
}
