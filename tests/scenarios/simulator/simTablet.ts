import type { QueryAct } from '#core/review/query.ts'

/**
 * A tablet as a history drives it: what a person sees and does at it, and what may befall it. Plain data in and out, so
 * that the same histories run on tablets of different make: the app's parts in one process, or the app in a browser.
 */

/** Any JSON value. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/** What an item holds; null is empty. */
export interface Content {
  readonly value: Plain
  readonly missing: { readonly m: 'ND' | 'UNK' | 'NA'; readonly reason: string } | null
}

/** Deng enters the second pass, where there is one; the others the first. */
export type PersonName = 'lin' | 'wu' | 'chen' | 'deng' | 'monitor'

/** Pages of the casebook; the therapy is there where pages read each other. */
export type PageName = 'vitals' | 'event' | 'therapy'

/** A page of a patient; of the adverse events one of several (`repeat`). */
export interface PageOf {
  readonly patientId: string
  readonly page: PageName
  /** '0' for the first, else the id of the repeat. */
  readonly repeat: string
}

/** A field that no page has. */
export const POISON = 'no_such_field'

/** What a person enters into one field. */
export type Entered =
  | { readonly how: 'text'; readonly text: string }
  | { readonly how: 'choice'; readonly value: string | readonly string[] }
  | { readonly how: 'missing'; readonly m: 'ND' | 'UNK' | 'NA'; readonly reason: string }
  /** What the field held when the page was opened. */
  | { readonly how: 'back' }

/** What became of entering something: what the person saw before, and what stands on the screen now. */
export interface Edit {
  readonly base: Content
  readonly to: Content
  /** As the journal of typing holds it. */
  readonly typed: Plain
  /** Whether there was a key to seal it under: a page that takes typing without one would lose it. */
  readonly sealable?: boolean
}

/** A change of a row of the table `drugs`. `row` counts through the rows on the screen, deleted ones at the end. */
export type RowIntent =
  | { readonly change: 'insert'; readonly order: string; readonly drug: string }
  | { readonly change: 'edit'; readonly row: number; readonly field: 'drug' | 'dose'; readonly text: string }
  | { readonly change: 'move'; readonly row: number; readonly order: string }
  | { readonly change: 'delete'; readonly row: number }
  | { readonly change: 'restore'; readonly row: number }

/** A change of a row that is durable on the tablet now. */
export interface RowDone {
  readonly rid: string
  readonly state: { readonly from: RowSeen | null; readonly to: RowSeen } | null
  readonly item: (Edit & { readonly field: string }) | null
}

export interface RowSeen {
  readonly deleted: boolean
  readonly order: string
}

/** A photograph that is on the tablet's disk and named on the page now. */
export interface Photo {
  readonly fileId: string
  /** SHA-256 of its content. */
  readonly hash: string
}

/** What a person says of one of the visits that the tablet shows for a patient; `visit` counts through them. */
export type VisitIntent =
  | { readonly how: 'make'; readonly day: string }
  | { readonly how: 'date'; readonly visit: number; readonly day: string }
  | { readonly how: 'skip'; readonly visit: number; readonly why: string }
  | { readonly how: 'remove' | 'restore'; readonly visit: number }

/** What was said of a visit and is durable on the tablet now. */
export interface VisitDone {
  readonly visitId: string
  readonly made: boolean
  readonly fields: Readonly<Record<string, string | null>>
}

/** What a monitor asks about a vital sign of a patient; without a field, about the patient. */
export interface QuestionIntent {
  readonly patient: number
  readonly field: string | null
  readonly isCandidate: boolean
  readonly text: string
}

/** What a person says to one of the queries that the tablet shows; `query` counts through those where they may. */
export interface AnswerIntent {
  readonly query: number
  readonly act: QueryAct
  readonly text: string
}

/** A query to which something was said that is durable now. */
export interface AnswerDone {
  readonly queryId: string
  readonly patientId: string
}

export interface SeenPatient {
  readonly patientId: string
  /** Null while visibly unnumbered. */
  readonly no: string | null
}

/** A page as it is on the screen. */
export interface SeenPage {
  readonly values: Readonly<Record<string, Plain>>
  readonly missing: Readonly<Record<string, Plain>>
  readonly status: 'init' | 'process' | 'other'
}

export interface NewPatient {
  readonly initials: string
  readonly sex: 'F' | 'M'
  readonly name: string
}

export type PatientField = 'initials' | 'sex' | 'name' | 'mobile'

export type Choice = 'server' | 'mine' | 'new'

/** A decision that is durable on the tablet now. */
export interface Decided {
  readonly conflictId: string
  readonly patientId: string
  readonly entryId: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly seen: Content
  readonly to: Content
}

/** What can go wrong with one request. */
export interface RequestFault {
  readonly on: 'push' | 'pull' | 'files' | 'other' | 'any'
  readonly kind:
    /** It never arrives. */
    | 'lost'
    /** It arrives, and its answer does not. */
    | 'answer_lost'
    /** It arrives twice, one after the other. */
    | 'twice'
    /** It arrives twice at the same moment. */
    | 'twins'
    /** The sender gives it up; it arrives some steps later, after newer ones. */
    | 'late'
    /** The answer breaks off after `lines` lines. */
    | 'cut'
    /** A gateway answers for the server. */
    | 'gateway'
  readonly lines: number
}

/** What kills a thread of the app: so many steps (writes to the disk, requests) after now. */
export interface Death {
  readonly of: 'page' | 'worker'
  readonly after: number
  /** Only what writes down data that were fetched is counted. Where steps cannot be told apart, all are. */
  readonly counts?: 'fetched'
}

/**
 * All of it answers null or false where it could not be done: nobody is at work, no network, no such field. That is
 * part of the history and no error of it. What is answered otherwise is durable on the tablet.
 */
/** What still fits on a tablet's disk: nothing, marks and figures but no data, or all of it. */
export type Room = 'none' | 'little' | 'enough'

export interface SimTablet {
  readonly name: string
  /** Who is at work; null while it is locked. */
  readonly person: PersonName | null

  /** Signs in over the network, which ends the shift of whoever was at work. */
  signIn(person: PersonName): Promise<boolean>
  /** Opens the locked tablet with the person's password, without the network. */
  unlock(person: PersonName): Promise<boolean>
  /** The shift ends. What the page holds is saved as far as it goes. */
  lock(): Promise<void>

  patients(): Promise<readonly SeenPatient[]>
  enrol(patient: NewPatient): Promise<SeenPatient | null>
  changePatient(patientId: string, field: PatientField, to: string): Promise<{ readonly base: Plain } | null>

  /** Repeats of the adverse event that the tablet shows for a patient. */
  repeats(patientId: string): Promise<readonly string[]>
  open(page: PageOf): Promise<SeenPage | null>
  enter(field: string, entered: Entered): Promise<Edit | null>
  row(intent: RowIntent): Promise<RowDone | null>
  /** Takes a photograph into the open page; `figure` makes it like no other. */
  photo(figure: number, bytes: number): Promise<Photo | null>
  /** The hand rests: what was typed is in the journal. */
  rest(): Promise<boolean>
  save(): Promise<boolean>
  submit(): Promise<boolean>
  /** Saves and closes the page; where it cannot be saved, it stays open. */
  leave(): Promise<boolean>
  /** What has been pulled since reaches the open page. */
  refresh(): Promise<SeenPage | null>
  /** A new adverse event, made with its first value. */
  repeat(patientId: string, term: string): Promise<{ readonly repeat: string } | null>
  removeEntry(page: PageOf): Promise<boolean>
  visit(patientId: string, intent: VisitIntent): Promise<VisitDone | null>
  /** Asks at the tablet. */
  ask(patientId: string, question: QuestionIntent): Promise<boolean>
  answer(intent: AnswerIntent): Promise<AnswerDone | null>
  /**
   * Decides the nth of the open conflicts that the tablet shows; a new value is a figure, or what the field takes for
   * one.
   */
  decide(nth: number, choice: Choice, figure: number): Promise<Decided | null>
  /** Queues an operation that no server takes. Gives its page. */
  poison(patientId: string): Promise<PageOf | null>

  /**
   * Sends and fetches now. Resolves when the cycle is over, however it ends. Asked for by a person, nothing waits any
   * longer; when the app does so by itself, after a save, what has failed before waits for its time. Where the two
   * cannot be told apart, nothing waits.
   */
  sync(asks?: 'person' | 'app'): Promise<void>

  connect(connection: 'online' | 'offline'): Promise<void>
  /** The next matching requests go wrong in this order. */
  expectFaults(faults: readonly RequestFault[]): void
  fillDisk(room: Room): Promise<void>
  /** The browser closes the database under the app: now, or right after its next commit, before it can say so. */
  closeDatabase(when: 'now' | 'after_commit'): Promise<void>
  setClock(offsetMs: number): Promise<void>
  /** Time passes: what the app does by its own clocks is done. */
  pass(ms: number): Promise<void>
  /** A thread dies while `during` runs, or right after it. A dead page is opened again, locked. */
  die(death: Death, during: () => Promise<unknown>): Promise<void>
}
