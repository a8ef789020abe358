import type { attention as source } from '../zh/attention.ts'
import type { Texts } from '../texts.ts'

export const attention: Texts<typeof source> = {
  title: 'Needs attention',
  intro: 'Everything below is kept. Review each item.',
  task: {
    decide: 'Choose the value to use',
    correct: 'Correct or submit again',
    explain: 'Give reasons for changes',
    note: 'Review the outcome',
    wait: 'Waiting for others',
  },
  kind: {
    rejected: 'Not accepted by the server',
    inbox: 'Awaiting the data manager',
    returned: 'Rejected',
    conflict: 'Conflict',
    held: 'Held: project paused',
    bounced: 'Saved, not submitted',
    overruled: 'Not applied: changed by someone else',
    reason: 'Change needs a reason',
  },
  reason: {
    project_stopped: 'The project is paused. The server holds this change and applies it when the project resumes.',
    project_closed: 'The project is closed. This change is in the inbox; the data manager decides.',
    right_withdrawn: 'Your right to enter data was withdrawn. This change is in the inbox; the data manager decides.',
    center_changed: 'The subject’s center has changed. This change is in the inbox; the data manager decides.',
    frozen: 'This page is frozen. Your change is kept; contact the data manager.',
    locked: 'This page is locked. Your change is kept; contact the data manager.',
    no_place_in_version: 'The new version has no such page. This change is in the inbox; the data manager decides.',
    device_blocked: 'The device is blocked. This change is in the inbox; the data manager decides.',
    other_pass:
      'You also entered the other pass of this subject; the two passes must be entered by different people. Your entries are kept; the data manager decides.',
    conflict: 'Someone else changed the same item to a different value; both values are kept.',
    applied: 'Applied.',
    held: 'The server holds this change.',
    inbox: 'In the inbox; the data manager decides.',
    submit_unanswered:
      'Values outside the plausible range or with warnings are not confirmed. Confirm or correct each one, then submit again.',
    submit_changed: 'Someone else changed this page at the same time. Check it, then submit again.',
    submit_invalid: 'Submission error: the server’s checks failed. Correct the errors, then submit again.',
    submit_conflict: 'There are conflicts on this page. It can be submitted once they are resolved.',
    reason_needed:
      'This page has been submitted before. Your changes are saved on this device and are sent once you give the reason.',
    reason_of_colleague:
      'This page has been submitted before. A colleague’s changes are saved on this device and are sent once they give the reason.',
    submit_unknown: 'Saved, but not submitted. Check the page, then submit again.',
  },
  noPlace: 'Your right was withdrawn: subject and page are no longer shown here',
  more: 'Show more ({{count}} left)',
  open: 'View',
  decide: 'Resolve',
  decideLabel: 'Resolve: {{where}}',
  waitsForReason: 'Awaiting reasons from: {{names}}',
  waitsFor: 'Awaiting a decision by: {{names}}',
  note: 'Rejected by {{name}}: {{note}}',
  entered: {
    show: 'Show what was entered',
    hide: 'Hide what was entered',
    unreadable:
      'Encrypted by a colleague and visible once they sign in; or your right was withdrawn, and the content is kept in full on the server.',
  },
  noted: {
    submit: 'Acknowledge',
    hint: 'No longer listed here once acknowledged; still available under server receipts.',
  },
  elsewhere: {
    title: 'Conflicts in centers not downloaded to this device',
    text: 'These conflicts are on the server; you need to be online to resolve them.',
    by: 'The value of {{name}} differs from the current one',
  },
  openLabel: 'View: {{where}}',
  setAside: {
    open: 'Do not send',
    title: 'Do not send this change?',
    text: 'It stays on this device, encrypted, and can be exported, but is no longer sent. State the reason.',
    reason: 'Reason',
    required: 'Enter a reason',
    submit: 'Do not send',
  },
  empty: { title: 'Nothing needs attention', text: 'Rejected changes and conflicts appear here.' },
}
