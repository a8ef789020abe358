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
    home: 'Back to the project list',
    reload: 'Reload',
  },
  showPassword: 'Show the password',
  loading: 'Loading…',
  loadingSlow: 'Still loading; the network or this device may be slow…',
  failed: 'Could not be loaded',
  consequences: {
    gone: 'To be removed',
    changed: 'To be changed',
    come: 'To be added',
    broken: 'Rules that still refer to a removed field',
    none: 'No change to the draft.',
    visits: 'Visits: {{count}}',
    pages: 'Pages: {{count}}',
    fields: 'Fields: {{count}}',
    rules: 'Rules: {{count}}',
    more: '… and {{count}} more',
  },
  none: 'None',
  language: 'Language',
  languageName: { zh: '中文', en: 'English' },
  selfCheck: 'Check this device',
  look: 'Theme and colour',
  themeName: { 'theme-starwrap': 'Default', 'theme-bule': 'Blue', 'theme-vip': 'Dark' },
  notFound: { title: 'Page not found', text: 'The address may have changed, or you do not have access to it.' },
  forbidden: {
    title: 'No access',
    text: 'You currently have no access or the function is not enabled, please contact the administrator',
  },
  broken: {
    title: 'Something went wrong on this page',
    text: 'Your entries are saved on this device and are not lost. Reload the page; if the problem persists, contact your administrator.',
  },
  notLoaded: {
    title: 'You are offline',
    text: 'This feature is not on this device yet. Try again when you are online. This page is not affected.',
  },
  insecure: {
    title: 'This address is not secure: offline use is not possible',
    text: 'Open the https address. Otherwise the browser allows neither encrypted storage nor offline use.',
  },
  update: {
    offered: {
      title: 'New version available',
      text: 'Updating takes a few seconds. Unsaved entries are saved on this device first.',
      submit: 'Update now',
    },
    coming: {
      title: 'Updating',
      text: 'All windows update as soon as the old version has finished, usually within seconds. You can continue entering data; it is saved on this device as usual.',
    },
    held: {
      title: 'This window has not been updated yet',
      text: 'Some entries in this window are not yet saved on this device; they are still on the screen. The window updates once they are saved.',
      submit: 'Try again',
    },
    outdated: {
      title: 'Updated in another window',
      text: 'You can continue entering data here. Please reload this window soon.',
      submit: 'Reload',
    },
    needed: {
      title: 'Update required',
      text: 'The server has been upgraded; syncing resumes after the update. Your entries are saved on this device as usual.',
      submit: 'Check for updates',
    },
    tabs_one: '{{count}} window is open and will be updated.',
    tabs: '{{count}} windows are open and will be updated together.',
    later: 'Later',
  },
  loss: {
    title: 'Data on this device has been cleared',
    underApp:
      'The browser has cleared the data on this device. What is on the screen can no longer be saved or sent. Write down what has not reached the server, then reload and sign in.',
    found: 'The browser cleared the data on this device. Unsent entries are no longer here.',
    ask: 'Sign in to see the server’s last record.',
    unknown:
      'The server has no record of unsent entries on this device. Check your latest entries against the source data.',
    unsent_one:
      'According to the server’s last record, {{count}} unsent item was on this device. Check it against the source data and enter it again.',
    unsent:
      'According to the server’s last record, {{count}} unsent items were on this device. Check them against the source data and enter them again.',
    understood: 'Understood',
  },
}
