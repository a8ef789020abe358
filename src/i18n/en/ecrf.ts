import type { ecrf as source } from '../zh/ecrf.ts'
import type { Texts } from '../texts.ts'

export const ecrf: Texts<typeof source> = {
  casebook: {
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
    not_kept: 'The data of this center are not kept on this tablet. Keep them to enter data.',
  },
  bounced: {
    changed: 'Somebody else changed this page at the same time. Please check it and submit again.',
    invalid: 'Submission error: everything is saved, but did not pass the check of the server. Please correct it and submit again.',
    conflict: 'Everything is saved, but a value is in conflict. The page can be submitted once the conflict is resolved.',
    unknown: 'Everything is saved, but the page is not submitted. Please check it and submit again.',
  },
  colleague: {
    typing: 'What {{name}} typed on this page at this tablet ({{time}}) is not saved yet and not shown below. It is saved when they unlock this tablet.',
    unsent: 'This page holds what {{names}} entered at this tablet and what has not been sent yet. Your changes are saved in your name.',
    somebody: 'a colleague',
  },
  conflict: { title: '{{count}} in conflict on this page: please decide which value holds', decide: 'Decide: {{field}}', unnamed: 'record' },
  toPatients: 'Keep the data of this center',
  page: {
    back: 'Back to {{patient}}',
    answered: '{{done}} / {{total}} filled in',
    progress: 'Share filled in',
    jumpMissing: '{{count}} missing; jump to the first',
    recovered: '{{count}} inputs that were not saved last time have been restored.',
    previous: 'Previous',
    next: 'Next',
    submit: 'Submit',
    notFound: { title: 'This page was not found', text: 'It may not belong to the current version of the form.' },
    saved: 'Saved on this device {{time}}',
    saving: 'Saving',
    failedWhy: 'Not saved: {{reason}} It is still on the screen, and saving is tried again.',
    unchanged: 'Nothing to save',
    readOnly: 'Read-only',
    retry: 'Try again now',
  },
}
