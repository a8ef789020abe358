import type { look as source } from '../zh/look.ts'
import type { Texts } from '../texts.ts'

export const look: Texts<typeof source> = {
  intro: 'Affects the display on this device only, effective immediately.',
  theme: {
    label: 'Theme',
    hint: {
      'theme-starwrap': 'Light background, for bright rooms',
      'theme-bule': 'Deep blue navigation, light content',
      'theme-vip': 'Dark background, for the ward at night',
    },
  },
  color: {
    label: 'Colour',
    hint: 'For brand marks, focus, buttons and links. Status colours do not change.',
    own: 'Custom colour',
    names: {
      '#409EFF': 'Azure',
      '#3F6FD8': 'Indigo',
      '#13A8A8': 'Teal',
      '#3BA55D': 'Bamboo',
      '#E6A23C': 'Amber',
      '#D9534F': 'Cinnabar',
      '#A65BC7': 'Wisteria',
      '#5F6B7A': 'Graphite',
    },
    sample: 'Preview',
    sampleButton: 'Save',
    sampleLink: 'View details',
    contrast: 'Contrast of text on buttons {{ratio}}:1',
  },
  reset: 'Restore default',
  done: 'Done',
  install: {
    title: 'Install the app',
    why: 'Once installed, data on this device is stored more reliably, and the app opens faster and in full screen.',
    submit: 'Install the app',
    later: 'Not now',
    steps: {
      title: 'Install on an iPad',
      share: 'Tap the Share button in the Safari toolbar',
      add: 'Select “Add to Home Screen”',
      open: 'Tap “Add”; from then on, open the app from its icon',
    },
    kept: 'Sync entries that have not reached the server first. The installed app asks you to sign in again.',
    manual: 'Open the browser menu and select “Install app” or “Add to Home screen”.',
  },
}
