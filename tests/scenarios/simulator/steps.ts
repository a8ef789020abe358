import type { QueryAct } from '#core/review/query.ts'
import type { ReviewAct, ReviewMethod, ReviewTrack } from '#core/review/verification.ts'
import type {
  AnswerIntent,
  Choice,
  Death,
  Entered,
  NewPatient,
  PageName,
  PatientField,
  PersonName,
  QuestionIntent,
  RequestFault,
  Room,
  RowIntent,
  VisitIntent,
} from './simTablet.ts'

/**
 * What happens on a ward, as plain data. Tablets are named by their place; patients, repeats, rows and conflicts by a
 * count through what there is at that moment (modulo their number), so that every prefix of a history is a history.
 */

/** What a person does at one tablet. */
export type PersonAct =
  | { readonly act: 'signIn' | 'unlock'; readonly tablet: number; readonly person: PersonName }
  | {
      readonly act: 'lock' | 'sync' | 'syncByItself' | 'rest' | 'save' | 'submit' | 'leave' | 'refresh'
      readonly tablet: number
    }
  | { readonly act: 'enrol'; readonly tablet: number; readonly patient: NewPatient }
  | {
      readonly act: 'changePatient'
      readonly tablet: number
      readonly patient: number
      readonly field: PatientField
      readonly to: string
    }
  | {
      readonly act: 'open'
      readonly tablet: number
      readonly patient: number
      readonly page: PageName
      readonly repeat: number
    }
  | { readonly act: 'enter'; readonly tablet: number; readonly field: string; readonly entered: Entered }
  | { readonly act: 'row'; readonly tablet: number; readonly row: RowIntent }
  | { readonly act: 'repeat'; readonly tablet: number; readonly patient: number; readonly term: string }
  | { readonly act: 'photo'; readonly tablet: number; readonly figure: number; readonly bytes: number }
  | { readonly act: 'visit'; readonly tablet: number; readonly patient: number; readonly visit: VisitIntent }
  | { readonly act: 'answer'; readonly tablet: number; readonly answer: AnswerIntent }
  | { readonly act: 'askHere'; readonly tablet: number; readonly question: QuestionIntent }
  | { readonly act: 'removeEntry'; readonly tablet: number; readonly patient: number; readonly repeat: number }
  | {
      readonly act: 'decide'
      readonly tablet: number
      readonly conflict: number
      readonly choice: Choice
      readonly figure: number
    }

/**
 * At once; right after a commit, before anybody hears of it; or while the database takes its time with a commit, which
 * is not made.
 */
export type ServerEnd = 'at_once' | 'after_commit' | 'in_commit'

export const personActs = [
  'signIn',
  'unlock',
  'lock',
  'sync',
  'syncByItself',
  'rest',
  'save',
  'submit',
  'leave',
  'refresh',
  'enrol',
  'changePatient',
  'open',
  'enter',
  'row',
  'repeat',
  'removeEntry',
  'decide',
  'photo',
  'visit',
  'answer',
  'askHere',
] as const satisfies readonly PersonAct['act'][]

export function isPersonAct(what: Act): what is PersonAct {
  return personActs.some((act) => act === what.act)
}

/** What befalls a tablet, its network or the server. */
export type Fault =
  | { readonly act: 'network'; readonly tablet: number; readonly connection: 'online' | 'offline' }
  | { readonly act: 'requests'; readonly tablet: number; readonly faults: readonly RequestFault[] }
  /** What was given up on its way arrives now. */
  | { readonly act: 'lateArrivals' }
  | { readonly act: 'die'; readonly tablet: number; readonly death: Death; readonly during: readonly PersonAct[] }
  | { readonly act: 'disk'; readonly tablet: number; readonly room: Room }
  | { readonly act: 'closeDatabase'; readonly tablet: number; readonly when: 'now' | 'after_commit' }
  | { readonly act: 'clock'; readonly tablet: number; readonly offsetMs: number }
  | { readonly act: 'poison'; readonly tablet: number; readonly patient: number }
  /** The server ends at its nth statement from now, or at the first commit from there. */
  | { readonly act: 'serverDies'; readonly statements: number; readonly how: ServerEnd }
  /** The nth statement from now waits too long for a lock. */
  | { readonly act: 'serverBusy'; readonly statements: number }
  | { readonly act: 'databaseDies' }
  | { readonly act: 'backup' }
  | { readonly act: 'restore' }

/** Paused, a monitor, at another center, with their own patients only; and back to what they were. */
export type MemberChange = 'pause' | 'role' | 'center' | 'self' | 'back'

/**
 * What a monitor does with one of the queries; `query` counts through those that it fits, where blind through all, or
 * is the one to which somebody said something last at a tablet.
 */
export interface ReviewIntent {
  readonly does: Exclude<QueryAct, 'answer'>
  readonly query: number | 'last'
  readonly isBlind: boolean
  readonly text: string
}

/** What a reviewer says of fields on the page that their screen shows, as they stood when they looked. */
export interface CheckIntent {
  readonly track: ReviewTrack
  readonly does: ReviewAct
  /** All fields that the screen offers, or some, counted through them. */
  readonly fields: 'all' | readonly number[]
  /** Whatever there is of the page: also what is marked already, hidden, empty, deleted, masked or on no page. */
  readonly isBlind: boolean
  /** The first of the fields is told with another value than the screen shows. */
  readonly misreads: boolean
  /** `unheard`: its answer is lost, and somebody may send the same request again. */
  readonly sends: 'once' | 'twice' | 'twins' | 'unheard'
  readonly method: ReviewMethod | null
  readonly note: string | null
  /** A tablet that sends at the same moment. */
  readonly meanwhile: number | null
}

/** A plan for a track. Critical fields are those of the vital signs that are named. */
export interface PlanIntent {
  readonly track: ReviewTrack
  readonly critical: readonly string[]
  readonly sharePercent: number
  readonly firstOfCenter: number
  /** Whether everything of chosen patients is asked for in the visit that there is, or in none. */
  readonly inVisit: boolean
  /** The northern center's own share; null where the plan's holds there. */
  readonly ownShare: number | null
  readonly note: string
}

/** What those who run the study do. */
export type StudyAct =
  /** A reviewer opens a page: the newest written of which something is there, or one that was written before. */
  | { readonly act: 'look'; readonly track: ReviewTrack; readonly entry: number }
  | { readonly act: 'check'; readonly check: CheckIntent }
  /** The last request of the track goes out once more, as it was. */
  | { readonly act: 'checkAgain'; readonly track: ReviewTrack }
  | { readonly act: 'plan'; readonly plan: PlanIntent }
  /** The server does what it was asked for, while a tablet sends. */
  | { readonly act: 'serverWorks'; readonly meanwhile: number | null }
  | { readonly act: 'ask'; readonly question: QuestionIntent }
  | { readonly act: 'review'; readonly review: ReviewIntent }
  | { readonly act: 'project'; readonly status: 'process' | 'stop' | 'close' }
  | { readonly act: 'control'; readonly patient: number; readonly control: 'open' | 'frozen' | 'locked' }
  | { readonly act: 'member'; readonly person: PersonName; readonly change: MemberChange }
  | { readonly act: 'release' }
  /** A tablet is blocked, or may go on. */
  | { readonly act: 'device'; readonly tablet: number; readonly blocked: boolean }
  /** All sessions of a person end: an administrator ended them, or they changed their password elsewhere. */
  | { readonly act: 'sessions'; readonly person: PersonName }
  | { readonly act: 'account'; readonly person: PersonName; readonly status: 'active' | 'disabled' }

/**
 * Several things at the same time. A commit of the first may wait until the others are done (`holdCommit`), or the end
 * of what it fetches of the center, once the server has looked what there is (`holdPull`).
 */
export interface Together {
  readonly act: 'together'
  readonly holdCommit: boolean
  readonly holdPull?: boolean
  readonly acts: readonly PersonAct[]
}

export type Act = PersonAct | Fault | StudyAct | Together

export interface Step {
  /** Time that passes on the ward before it, in ms. */
  readonly after: number
  readonly what: Act
}

export interface History {
  readonly seed: number
  /** How many tablets there are, and who begins at each. */
  readonly tablets: readonly PersonName[]
  /** How many patients the server knows at the start. */
  readonly patients: number
  /** Kinds of fault that it is about. */
  readonly faults: readonly string[]
  /** Needs a database of its own: it is copied and put back. */
  readonly ownDatabase: boolean
  /** A backup is made before the first tablet is unpacked: a server put back to it knows nothing of them. */
  readonly earlyBackup: boolean
  /** Rules of the study's pages read other pages. */
  readonly crosses: boolean
  /**
   * Photographs are taken, things are said of visits, queries are asked and answered, and somebody enters patients a
   * second time.
   */
  readonly casebook: boolean
  /** Reviewers verify what is entered, by plans that change. */
  readonly reviews: boolean
  readonly steps: readonly Step[]
}
