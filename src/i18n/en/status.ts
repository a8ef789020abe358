import type { status as source } from '../zh/status.ts'
import type { Texts } from '../texts.ts'

export const status: Texts<typeof source> = {
  conflict: 'Conflict',
  attention: 'Needs attention',
  local: 'On this device only',
  sending: 'Sending',
  received: 'Received',
  missing: '{{count}} missing',
  submitted: 'Submitted',
  inProgress: 'In progress',
  notStarted: 'Not started',
  and: ', ',
  connection: {
    synced: 'Synced {{time}}',
    syncedNever: 'Connected',
    sending: 'Sending · {{count}} left',
    checking: 'Syncing',
    reasons: '{{count}} waiting for a reason',
    waiting: '{{count}} waiting to be sent',
    offline: 'Offline',
    offlineKept: 'Offline · {{count}} saved on this device',
    signedOut: '{{count}} saved here · sent after sign-in',
    vaultLocked: 'Locked · {{count}} waiting on this device',
    tooOld: 'Update the app to send · {{count}} here',
    serverFull: 'Server storage full · cannot save now',
    serverFullKept: 'Server storage full · {{count}} kept on this device',
    unknown: 'Connecting…',
    lost: 'Data on this device cleared',
  },
  /** Passes of double entry. */
  pass: { '1': 'First pass', '2': 'Second pass' },
}
