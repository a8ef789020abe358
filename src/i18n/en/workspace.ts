import type { workspace as source } from '../zh/workspace.ts'
import type { Texts } from '../texts.ts'

/** My work, and the matrix of patients and visits. */
export const workspace: Texts<typeof source> = {
  title: 'My work',
  work: {
    title: 'To do',
    due: 'In window',
    overdue: 'Overdue',
    missing: 'Required fields empty',
    process: 'Not submitted',
    attention: 'Conflicts and needs attention',
    unsent: 'Not synced',
    more: 'Show {{count}} more',
    beyond: 'The latest {{shown}} of {{total}} are listed.',
    empty: {
      due: 'No visits are due within their window.',
      overdue: 'No overdue visits.',
      missing: 'No pages with empty required fields.',
      process: 'No pages saved but not submitted.',
      attention: 'No conflicts, and nothing needs attention.',
      unsent: 'Everything on this device is synced.',
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
    patient: 'Subject',
    submittedOf: '{{done}}/{{total}} pages submitted',
    legend: 'Legend',
    casebook: 'Open all visits',
    total: 'Subjects: {{count}}',
    empty: 'Once subjects are enrolled, the progress of their visits is shown here.',
    toPatients: 'Go to subjects',
  },
}
