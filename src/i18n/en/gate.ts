import type { gate as source } from '../zh/gate.ts'
import type { Texts } from '../texts.ts'

/** The lock and the choice of a password: behind the sign-in, so that they do not weigh on the first load. */
export const gate: Texts<typeof source> = {
  unlock: {
    title: 'Locked',
    text: 'Enter your sign-in password to continue. Unsynced entries are encrypted on this device.',
    submit: 'Unlock',
    other: 'Sign in with another account',
    failed: 'Incorrect password. Try again.',
    lockText: 'Enter the lock password to continue. Your entries are encrypted on this device.',
    lockPassword: 'Lock password',
    lockFailed: 'Incorrect lock password. Attempts left: {{count}}.',
    lockSpent: 'Too many incorrect attempts. Unlock with your sign-in password.',
    bySignIn: 'Use the sign-in password',
    byLock: 'Use the lock password',
    pad: 'Number pad',
    erase: 'Delete one',
    byKeys: 'Use the keyboard',
    byPad: 'Use the number pad',
  },
  change: {
    title: 'Change your password first',
    text: 'Set your own password at the first sign-in.',
    old: 'Current password',
    fresh: 'New password',
    again: 'Repeat new password',
    rule: 'At least 10 characters, not containing the account; a few words that only you would combine work best',
    submit: 'Change and continue',
    out: 'Sign out',
    required: 'Required',
    short: 'The new password needs at least 10 characters',
    common: 'This password is too common and easy to guess; choose another',
    same: 'The new password must differ from the current one and must not contain the account',
    differs: 'The two new passwords do not match',
    wrongOld: 'The current password is incorrect',
    own: 'Change password',
    ownText: 'Other devices must then sign in with the new password. Data on this device is not affected.',
    ownSubmit: 'Change password',
  },
}
