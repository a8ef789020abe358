import type { ecrf as source } from '../zh/ecrf.ts'
import type { Texts } from '../texts.ts'

export const ecrf: Texts<typeof source> = {
  casebook: {
    diff: 'Double entry comparison',
    secondPass: {
      open: 'Start the second pass',
      title: 'Start the second pass',
      text: 'A different person enters all data independently. Neither pass is visible to the other; a data manager then compares and merges them.',
      early:
        'The first pass is not complete (pages submitted: {{submitted}} of {{total}}). The second pass usually starts once the first is complete.',
      sure: 'Start although the first pass is not complete',
      reason: 'Reason',
      submit: 'Start',
      state: { open: 'Second pass in progress', merged: 'Passes merged' },
    },
    title: 'Case report form',
    progress: 'Pages submitted: {{submitted}} of {{total}}',
    backToPatients: 'Back to the list of subjects',
    repeat: 'No. {{no}}',
    empty: { title: 'This form version has no pages', text: 'Ask the data manager to import the forms.' },
    patient: 'Subject details',
    goOn: 'Continue: {{page}}',
    version: 'Form version {{version}}',
  },
  nav: { title: 'Visits and pages', open: 'Open visits and pages' },
  why: {
    no_right: 'View only: you do not have permission to enter data.',
    project_stopped: 'The project is {{status}}; no operations are possible at the moment.',
    project_closed: 'The project is {{status}}; its data is locked.',
    center_disabled: 'View only: this center is disabled.',
    archived: 'View only: the current version no longer contains this page.',
    patient_removed: 'View only: this subject’s record has been voided. The data and the subject number are kept.',
    membership_ended:
      'Your membership of this project is suspended or has expired; data entry on this page has stopped.',
    center_withdrawn: 'You no longer have access to this center; data entry on this page has stopped.',
    device_blocked: 'This device has been blocked; data entry on this page has stopped.',
    account_disabled: 'Your account has been disabled; data entry on this page has stopped.',
    session_revoked: 'An administrator has ended your session on this device; data entry on this page has stopped.',
    password_changed: 'Your password was changed on another device; data entry on this page has stopped.',
  },
  openHere: {
    running: 'Downloading this subject to this device; you can enter data once it is complete.',
    failed: 'This subject could not be downloaded to this device, so data cannot be entered yet: {{reason}}',
    again: 'Try again',
    locked: 'Enter your password to download this subject to this device and start data entry',
    unlock: 'Continue',
    withheld:
      'You are responsible for some of this center’s subjects only, and this device holds a colleague’s data, so no copy is kept here. You can view online; to enter data, use your own device.',
    away: {
      title: 'You are offline, and this subject is not on this device',
      text: 'Offline, only subjects already on this device can be viewed and entered. Open this subject once you are online; it is downloaded automatically.',
    },
  },
  voidedWaiting_one: '{{count}} later entry is kept too; it can be reviewed once the subject is restored.',
  voidedWaiting: '{{count}} later entries are kept too; they can be reviewed once the subject is restored.',
  becomes: {
    decided:
      'Your entries are not lost: they are encrypted and go to the server’s inbox, where a data manager decides whether to accept them.',
    sentLater: 'Your entries are encrypted on this device. They are sent once you sign in again, and you can continue.',
    carried:
      'Your entries are encrypted on this device. They are sent once your account is enabled again, or when a colleague signs in on this device.',
  },
  waiting: {
    title_one: '{{count}} of your entries on this page is not applied yet',
    title: '{{count}} of your entries on this page are not applied yet',
    inbox: 'Entered {{time}}; in the server’s inbox, awaiting the data manager',
    returned: 'Entered {{time}}; rejected, not applied',
  },
  leave: {
    title: 'Unsaved entries on this page',
    text: 'They are on the screen only and will be lost if you leave now. Stay here while saving is retried, or export an offline backup file for the administrator to import.',
    exported: 'Offline backup file exported. Keep it safe.',
    stay: 'Stay on this page',
    export: 'Export offline backup file',
    go: 'Discard and leave',
  },
  archived: {
    title: 'Archived pages',
    text: 'The current version no longer contains these pages. The data entered is kept and can be viewed only.',
  },
  retired: {
    title: 'Retired values',
    text: 'Values that have no field in the current version. They are kept unchanged and can be viewed only.',
    field: 'Field',
    value: 'Value',
    why: { removed: 'Field retired', unfit: 'Does not fit the new field type' },
    reason: 'Reason',
  },
  resubmit: {
    again: 'Changed; submit again',
    needs: 'Changed, not submitted: {{what}}',
    reasons_one: '{{count}} change without a reason',
    reasons: '{{count}} changes without a reason',
    errors: '{{count}} to be corrected',
    warnings: '{{count}} to be confirmed',
    and: ', ',
  },
  bounced: {
    changed: 'Someone else changed this page at the same time. Check it, then submit again.',
    invalid: 'Submission error: saved, but the server’s checks failed. Correct the errors, then submit again.',
    conflict: 'Saved, but there are conflicts on this page. It can be submitted once they are resolved.',
    unanswered:
      'Saved, but values outside the plausible range or with warnings are not confirmed. Confirm or correct each one, then submit again.',
    unknown: 'Saved, but not submitted. Check the page, then submit again.',
  },
  colleague: {
    typing:
      'What {{name}} typed on this page on this device ({{time}}) is not saved yet and not shown below. It is saved once they unlock this device.',
    unsent:
      'This page contains unsynced entries made by {{names}} on this device. Your changes are saved in your name.',
    somebody: 'A colleague',
  },
  empty: {
    open: 'Clear this page',
    title: 'Clear this page?',
    text_one:
      'The {{count}} item on this page will be cleared, including attachments. Its previous values stay in the audit trail; a page that was submitted before needs a reason for change.',
    text: 'All {{count}} items on this page will be cleared, including table rows and attachments. Previous values stay in the audit trail; a page that was submitted before needs a reason for change.',
    nothing: 'There is nothing to clear on this page.',
    submit: 'Clear',
  },
  conflict: {
    title_one: '{{count}} conflict on this page: select the value to use',
    title: '{{count}} conflicts on this page: select the value to use',
    decide: 'Resolve: {{field}}',
    seen_one: '{{count}} conflict on this page, to be resolved by the site',
    seen: '{{count}} conflicts on this page, to be resolved by the site',
    see: 'View: {{field}}',
    former: '{{field}} (earlier version)',
  },
  echo: {
    notShown: '{{code}} is not shown on the form',
    notFound: '{{code}}: field not found in the form; the data is kept unchanged',
  },
  unique: '{{label}} is already used for another subject',
  page: {
    back: 'Back to {{patient}}',
    answered: '{{done}} / {{total}} completed',
    progress: 'Completion',
    jumpMissing: '{{count}} missing; go to the first',
    recovered_one: '{{count}} entry that was not saved last time has been restored.',
    recovered: '{{count}} entries that were not saved last time have been restored.',
    previous: 'Previous',
    next: 'Next',
    submit: 'Submit',
    submitAndNext: '{{submit}} and next',
    notFound: { title: 'Page not found', text: 'It may not belong to the current form version.' },
    saved: 'Saved on this device {{time}}',
    saving: 'Saving',
    failedWhy: 'Save failed: {{reason}} Your entries are still on the screen; saving is retried automatically.',
    unchanged: 'All changes saved',
    readOnly: 'Read-only',
    retry: 'Try again now',
    giveReasons: 'Give reasons for change ({{count}})',
    alsoOpen:
      'This page is also open in another tab. Enter data in one place only; otherwise your own changes will conflict.',
  },
}
