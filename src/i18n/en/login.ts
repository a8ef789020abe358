import type { login as source } from '../zh/login.ts'
import type { Texts } from '../texts.ts'

export const login: Texts<typeof source> = {
  title: 'Sign in',
  claim: 'Data entry at the bedside, online or offline',
  points: {
    offline: 'Enter data offline; nothing is lost',
    fast: 'Pages open at once, without waiting for the network',
    traced: 'Who changed what, and when: fully traceable',
  },
  account: 'Account',
  known: 'Users of this device',
  other: 'Another account',
  back: 'Back to the users of this device',
  password: 'Password',
  captcha: 'Verification code',
  captchaPicture: 'Verification code image; click for a new one',
  captchaHint: 'Hard to read? Click the image for a new one',
  workInstead: 'Cannot read it? Verify by a computation on this device instead',
  working: 'Computing on this device; this takes 10–30 seconds',
  worked: 'Verified. Press “Sign in”',
  lockedFor: 'Too many failed sign-ins. Try again in {{minutes}} min',
  submit: 'Sign in',
  required: {
    account: 'Enter your account',
    password: 'Enter your password',
    captcha: 'Enter the verification code',
  },
  offline: {
    title: 'The server cannot be reached',
    text: 'Accounts that have signed in on this device can open its data with the same password and continue data entry; it is synced once the network is back.',
    submit: 'Open data on this device',
    unknown:
      'The server cannot be reached, and this account has never signed in on this device, so it cannot be opened offline. Connect to the network, then sign in.',
  },
}
