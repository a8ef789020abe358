import type { attention as source } from '../zh/attention.ts'
import type { Texts } from '../texts.ts'

export const attention: Texts<typeof source> = {
  title: 'Needs attention',
  intro: 'All of this is kept. It needs a look from you.',
  task: {
    decide: 'Choose the value to use',
    correct: 'Correct or submit again',
    explain: 'Give reasons for changes',
    note: 'Review the outcome',
    wait: 'Waiting for others',
  },
  kind: {
    rejected: 'Not taken by the server',
    inbox: 'Waiting for the data manager',
    returned: 'Returned',
    conflict: 'Conflict',
    held: 'Kept while the project is paused',
    bounced: 'Saved, not submitted',
    overruled: 'Changed by somebody else first',
    reason: 'Change needs a reason',
  },
  reason: {
    project_stopped: 'The project is paused; the server keeps this change and books it when the project goes on.',
    project_closed: 'The project has ended; the data manager decides about this change.',
    right_withdrawn: 'Your right to enter data was withdrawn; the data manager decides about this change.',
    center_changed: 'The center of the patient has changed; the data manager decides about this change.',
    frozen: 'This page is frozen. Your change is kept; please contact the data manager.',
    locked: 'This page is locked. Your change is kept; please contact the data manager.',
    no_place_in_version: 'The new version has no such page; the data manager decides about this change.',
    device_blocked: 'The device was blocked; the data manager decides about this change.',
    other_pass:
      'You have entered the other pass of this patient; two people must enter the two. It is kept, and the data manager decides.',
    conflict: 'The same item was changed to another value elsewhere; both values are kept.',
    applied: 'Booked.',
    held: 'The server keeps this change.',
    inbox: 'The data manager decides about this change.',
    submit_unanswered: 'Values that are not as expected are not confirmed. Confirm or correct each and submit again.',
    submit_changed: 'Somebody else changed this page at the same time. Please check it and submit again.',
    submit_invalid: 'Submission error: it did not pass the check of the server. Please correct it and submit again.',
    submit_conflict: 'A value is in conflict. The page can be submitted once the conflict is resolved.',
    reason_needed:
      'This page was submitted before. The changes are saved on this tablet and are sent once you say why.',
    reason_of_colleague:
      'This page was submitted before. A colleague’s changes are saved on this tablet and are sent once they say why.',
    submit_unknown: 'Everything is saved, but the page is not submitted. Please check it and submit again.',
  },
  noPlace: 'Your right has ended: subject and page are no longer shown here',
  open: 'Take a look',
  decide: 'Decide',
  decideLabel: 'Decide: {{where}}',
  waitsForReason: 'Waits for the reasons of: {{names}}',
  waitsFor: 'Waits for: {{names}}',
  note: 'Returned by {{name}}: {{note}}',
  entered: {
    show: 'What was entered',
    hide: 'Hide what was entered',
    unreadable:
      'A colleague’s, sealed until they sign in; or your right has ended, and all of it is kept at the server.',
  },
  noted: { submit: 'Noted', hint: 'It leaves this list then and stays under receipts.' },
  elsewhere: {
    title: 'Conflicts of centers that are not on this device',
    text: 'They are on the server; deciding them needs a network.',
    by: 'The value of {{name}} differs from the one that stands',
  },
  openLabel: 'Take a look: {{where}}',
  setAside: {
    open: 'Set aside',
    title: 'Set this change aside?',
    text: 'It stays on this device, encrypted, and can be exported, but is no longer sent. Please say why.',
    reason: 'Reason',
    required: 'Please give a reason',
    submit: 'Set aside',
  },
  empty: { title: 'Nothing needs attention', text: 'What is refused or in conflict appears here.' },
}
