import type { gate as source } from '../zh/gate.ts'
import type { Texts } from '../texts.ts'

/** The lock and the choice of a password: behind the sign-in, so that they do not weigh on the first load. */
export const gate: Texts<typeof source> = {
  unlock: {
    title: 'Locked',
    text: 'Please enter your sign-in password to go on. What was not sent is kept encrypted on this device.',
    submit: 'Unlock',
    other: 'Sign in with another account',
    failed: 'The password is not correct. Please try again.',
    lockText: 'Please enter the lock password to go on. What was entered is kept encrypted on this device.',
    lockPassword: 'Lock password',
    lockFailed: 'The lock password is not correct. Tries left: {{count}}.',
    lockSpent: 'The lock password was wrong too often. Please unlock with the sign-in password.',
    bySignIn: 'Use the sign-in password',
    byLock: 'Use the lock password',
    pad: 'Number pad',
    erase: 'Delete one',
    byKeys: 'Use the keyboard',
    byPad: 'Use the number pad',
  },
  change: {
    title: 'Please change the password first',
    text: 'At the first sign-in you choose your own password.',
    old: 'Current password',
    fresh: 'New password',
    again: 'New password again',
    rule: 'At least 10 characters, without the account name; a few words that only you would put together are best',
    submit: 'Change and go on',
    out: 'Log out',
    required: 'Required',
    short: 'The new password needs at least 10 characters',
    common: 'This password is one of those tried first; please choose a less common one',
    same: 'The new password must differ from the current one and must not contain the account',
    differs: 'The two new passwords differ',
    wrongOld: 'The current password is not correct',
    own: 'Change password',
    ownText: 'Other devices ask for the new password from then on. What is on this device stays as it is.',
    ownSubmit: 'Change password',
  },
}
