/**
 * The reports on how a study goes: what each of them counts. A figure is counted for each center (or person) and leads
 * to the subjects behind it; shares are made of two figures, so that a share always agrees with what it is made of.
 */

export const reportKinds = [
  'enrolment',
  'flow',
  'visits',
  'completeness',
  'queries',
  'verification',
  'doubleEntry',
  'timeliness',
  'activity',
  'adverseEvents',
  'deviations',
  'devices',
  'risk',
] as const
export type ReportKind = (typeof reportKinds)[number]

/** Figures that are shown; one code means the same in every report. */
export const measureCodes = [
  'subjects',
  'numbered',
  'recent',
  'plan',
  'done',
  'outside',
  'overdue',
  'due',
  'coming',
  'missed',
  'begun',
  'submitted',
  'waiting',
  'missing',
  'conflicts',
  'asked',
  'open',
  'answeredOpen',
  'week',
  'month',
  'closed',
  'toAnswer',
  'toClose',
  'sdvDue',
  'sdvDone',
  'sdvChanged',
  'dmrDue',
  'dmrDone',
  'dmrChanged',
  'second',
  'unmerged',
  'merged',
  'pages',
  'late',
  'visitToEntry',
  'entryToSubmit',
  'submitToVerified',
  'enrolled',
  'saved',
  'raised',
  'answers',
  'verified',
  'withEvent',
  'events',
  'serious',
  'mild',
  'moderate',
  'severe',
  'related',
  'ongoing',
  'unnumbered',
  'leftBefore',
  'following',
  'completed',
  'withdrawn',
  'withDeviation',
  'recorded',
  'major',
  'minor',
  'devices',
  'silent',
  'withUnsent',
  'unsent',
  'blocked',
  'toServer',
] as const
export type MeasureCode = (typeof measureCodes)[number]

export type ShareCode =
  | 'ofPlan'
  | 'inWindow'
  | 'answered'
  | 'ofSubmitted'
  | 'ofClosed'
  | 'sdv'
  | 'dmr'
  | 'ofMerged'
  | 'onTime'
  | 'overdueOf'
  | 'missingOf'
  | 'askedOf'
  | 'monthOf'
  | 'lateOf'
  | 'changedOf'
  | 'withEventOf'
  | 'completedOf'
  | 'withdrawnOf'
  | 'withDeviationOf'
  | 'withinDay'

/** A figure. `days`, `hours`: a median, which no subject adds up to. */
export interface Measure {
  readonly code: MeasureCode
  readonly unit: 'count' | 'days' | 'hours'
  /** Whether subjects stand behind it: then it can be opened. */
  readonly opens: boolean
  /** Whether more of it is worse: it is marked where it is not zero. */
  readonly asksForWork: boolean
}

/** A share of two figures of the same report. `rate`: of 100, and may be above it. */
export interface Share {
  readonly code: ShareCode
  readonly of: string
  readonly among: string
  readonly kind: 'percent' | 'rate'
}

export interface ReportShape {
  readonly measures: readonly Measure[]
  readonly shares: readonly Share[]
  /** What a line is. */
  readonly lines: 'centers' | 'people'
  /** Whether it is about what happened between two days; else it tells how things stand now. */
  readonly hasPeriod: boolean
}

const count = (code: MeasureCode): Measure => ({ code, unit: 'count', opens: true, asksForWork: false })
const work = (code: MeasureCode): Measure => ({ ...count(code), asksForWork: true })
const total = (code: MeasureCode): Measure => ({ ...count(code), opens: false })
const totalOfWork = (code: MeasureCode): Measure => ({ ...total(code), asksForWork: true })
const days = (code: MeasureCode): Measure => ({ ...total(code), unit: 'days' })
const hours = (code: MeasureCode): Measure => ({ ...total(code), unit: 'hours' })
const percent = (code: ShareCode, of: string, among: string): Share => ({ code, of, among, kind: 'percent' })
const rate = (code: ShareCode, of: string, among: string): Share => ({ code, of, among, kind: 'rate' })

/** What each report counts, in the order of its columns. */
export const REPORTS: Readonly<Record<ReportKind, ReportShape>> = {
  enrolment: {
    measures: [count('subjects'), count('numbered'), count('recent'), total('plan')],
    shares: [percent('ofPlan', 'numbered', 'plan')],
    lines: 'centers',
    hasPeriod: false,
  },
  flow: {
    measures: [
      count('subjects'),
      count('unnumbered'),
      count('leftBefore'),
      count('numbered'),
      count('following'),
      count('completed'),
      count('withdrawn'),
    ],
    shares: [percent('withdrawnOf', 'withdrawn', 'numbered'), percent('completedOf', 'completed', 'numbered')],
    lines: 'centers',
    hasPeriod: false,
  },
  visits: {
    measures: [count('done'), count('outside'), work('overdue'), count('due'), count('coming'), count('missed')],
    shares: [percent('inWindow', 'inside', 'timed')],
    lines: 'centers',
    hasPeriod: false,
  },
  completeness: {
    measures: [count('begun'), count('submitted'), work('waiting'), work('missing'), work('conflicts')],
    shares: [percent('answered', 'answered', 'fields'), percent('ofSubmitted', 'submitted', 'begun')],
    lines: 'centers',
    hasPeriod: false,
  },
  queries: {
    measures: [
      count('asked'),
      work('open'),
      work('answeredOpen'),
      work('week'),
      work('month'),
      count('closed'),
      days('toAnswer'),
      days('toClose'),
    ],
    shares: [percent('ofClosed', 'closed', 'asked')],
    lines: 'centers',
    hasPeriod: true,
  },
  verification: {
    measures: [
      count('sdvDue'),
      count('sdvDone'),
      work('sdvChanged'),
      count('dmrDue'),
      count('dmrDone'),
      work('dmrChanged'),
    ],
    shares: [percent('sdv', 'sdvDone', 'sdvDue'), percent('dmr', 'dmrDone', 'dmrDue')],
    lines: 'centers',
    hasPeriod: false,
  },
  doubleEntry: {
    measures: [count('second'), work('unmerged'), count('merged')],
    shares: [percent('ofMerged', 'merged', 'second')],
    lines: 'centers',
    hasPeriod: false,
  },
  timeliness: {
    measures: [count('pages'), count('late'), days('visitToEntry'), days('entryToSubmit'), days('submitToVerified')],
    shares: [percent('onTime', 'onTime', 'dated')],
    lines: 'centers',
    hasPeriod: true,
  },
  activity: {
    measures: [
      total('enrolled'),
      total('saved'),
      total('submitted'),
      total('raised'),
      total('answers'),
      total('verified'),
    ],
    shares: [],
    lines: 'people',
    hasPeriod: true,
  },
  adverseEvents: {
    measures: [
      count('withEvent'),
      count('events'),
      count('serious'),
      count('mild'),
      count('moderate'),
      count('severe'),
      count('related'),
      count('ongoing'),
    ],
    shares: [percent('withEventOf', 'numberedWith', 'numbered')],
    lines: 'centers',
    hasPeriod: false,
  },
  deviations: {
    measures: [
      count('withDeviation'),
      count('recorded'),
      count('major'),
      count('minor'),
      count('outside'),
      count('missed'),
    ],
    shares: [percent('withDeviationOf', 'numberedWith', 'numbered')],
    lines: 'centers',
    hasPeriod: false,
  },
  devices: {
    measures: [
      total('devices'),
      totalOfWork('silent'),
      total('withUnsent'),
      total('unsent'),
      total('blocked'),
      hours('toServer'),
    ],
    shares: [percent('withinDay', 'withinDay', 'acts')],
    lines: 'centers',
    hasPeriod: true,
  },
  risk: {
    measures: [work('overdue'), work('missing'), count('asked'), work('month'), count('late'), work('sdvChanged')],
    shares: [
      percent('overdueOf', 'overdue', 'past'),
      percent('missingOf', 'missing', 'fields'),
      rate('askedOf', 'asked', 'submitted'),
      percent('monthOf', 'month', 'waitingAnswer'),
      percent('lateOf', 'late', 'dated'),
      percent('changedOf', 'sdvChanged', 'verifiedOnce'),
    ],
    lines: 'centers',
    hasPeriod: false,
  },
}

/** A page that was first saved so many days after its visit is late. */
export const LATE_DAYS = 7
/** A device that had no contact for so many days is silent. */
export const SILENT_DAYS = 7
/** How long acts take to the server is told of no more than so many of a study, the latest. */
export const MOST_ACTS = 50_000
/** Enrolments of so many days are the recent ones. */
export const RECENT_DAYS = 30

/** Whether subjects stand behind a figure of a report. */
export function opensSubjects(kind: ReportKind, measure: MeasureCode): boolean {
  return REPORTS[kind].measures.some(({ code, opens }) => code === measure && opens)
}

/** Figures by their codes; null where there is nothing to count, as a median of nothing. */
export type Figures = Readonly<Record<string, number | null>>

/** A share in percent (or of 100); null where there is nothing to be a share of. */
export function shareOf({ of, among }: Pick<Share, 'of' | 'among'>, figures: Figures): number | null {
  const whole = figures[among] ?? 0
  return whole === 0 ? null : (100 * (figures[of] ?? 0)) / whole
}
