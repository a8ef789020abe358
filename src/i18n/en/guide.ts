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
    there: 'My work lists visits of today and this week, and overdue ones; tap a line to go straight to its page.',
    here: 'This is the entry page: connection and sync status are shown at the top right.',
    go: 'Open my work',
  },
  type: {
    title: 'Enter a value without a network',
    there: 'Go back to the page.',
    here: 'Switch on airplane mode (or stop a server on this machine with Ctrl+C), then enter a value: it works as usual.',
    go: 'Back to the page',
  },
  kept: {
    title: 'Check that it is saved on this device',
    there: 'Without a network, every value is encrypted and saved on this device at once.',
    here: 'Changes on this device that are not yet sent are listed here; reloading or restarting loses none of them.',
    go: 'Data on this device',
  },
  submit: {
    title: 'Reconnect and submit',
    there: 'Once the network is back, everything is synced automatically.',
    here: 'Once online, press “Submit” at the bottom of the page; a page that passes its checks becomes Submitted.',
    go: 'Back to the page',
  },
  trail: {
    title: 'View the audit trail',
    there: 'Who changed what, when and why is recorded.',
    here: 'Every entry, correction and submit is listed here; the list can be filtered but not altered.',
    go: 'Audit trail',
  },
  history: {
    title: 'View the audit trail of a field',
    there: 'Who changed what, when and why is recorded.',
    here: 'Open “Audit trail” in the menu beside a field: it lists every entry and correction and cannot be altered.',
    go: 'Back to the page',
  },
}
