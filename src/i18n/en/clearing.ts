import type { clearing as source } from '../zh/clearing.ts'
import type { Texts } from '../texts.ts'

export const clearing: Texts<typeof source> = {
  title: 'Clear this device',
  text: 'Before a tablet is handed over or retired. Only the copies and keys on this device go; the server keeps all data. Nothing is cleared while something has not been sent.',
  blocked:
    'An administrator has blocked this tablet: it gets no more data. What was not sent can still be sent; please clear the device afterwards.',
  mine: 'Clear my data and sign out',
  everybody: "Clear everybody's data and sign out",
  mineTitle: 'Clear your data on this device?',
  everybodyTitle: "Clear everybody's data on this device?",
  mineText:
    'The copies of centers that you keep here and your keys go. To work here again you sign in online and download anew. Your colleagues are not affected.',
  everybodyText:
    'The copies and keys of everybody who uses this device go. To work here again you sign in online and download anew.',
  submit: 'Clear',
  refused:
    'It cannot be cleared yet: not sent: {{unsent}}; pages with typing that is not saved: {{typed}}. Please sync first; where the server cannot be reached, export what was not sent above. Who typed has to unlock this device for it to be saved.',
  sync: 'Sync now',
  older: {
    title: 'Bring back what an old password sealed',
    text: 'Your password has changed, and work on this device that was not sent opens only with the old one. Enter the old password and it is sent; until then it stays encrypted here.',
    password: 'Old password',
    submit: 'Bring back',
    wrong: 'This password does not open it. Please try again.',
  },
}
