import type { casebook as source } from '../zh/casebook.ts'
import type { Texts } from '../texts.ts'

export const casebook: Texts<typeof source> = {
  dots: {
    conflict: '{{count}} in conflict',
    overdue: '{{count}} overdue',
    missing: '{{count}} with missing values',
    inProgress: '{{count}} in progress',
    due: '{{count}} due',
    missed: '{{count}} missed',
    done: '{{count}} done',
    planned: '{{count}} not started',
    off: '{{count}} skipped or cancelled',
  },
  strip: {
    enrolledOn: 'Enrolled {{day}}',
    voided: 'Voided',
    more: 'More actions',
    previous: 'Previous subject: {{patient}} (Shift + K)',
    next: 'Next subject: {{patient}} (Shift + J)',
    first: 'This is the first subject',
    last: 'This is the last subject',
    place: '{{place}} of {{total}}',
  },
  timeline: {
    title: 'Visit timeline',
    today: 'Today',
    todayIs: 'Today {{day}}',
    left: 'Pages to submit: {{count}}',
  },
  visits: {
    title: 'Visits and pages',
    apart: 'Unscheduled visits and logs',
    past: 'Visits done: {{count}}',
    share: 'Pages: {{submitted}} / {{total}}',
    openAll: 'Expand all',
    foldAll: 'Collapse all',
  },
  todo: {
    all: 'Show all {{count}}',
    fewer: 'Show the first {{count}}',
    conflict: 'Conflict {{count}}',
    missing: 'Missing {{count}}',
    process: 'Not submitted {{count}}',
    overdue: 'Overdue {{count}}',
    notStarted: 'Not started {{count}}',
  },
}
