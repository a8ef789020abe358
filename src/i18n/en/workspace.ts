import type { workspace as source } from '../zh/workspace.ts'
import type { Texts } from '../texts.ts'

/** My work, and the matrix of patients and visits. */
export const workspace: Texts<typeof source> = {
  title: 'My work',
  pinned: 'My pinned reports',
  work: {
    title: 'To do',
    today: 'Today',
    week: 'This week',
    overdue: 'Overdue',
    window: 'In window',
    queries: 'Queries',
    missing: 'Required fields empty',
    process: 'Not submitted',
    attention: 'Needs attention',
    unsent: 'Not synced',
    more: 'Show {{count}} more',
    beyond: 'The first {{shown}} of {{total}} are listed.',
    empty: {
      today: 'No visits due today.',
      week: 'No visit windows close in the next 7 days.',
      overdue: 'No overdue visits.',
      window: 'No visits in windows that close more than 7 days from now.',
      queries: 'No queries wait for you.',
      missing: 'No pages with empty required fields.',
      process: 'No pages saved but not submitted.',
      attention: 'No conflicts, and nothing needs attention.',
      unsent: 'Everything on this device is synced.',
    },
  },
  when: {
    left: '{{count}} d left',
    late: '{{count}} d overdue',
  },
  matrix: {
    title: 'Visit matrix',
    patient: 'Subject',
    submittedOf: 'Pages submitted: {{done}}/{{total}}',
    queries_one: '{{count}} unresolved query',
    queries: '{{count}} unresolved queries',
    queryCount: 'Number in the corner: unresolved queries, red where one waits for you',
    comma: ', ',
    legend: 'Legend',
    ringDone: 'figure: pages submitted',
    ringMissing: 'figure: required values missing',
    casebook: 'Open all visits',
    total: 'Subjects: {{count}}',
    empty: 'Once subjects are enrolled, the progress of their visits is shown here.',
    toPatients: 'Go to subjects',
  },
}
