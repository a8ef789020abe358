import type { common as source } from '../zh/common.ts'
import type { Texts } from '../texts.ts'

export const common: Texts<typeof source> = {
  product: 'Zhenglu',
  action: {
    cancel: 'Cancel',
    close: 'Close',
    retry: 'Try again',
    back: 'Back',
    clear: 'Clear',
    home: 'To the project list',
    reload: 'Reload',
  },
  showPassword: 'Show the password',
  loading: 'Loading…',
  loadingSlow: 'Still loading; the network or this device may be slow…',
  failed: 'This could not be loaded',
  consequences: {
    gone: 'Will be removed',
    changed: 'Will change',
    come: 'Will be added',
    broken: 'Rules that still read a removed field',
    none: 'The draft stays as it is.',
    visits: 'Visits: {{count}}',
    pages: 'Pages: {{count}}',
    fields: 'Fields: {{count}}',
    rules: 'Rules: {{count}}',
    more: '… and {{count}} more',
  },
  none: 'none',
  language: 'Language',
  languageName: { zh: '中文', en: 'English' },
  selfCheck: 'Check this device',
  look: 'Theme and colour',
  themeName: { 'theme-starwrap': 'Default', 'theme-bule': 'Blue', 'theme-vip': 'Dark' },
  notFound: { title: 'There is no such page', text: 'The address may have changed, or you have no right to see it.' },
  forbidden: {
    title: 'No access',
    text: 'You currently have no access or the function is not enabled, please contact the administrator',
  },
  broken: {
    title: 'This page has failed',
    text: 'What was entered is kept on this device and is not lost. Please reload; if it fails again, contact the administrator.',
  },
  insecure: {
    title: 'This address is not secure, so offline use is not possible',
    text: 'Please open the https address; otherwise the browser allows neither encrypted storage nor offline use.',
  },
  update: {
    offered: {
      title: 'A new version is ready',
      text: 'Updating takes seconds. What you typed is saved on this device first.',
      submit: 'Update now',
    },
    coming: {
      title: 'Updating',
      text: 'Every window is updated as soon as the old version has finished its work, mostly within seconds. You can go on entering data; it is saved on this device as usual.',
    },
    held: {
      title: 'This window is not updated yet',
      text: 'Something here is not saved on this device yet; it is still on the screen. The window updates once it is saved.',
      submit: 'Try again',
    },
    outdated: {
      title: 'Updated in another window',
      text: 'You can go on entering data here. Please reload this window soon.',
      submit: 'Reload',
    },
    needed: {
      title: 'The app needs an update',
      text: 'The server is newer; syncing goes on after an update. What you enter is saved on this device as usual.',
      submit: 'Look for it',
    },
    tabs: '{{count}} windows are open and will be updated together.',
    later: 'Later',
  },
  loss: {
    title: 'The data on this device were cleared',
    underApp:
      'The browser has cleared the data on this device. What is on the screen is still there, but can no longer be saved or sent. Please write down what has not reached the server, then reload and sign in.',
    found: 'The browser has cleared the data on this device. What was not sent is no longer here.',
    ask: 'Sign in to learn what the server last knew.',
    unknown: 'The server knows of nothing unsent on this device. Please check your latest entries.',
    unsent: 'By its last word, {{count}} unsent items were on this device. Please check and enter them again.',
    understood: 'Understood',
  },
}
