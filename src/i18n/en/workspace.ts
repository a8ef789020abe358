import type { workspace as source } from '../zh/workspace.ts'
import type { Texts } from '../texts.ts'

/** My work, and the matrix of patients and visits. */
export const workspace: Texts<typeof source> = {
  title: 'My work',
  work: {
    title: 'To do',
    due: 'In window',
    overdue: 'Overdue',
    missing: 'Required missing',
    process: 'Not submitted',
    attention: 'Conflicts and attention',
    unsent: 'Not synced',
    more: 'Show {{count}} more',
    beyond: 'The latest {{shown}} of {{total}} are listed.',
    empty: {
      due: 'No visit is in its window now.',
      overdue: 'No visit is overdue.',
      missing: 'No page lacks a required value.',
      process: 'No page is saved without being submitted.',
      attention: 'No conflicts, and nothing that needs attention.',
      unsent: 'Everything on this device has been received.',
    },
  },
  when: {
    overdue: 'Overdue',
    today: 'Today',
    week: 'Within 7 days',
    window: 'In window',
    left: 'days left: {{count}}',
    late: 'days late: {{count}}',
  },
  matrix: {
    title: 'Visit matrix',
    patient: 'Patient',
    submittedOf: '{{done}}/{{total}} pages submitted',
    legend: 'What the marks mean',
    casebook: 'Open all visits',
    total: 'Patients: {{count}}',
    empty: 'Once patients are enrolled, the progress of their visits shows here.',
    toPatients: 'To the patients',
  },
}
