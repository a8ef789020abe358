import type { clearing as source } from '../zh/clearing.ts'
import type { Texts } from '../texts.ts'

export const clearing: Texts<typeof source> = {
  title: 'Clear data on this device',
  text: 'Before handing over or retiring a device, or for troubleshooting. Only the copies and keys on this device are cleared; data on the server does not change. Nothing is cleared while anything is not synced.',
  blocked:
    'An administrator has blocked this device: it receives no more data. Unsynced entries can still be sent; clear the data on this device afterwards.',
  mine: 'Clear my data and sign out',
  everybody: 'Clear everyone’s data and sign out',
  mineTitle: 'Clear your data on this device?',
  everybodyTitle: 'Clear everyone’s data on this device?',
  mineText:
    'The center copies you downloaded to this device and your keys are cleared. To work here again, sign in online and download again. Colleagues’ data is not affected.',
  everybodyText:
    'All copies and keys on this device are cleared for everyone. To work here again, sign in online and download again.',
  submit: 'Clear',
  refused:
    'Cannot be cleared yet: items not synced: {{unsent}}, pages with unsaved entries: {{typed}}. Sync first; if the server cannot be reached, export the unsynced data above. Unsaved entries are saved once the person who typed them unlocks this device.',
  sync: 'Sync now',
  older: {
    title: 'Recover content encrypted with an old password',
    text: 'Your password has changed, and unsynced content on this device opens only with the old one. Enter the old password to sync it; until then it stays encrypted here.',
    password: 'Old password',
    submit: 'Recover',
    wrong: 'This password does not open the encrypted content. Try again.',
  },
}
