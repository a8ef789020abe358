import type { look as source } from '../zh/look.ts'
import type { Texts } from '../texts.ts'

export const look: Texts<typeof source> = {
  intro: 'Changes only how this device looks, at once.',
  theme: {
    label: 'Theme',
    hint: {
      'theme-starwrap': 'Light ground, for a bright room',
      'theme-bule': 'Deep blue navigation, light content',
      'theme-vip': 'Dark ground, for a ward at night',
    },
  },
  color: {
    label: 'Colour',
    hint: 'For brand marks, focus, buttons and links. Colours of status stay as they are.',
    own: 'Own colour',
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
    sample: 'How it looks',
    sampleButton: 'Save',
    sampleLink: 'See details',
    contrast: 'Contrast of text on buttons {{ratio}}:1',
  },
  reset: 'Back to default',
  done: 'Done',
  install: {
    title: 'Install the app',
    why: 'Once installed, the browser keeps the data on this device more safely, and the app opens faster and in full screen.',
    submit: 'Install the app',
    later: 'Not now',
    steps: {
      title: 'Install on an iPad',
      share: 'Press the Share button in the toolbar of Safari',
      add: 'Choose Add to Home Screen',
      open: 'Press Add; from then on, open the app by its icon',
    },
    kept: 'Sync first what has not reached the server. The installed app asks you to sign in once more.',
    manual: 'Open the menu of the browser and choose Install app or Add to Home screen.',
  },
}
