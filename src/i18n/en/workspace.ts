import type { workspace as source } from '../zh/workspace.ts'
import type { Texts } from '../texts.ts'

/** My work, and the matrix of patients and visits. */
export const workspace: Texts<typeof source> = {
  title: 'My work',
  work: {
    title: 'To do',
    today: 'Today',
    week: 'This week',
    overdue: 'Overdue',
    window: 'In window',
    missing: 'Required missing',
    process: 'Not submitted',
    attention: 'Needs attention',
    unsent: 'Not synced',
    more: 'Show {{count}} more',
    beyond: 'The first {{shown}} of {{total}} are listed.',
    empty: {
      today: 'No visit has to take place today.',
      week: 'No window closes within 7 days.',
      overdue: 'No visit is overdue.',
      window: 'No visit is in a window that closes later than in 7 days.',
      missing: 'No page lacks a required value.',
      process: 'No page is saved without being submitted.',
      attention: 'No conflicts, and nothing that needs attention.',
      unsent: 'Everything on this device has been received.',
    },
  },
  when: {
    left: '{{count}} d left',
    late: '{{count}} d late',
  },
  matrix: {
    title: 'Visit matrix',
    patient: 'Patient',
    submittedOf: '{{done}}/{{total}} pages submitted',
    legend: 'What the marks mean',
    ringDone: 'figure: pages submitted',
    ringMissing: 'figure: required values missing',
    casebook: 'Open all visits',
    total: 'Patients: {{count}}',
    empty: 'Once patients are enrolled, the progress of their visits shows here.',
    toPatients: 'To the patients',
  },
}
