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
  loading: 'Loading…',
  failed: 'This could not be loaded',
  none: 'none',
  language: 'Language',
  languageName: { zh: '中文', en: 'English' },
  theme: 'Theme',
  themeName: { 'theme-starwrap': 'Default', 'theme-bule': 'Blue', 'theme-vip': 'Dark' },
  page: { total: '{{total}} in total' },
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
    title: 'A new version is ready',
    text: 'Updating takes seconds. What you typed is saved on this device first.',
    tabs: '{{count}} windows are open and will be updated together.',
    submit: 'Update now',
    later: 'Later',
  },
}
