import type { login as source } from '../zh/login.ts'
import type { Texts } from '../texts.ts'

export const login: Texts<typeof source> = {
  title: 'Sign in',
  claim: 'Entry at the bedside, with or without a network',
  points: {
    offline: 'Enter data offline; no value is lost',
    fast: 'Pages open at once, without waiting for a network',
    traced: 'Who changed what, and when, can always be shown',
  },
  account: 'Account',
  password: 'Password',
  captcha: 'Verification code',
  captchaPicture: 'Picture of the verification code; press for another one',
  captchaHint: 'Hard to read? Press the picture for another one',
  submit: 'Sign in',
  required: {
    account: 'Please enter the account',
    password: 'Please enter the password',
    captcha: 'Please enter the verification code',
  },
  offline: {
    title: 'The server cannot be reached now',
    text: 'An account that has signed in on this device can open its data with the same password and go on; it is sent when the network returns.',
    submit: 'Open the data on this device',
    unknown: 'The server cannot be reached, and this account has never signed in on this device. Please connect to the network first.',
  },
  unlock: {
    title: 'Locked',
    text: 'Please enter your password to go on. What was not sent is kept encrypted on this device.',
    who: 'Account',
    submit: 'Unlock',
    other: 'Sign in with another account',
    failed: 'The password is not correct. Please try again.',
  },
  change: {
    title: 'Please change the password first',
    text: 'At the first sign-in you choose your own password.',
    old: 'Current password',
    fresh: 'New password',
    again: 'New password again',
    rule: 'At least 8 characters, and not the account name',
    submit: 'Change and go on',
    out: 'Log out',
    required: 'Required',
    short: 'The new password needs at least 8 characters',
    same: 'The new password must differ from the current one and from the account',
    differs: 'The two new passwords differ',
    wrongOld: 'The current password is not correct',
  },
}
