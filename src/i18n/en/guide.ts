import type { Texts } from '../texts.ts'
import type { guide as guideZh } from '../zh/guide.ts'

export const guide: Texts<typeof guideZh> = {
  title: 'Guided tour',
  progress: 'Step {{step}} of {{of}}',
  next: 'Next step',
  finish: 'Finish the tour',
  close: 'Close the tour for good',
  open: {
    title: 'Open a page that is due',
    there: 'My work lists the visits of today, of this week and overdue ones; a line leads straight to its page.',
    here: 'This is the entry page: connection and sync are told at the top right.',
    go: 'Open my work',
  },
  type: {
    title: 'Enter a value without a network',
    there: 'Go back to the page.',
    here: 'Switch on flight mode (or stop a server on this machine with Ctrl+C), then enter a value: it works as before.',
    go: 'Back to the page',
  },
  kept: {
    title: 'See that it is kept',
    there: 'Without a network, every value is sealed and saved on this device at once.',
    here: 'These changes are on this device and not yet sent; reloading or restarting loses none of them.',
    go: 'Data on this device',
  },
  submit: {
    title: 'Reconnect and submit',
    there: 'Once the network is back, everything is sent by itself.',
    here: 'Online again, submit at the foot of the page: a page that passes its checks is submitted.',
    go: 'Back to the page',
  },
  trail: {
    title: 'Look at the audit trail',
    there: 'Who changed what, when and why is on record.',
    here: 'Every entry, correction and submit is listed here; it can be filtered and never changed.',
    go: 'Audit trail',
  },
  history: {
    title: 'Look at the history',
    there: 'Who changed what, when and why is on record.',
    here: 'Open the history in the menu beside a field: it lists every entry and correction, and never changes.',
    go: 'Back to the page',
  },
}
