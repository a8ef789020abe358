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
  known: 'Users of this device',
  other: 'Another account',
  back: 'Back to the users of this device',
  password: 'Password',
  captcha: 'Verification code',
  captchaPicture: 'Picture of the verification code; press for another one',
  captchaHint: 'Hard to read? Press the picture for another one',
  workInstead: 'Cannot read it? Let this device work something out instead',
  working: 'This device is working it out; that takes 10 to 30 seconds',
  worked: 'Done. Now log in',
  lockedFor: 'Too many failed sign-ins. Please try again in {{minutes}} min',
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
    unknown:
      'The server cannot be reached, and this account has never signed in on this device. Please connect to the network first.',
  },
}
