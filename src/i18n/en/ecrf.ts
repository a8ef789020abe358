import type { ecrf as source } from '../zh/ecrf.ts'
import type { Texts } from '../texts.ts'

export const ecrf: Texts<typeof source> = {
  casebook: {
    diff: 'Double entry check',
    secondPass: {
      open: 'Open the second pass',
      title: 'Open the second pass',
      text: 'Somebody else enters everything once more. Neither sees the other, and a data manager compares and merges the two.',
      early:
        'Only {{submitted}} of {{total}} pages of the first pass are submitted. As a rule the second pass is opened when the first is finished.',
      sure: 'Open it although the first pass is not finished',
      reason: 'Reason',
      submit: 'Open',
      state: { open: 'Second pass is being entered', merged: 'Both passes are merged' },
    },
    title: 'Case report form',
    progress: '{{submitted}} of {{total}} pages submitted',
    backToPatients: 'Back to the patients',
    repeat: 'No. {{no}}',
    empty: { title: 'This version of the form has no pages', text: 'Please ask the data manager to import the forms.' },
    patient: 'About the patient',
    goOn: 'Go on: {{page}}',
    version: 'Form version {{version}}',
  },
  nav: { title: 'Visits and pages', open: 'Open the visits and pages' },
  why: {
    no_right: 'You have no right to enter data; this is read-only.',
    project_stopped: 'The project is {{status}}; nothing can be done at the moment.',
    project_closed: 'The project has {{status}}; its data are locked.',
    center_disabled: 'This center is disabled; this is read-only.',
    archived: 'The current version does not have this page any more; it can only be read.',
    patient_removed: 'This subject’s record was voided; this is read-only. The data and the number are kept.',
    membership_ended: 'Your membership of this project was suspended or has ended: this page takes no more entries.',
    center_withdrawn: 'This center is no longer within your rights: this page takes no more entries.',
    device_blocked: 'This device was blocked: this page takes no more entries.',
    account_disabled: 'Your account was disabled: this page takes no more entries.',
    session_revoked: 'An administrator has ended your session on this device: this page takes no more entries.',
    password_changed: 'Your password was changed elsewhere: this page takes no more entries.',
  },
  openHere: {
    running: 'This subject is being downloaded to this device; data can be entered once it is here.',
    failed: 'This subject could not be downloaded to this device, so no data can be entered yet: {{reason}}',
    again: 'Try again',
    locked: 'Enter your password to download this subject to this device and start entering data',
    unlock: 'Go on',
    withheld:
      'You look after some of this center’s subjects, and a colleague’s data are on this device, so no copy for you is kept here. You can read while online; please enter data on a device of your own.',
    away: {
      title: 'You are offline, and this subject is not on this device',
      text: 'Offline, only subjects that are on this device can be viewed and entered. Open this subject once you are online and it is downloaded by itself.',
    },
  },
  voidedWaiting: '{{count}} that came after that are kept too, and are decided once the subject is restored.',
  becomes: {
    decided:
      'Nothing you entered is lost: it is kept encrypted and goes to the inbox of the server, where a data manager decides whether it is applied.',
    sentLater:
      'What you entered is kept encrypted on this device. Once you sign in again it is sent, and you can go on.',
    carried:
      'What you entered is kept encrypted on this device. It is sent once your account is enabled again, or when a colleague signs in here.',
  },
  waiting: {
    title: '{{count}} that you entered on this page not applied yet',
    inbox: 'entered {{time}}; in the inbox of the server, waiting for a data manager',
    returned: 'entered {{time}}; returned, not applied',
  },
  leave: {
    title: 'Something on this page is not saved',
    text: 'It is on the screen only and would be lost. Stay while saving is tried again, or export a rescue file that an administrator can import.',
    exported: 'The rescue file was exported. Please keep it safe.',
    stay: 'Stay on this page',
    export: 'Export rescue file',
    go: 'Discard and leave',
  },
  archived: {
    title: 'Archived pages',
    text: 'The current version does not have these pages any more. What was entered is kept, to be read only.',
  },
  retired: {
    title: 'Retired values',
    text: 'Values that the current version has no place for. They are kept as they were, to be read only.',
    field: 'Field',
    value: 'Value',
    why: { removed: 'The field is retired', unfit: 'It does not fit the new field' },
    reason: 'Why',
  },
  resubmit: {
    again: 'Changed; submit it again',
    needs: 'Changed and not submitted: {{what}}',
    reasons: 'changes without a reason: {{count}}',
    errors: 'errors: {{count}}',
    warnings: 'values to confirm: {{count}}',
    and: ', ',
  },
  bounced: {
    changed: 'Somebody else changed this page at the same time. Please check it and submit again.',
    invalid:
      'Submission error: everything is saved, but did not pass the check of the server. Please correct it and submit again.',
    conflict:
      'Everything is saved, but a value is in conflict. The page can be submitted once the conflict is resolved.',
    unanswered:
      'Everything is saved, but values that are not as expected are not confirmed. Confirm or correct each and submit again.',
    unknown: 'Everything is saved, but the page is not submitted. Please check it and submit again.',
  },
  colleague: {
    typing:
      'What {{name}} typed on this page at this tablet ({{time}}) is not saved yet and not shown below. It is saved when they unlock this tablet.',
    unsent:
      'This page holds what {{names}} entered at this tablet and what has not been sent yet. Your changes are saved in your name.',
    somebody: 'a colleague',
  },
  empty: {
    open: 'Empty this page',
    title: 'Empty this page?',
    text: 'All {{count}} items on this page will be emptied, rows of tables and attachments included. Their values stay in the audit trail; on a page that was submitted before, the reason has to be given.',
    nothing: 'There is nothing on this page to be emptied.',
    submit: 'Empty',
  },
  conflict: {
    title: '{{count}} in conflict on this page: please decide which value holds',
    decide: 'Decide: {{field}}',
    former: '{{field}} (earlier version)',
  },
  echo: {
    notShown: '{{code}} is not shown on the form',
    notFound: '{{code}} was not found in the form; its data are kept as they are',
  },
  unique: '{{label}} is the same as another patient’s',
  page: {
    back: 'Back to {{patient}}',
    answered: '{{done}} / {{total}} filled in',
    progress: 'Share filled in',
    jumpMissing: '{{count}} missing; jump to the first',
    recovered: '{{count}} inputs that were not saved last time have been restored.',
    previous: 'Previous',
    next: 'Next',
    submit: 'Submit',
    submitAndNext: '{{submit}} and next',
    notFound: { title: 'This page was not found', text: 'It may not belong to the current version of the form.' },
    saved: 'Saved on this device {{time}}',
    saving: 'Saving',
    failedWhy: 'Not saved: {{reason}} It is still on the screen, and saving is tried again.',
    unchanged: 'Nothing to save',
    readOnly: 'Read-only',
    retry: 'Try again now',
    giveReasons: 'Give reasons ({{count}})',
    alsoOpen:
      'This page is open in another tab too. Please enter data in one place only, or your own changes contradict each other.',
  },
}
