import { reportWords as words } from '#core/report/words.en.ts'

import type { report as source } from '../zh/report.ts'
import type { Texts } from '../texts.ts'

export const report: Texts<typeof source> = {
  title: 'Reports',
  which: 'Report',
  center: 'Center',
  allCenters: 'All centers',
  from: 'From',
  to: 'To',
  badDay: 'Enter a date, such as 2026-11-20',
  badOrder: 'The end is before the beginning',
  print: 'Print',
  download: 'Download CSV',
  file: '{{report}}-{{day}}.csv',
  pin: { add: 'Pin to workspace', remove: 'Unpin from workspace', full: '{{count}} reports pinned already' },
  schedule: {
    title: 'Send by schedule',
    intro:
      'Sent to the e-mail address of your account from 7 in the morning on. Sums only, nothing about subjects, counted with the rights that you have on that day.',
    noEmail: {
      not_set_up: 'The server is not set up to send e-mail, so reports cannot be sent by schedule.',
      no_address:
        'Your account has no e-mail address, so reports cannot be sent by schedule. Please ask an administrator.',
    },
    of: '{{report}} · {{center}}',
    addOf: 'Add: {{name}}',
    add: 'Add',
    full: 'A project has at most {{count}} scheduled reports. Delete one first.',
    own: 'My scheduled reports',
    none: 'No scheduled reports yet.',
    every: { day: 'Every day', week: 'Every week', month: 'Every month' },
    everyOf: 'How often: {{name}}',
    weekdayOf: 'Day of the week: {{name}}',
    dayOf: 'Day of the month: {{name}}',
    weekday: {
      monday: 'Monday',
      tuesday: 'Tuesday',
      wednesday: 'Wednesday',
      thursday: 'Thursday',
      friday: 'Friday',
      saturday: 'Saturday',
      sunday: 'Sunday',
    },
    monthDay: 'Day {{day}}',
    on: '{{every}}, {{day}}',
    next: 'Next {{day}}',
    sent: 'Last {{day}}, sent',
    unsent: 'Last {{day}}, not sent: {{why}}',
    why: {
      unreachable: 'the mail server did not answer',
      busy: 'the mail server took nothing for now',
      sign_in: 'the mail server refused the sign-in',
      refused: 'the mail server refused it',
      uncertain: 'the connection broke, it may have arrived',
      restored: 'the server was restored from a backup, it may have been sent before',
      removed: 'removed',
      no_address: 'the account had no e-mail address',
      not_counted: 'the report could not be counted',
    },
    paused: {
      right: 'Paused: you were not allowed to view reports',
      member: 'Paused: you were not in the project',
      account: 'Paused: your account was disabled',
      project: 'Paused: the project was not available',
      center: 'Paused: you were not allowed to see this center',
    },
    resume: 'Resume',
    remove: 'Delete',
    removeOf: 'Delete scheduled report: {{name}}',
    sure: 'Delete the scheduled report?',
    sureText: '“{{name}}” will no longer be sent to you.',
  },
  at: 'Counted {{time}}',
  total: 'Total',
  line: { centers: 'Center', people: 'Person' },
  by: { centers: 'By center', people: 'By person' },
  empty: { title: 'Nothing to count yet', text: 'Figures appear here once there are subjects and data.' },
  comma: ', ',
  sources: 'From the forms: {{forms}}',
  untold: {
    noForm: {
      title: 'No adverse event form recognised',
      text: 'No field in the releases of this study is recognised as the term of an adverse event (such as code AETERM, or the label “Adverse event”). Nothing can be counted, which does not mean that there were no events.',
    },
    masked: {
      title: 'No adverse events that you may count',
      text: 'The term of the event identifies a person, and you may not see it. So nothing is counted.',
    },
  },
  partly: {
    noForm:
      'No field in the releases of this study is recognised as the term of a protocol deviation (such as code DVTERM, or the label “Protocol deviation”). So only visits are counted, which does not mean that there were no other deviations.',
    masked:
      'The description of a deviation identifies a person, and you may not see it. So recorded deviations are not counted, only visits are.',
  },
  kinds: {
    enrolment: { title: words.kinds.enrolment, about: 'Subjects enrolled so far beside what each center plans.' },
    flow: {
      title: words.kinds.flow,
      about:
        'How many subjects were recorded, enrolled, are in follow-up, completed or withdrew. Completed: the last visit of the schedule took place. Withdrawn: so recorded at a visit.',
    },
    visits: {
      title: words.kinds.visits,
      about: 'Whether planned visits take place in their windows, and which are overdue.',
    },
    completeness: {
      title: words.kinds.completeness,
      about: 'How many of the pages begun are submitted, and how many required fields are still empty.',
    },
    queries: {
      title: words.kinds.queries,
      about: 'Queries sent to the centers by their state and by how long they wait. Times are medians in days.',
    },
    verification: {
      title: words.kinds.verification,
      about: 'How many of the fields that the review plan asks for are verified (SDV) and reviewed (DMR).',
    },
    doubleEntry: { title: words.kinds.doubleEntry, about: 'How many of the subjects with a second pass are merged.' },
    timeliness: {
      title: words.kinds.timeliness,
      about:
        'How long it takes from visit to entry, submission and verification (medians in days). A page first entered more than 7 days after its visit is late.',
    },
    activity: { title: words.kinds.activity, about: 'How much each person did in the period.' },
    adverseEvents: {
      title: words.kinds.adverseEvents,
      about:
        'Each page or row of an adverse event form with a term is one event. Possibly related or more counts as related; without an end date it is ongoing. The incidence is of enrolled subjects.',
    },
    deviations: {
      title: words.kinds.deviations,
      about:
        'Deviations that centers recorded (each page or row of a deviation form with a description is one), and visits that took place out of their window or were missed. The incidence is of enrolled subjects.',
    },
    devices: {
      title: words.kinds.devices,
      about:
        'Devices as they stand now: unsent is what a device reported at its last contact, "No contact over 7 days" leaves out blocked devices, and the total counts a device of several centers once. Time to server runs from the act on the device to its receipt by the server (median in hours), of what was received in the period, at most the latest 50,000 acts of the study.',
    },
    risk: {
      title: words.kinds.risk,
      about:
        'For risk-based monitoring: risk indicators of each center against all centers. Outside of the 95% funnel limit a center is marked "high", outside of 99.8% "very high".',
    },
  },
  measures: words.measures,
  shares: words.shares,
  standing: { warning: 'High', alarm: 'Very high' },
  chart: {
    title: 'Centers compared',
    which: 'Indicator',
    whole: 'All centers {{whole}}',
    summary: '{{share}} of {{count}} centers; {{whole}} in all centers.',
    note: 'Highest first; the dashed line is all centers.',
    limits:
      'Highest first; the dashed line is all centers, the shaded area the 95% funnel limits: the fewer cases, the wider.',
    cases: 'Out of',
  },
  months: {
    title: 'Enrolment by month',
    sum: 'Enrolled in total',
    month: 'Month',
    inMonth: 'In the month',
    enrolled: 'Enrolled {{count}}',
    plan: 'Planned {{count}}',
    summary: '{{count}} subjects enrolled.',
    summaryOfPlan: '{{count}} subjects enrolled of {{plan}} planned.',
    note: 'By date of enrolment, without subjects that have no number yet.',
  },
  flow: {
    title: 'Participant flow',
    ofCenter: 'Participant flow · {{center}}',
    summary:
      '{{subjects}} recorded, {{numbered}} enrolled: {{following}} in follow-up, {{completed}} completed, {{withdrawn}} withdrawn.',
    note: 'Each box opens its subjects. Reasons for withdrawal are counted as they were written. Treatment arms are not shown.',
    step: 'Stage',
    count: 'Subjects',
    n: 'n = {{value}}',
    leftBefore: 'of whom left before enrolment',
    otherReasons: 'Other reasons',
  },
  subjects: {
    count_one: '{{count}} subject',
    count: '{{count}} subjects',
    none: 'No subjects',
    unnumbered: 'No number, {{mark}}',
    more: 'Show more',
  },
}
