import type { VersionSummary } from '#core/api/calls/version.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { CenterRow, MemberRow, ProjectRow, RowKind, VersionRow } from '#core/api/sync/rows.ts'
import type { VisitKey } from '#core/derivedIds.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { JsonValue } from '#core/json.ts'
import type { Result } from '#core/result.ts'
import type { VisitStatus } from '#core/study/visits/schedule.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { ChangeReason, EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import type { EntryTodo } from '#core/sync/entryMark.ts'

import type { KeptDesign } from './writes/designs.ts'
import type { KeptTrial } from './writes/trials.ts'
import type { CasebookPatient, Download, OpenedHere, ScopeView } from './shapes/scopeTypes.ts'
import type {
  AttentionView,
  Casebook,
  ConflictView,
  DecisionInput,
  EnrolInput,
  EnteredView,
  EntrySave,
  EntryView,
  ExplainedChange,
  HomeProject,
  LocalWrite,
  OutboxView,
  PageMark,
  PatientFacts,
  PatientView,
  PatientWrite,
  ReceiptView,
  SavedWrite,
  ServerConflict,
  SyncState,
  UnexplainedChange,
  UnsentCount,
  UnsentWork,
  WorkList,
} from './shapes/types.ts'
import type { FileStanding, PatientFiles, ProjectImages, TakenFile } from './shapes/fileTypes.ts'
import type { DrawnPage, UnsentTrailLine } from './shapes/trailTypes.ts'
import type { VisitAct, VisitFilter, VisitList } from './shapes/visitTypes.ts'

export type Reading<Value> = Promise<Result<Value, ApiError>>

/** What a list of patients is narrowed down to; the same for the device and the server (`patient.list`). */
export interface PatientFilter {
  readonly centerId?: string
  /** Part of a subject number, of the mark of an unnumbered patient, or of the initials. */
  readonly no?: string
  readonly sex?: 'F' | 'M'
  /** First and last day of enrolment. */
  readonly from?: string
  readonly to?: string
  /** Only those whom the user enrolled or who are assigned to them. */
  readonly mine?: 'true'
  /** Only those with data on this page, and with a row in this table of it. */
  readonly pageId?: string
  readonly table?: string
  /**
   * Only those with something that needs a person, or that the server does not have yet: what this device alone knows.
   */
  readonly sync?: 'attention' | 'local'
  /** Only those with a page that waits for somebody to go on. */
  readonly todo?: 'any'
  /** 1-based. */
  readonly current?: number
  readonly size?: number
}

/** More than a project has: a list of all its patients. */
export const ALL_PATIENTS = 100_000

export interface PatientList {
  readonly patients: readonly PatientView[]
  readonly total: number
}

/** Where the first visits of folders stand, by patient and folder. */
export type VisitStates = ReadonlyMap<string, ReadonlyMap<string, VisitStatus>>

/**
 * A list of patients, with how far the pages and visits of the first of them are where this device knows it: what a
 * matrix begins with.
 */
export interface MatrixStart extends PatientList {
  readonly marks: ReadonlyMap<string, readonly PageMark[]>
  readonly states: VisitStates
}

export type MarkedPatient = Pick<PatientView, 'id' | 'centerId'>

export type EnrolledPatient = Pick<PatientView, 'id' | 'centerId' | 'enrolledOn'>

export interface WorkFilter {
  readonly centerId?: string
  readonly todo: EntryTodo
}

export interface ProjectSearch {
  /** Part of a name; empty for all. */
  readonly name: string
  /** How many pages of the list, from the first. */
  readonly pages: number
}

export interface ProjectChoice {
  readonly projects: readonly ProjectRow[]
  /** How many there are to choose from. */
  readonly total: number
}

/** What can be read. Each reading chooses by itself between the device and the server. */
export interface DataSource {
  projects(): Reading<readonly ProjectRow[]>
  project(projectId: string): Reading<ProjectRow>
  projectChoice(search: ProjectSearch): Reading<ProjectChoice>
  versions(projectId: string): Reading<readonly VersionSummary[]>
  members(projectId: string): Reading<readonly MemberRow[]>
  centers(projectId: string): Reading<readonly CenterRow[]>
  /** The version that data are entered under; `not_found` while a project has none. */
  version(projectId: string): Reading<VersionRow>
  /** Versions of the project by their ids, those of before too; one that cannot be had now is left out. */
  versionsById(projectId: string, ids: readonly string[]): Reading<readonly VersionRow[]>
  patients(projectId: string, filter: PatientFilter): Reading<PatientList>
  /** @param first of so many patients the marks come along */
  matrix(projectId: string, filter: PatientFilter, first: number): Reading<MatrixStart>
  home(): Reading<readonly HomeProject[]>
  /** How far the pages of some patients are, by patient. */
  marks(projectId: string, patients: readonly MarkedPatient[]): Reading<ReadonlyMap<string, readonly PageMark[]>>
  work(projectId: string, filter: WorkFilter): Reading<WorkList>
  /** Visits of all patients by date, as of today on this device's clock. */
  visits(projectId: string, filter: VisitFilter): Reading<VisitList>
  /** Where the first visits of the folders of some patients stand, by patient and folder. */
  visitStates(projectId: string, patients: readonly EnrolledPatient[]): Reading<VisitStates>
  /** The project that a patient is in. */
  projectOf(patientId: string): Reading<string>
  casebook(patientId: string, projectId: string): Reading<Casebook>
  entry(projectId: string, target: EntryTarget): Reading<EntryView>
  /** How far the files of an entry are, by id; of one that is not in it nobody can say. */
  fileStandings(projectId: string, entryId: string): Reading<ReadonlyMap<string, FileStanding>>
  patientFiles(projectId: string, patientId: string): Reading<PatientFiles>
  /** A page of a project's images, the latest first; never without the server. */
  projectImages(projectId: string, current: number): Reading<ProjectImages>
  scopes(projectId: string): Reading<readonly ScopeView[]>
  /** The same, without figures of what is kept. */
  keeping(projectId: string): Reading<readonly ScopeView[]>
  /** Null while none runs. */
  download(): Reading<Download | null>
  unsentWork(projectId: string): Reading<UnsentWork>
  /**
   * What was done to a patient at this device and is not sent yet, newest first; of one page alone, its places by the
   * version that it is drawn by.
   */
  unsentTrail(projectId: string, patientId: string, page?: DrawnPage): Reading<readonly UnsentTrailLine[]>
  outbox(): Reading<readonly OutboxView[]>
  receipts(): Reading<readonly ReceiptView[]>
  attention(): Reading<readonly AttentionView[]>
  conflict(projectId: string, entryId: string, conflictId: string): Reading<ConflictView>
  /** Open conflicts of centers that are not kept here; none without the server. */
  serverConflicts(): Reading<readonly ServerConflict[]>
  /**
   * What was entered in an operation that is unsent or that the server has taken; `not_found` where this user's keys do
   * not open it.
   */
  entered(opKey: string): Reading<EnteredView>
  /** What was designed in a version and is not at the server yet; null where there is nothing of it. */
  keptDesign(versionId: string): Reading<KeptDesign | null>
  /** What the user filled in of the trial subjects of a version and is not at the server yet. */
  keptTrials(versionId: string): Reading<readonly KeptTrial[]>
  syncState(): Reading<Omit<SyncState, keyof UnsentCount>>
  unsent(): Reading<UnsentCount>
}

export interface Enrolled {
  readonly patientId: string
  /** Null when the leased block is used up: visibly unnumbered until the next contact. */
  readonly no: string | null
}

/** What can be done. Every write is durable on this device before it resolves. */
export interface DataActions {
  /** Keeps a scope (and its project's common one) on this device and starts to download it. */
  keepScope(scope: string): Promise<Result<true, ApiError>>
  /** Gives a scope up; refused with the number of unsent operations while there are any. */
  dropScope(scope: string): Promise<{ readonly done: true } | { readonly done: false; readonly unsent: number }>
  /**
   * Brings a patient of a center that is not kept onto this device, so that they can be entered; resolves when they are
   * here. `vault_locked` where the password has to be given first.
   */
  openHere(projectId: string, patient: CasebookPatient): Promise<Result<OpenedHere, ApiError>>
  enrolPatient(input: EnrolInput): Promise<Result<Enrolled, ApiError>>
  /** Changes facts of a patient against what the person saw; see `changePatient`. */
  changePatient(
    projectId: string,
    seen: PatientView,
    facts: Partial<PatientFacts>,
    reason: ChangeReason | null,
  ): Promise<PatientWrite>
  /** Takes a patient away, with a reason. */
  removePatient(projectId: string, patientId: string, reason: ChangeReason): Promise<LocalWrite>
  /** Keeps what was designed until the server has it; null takes it away. */
  keepDesign(versionId: string, design: KeptDesign | null): Promise<Result<true, ApiError>>
  /**
   * Keeps trial pages until the server has them, in place of those of the trial subject that were kept before; none
   * takes them away.
   */
  keepTrial(versionId: string, trial: KeptTrial): Promise<Result<true, ApiError>>
  /**
   * Journals one step of typing: durable within 300 ms, on blur and on pagehide, whatever becomes of the save. See
   * `EntrySave.opening`.
   */
  journalEdit(projectId: string, versionId: string, target: EntryTarget, step: JournalStep, opening?: string): void
  /** Journals an answer to a warning, likewise. */
  journalAnswer(
    projectId: string,
    versionId: string,
    target: EntryTarget,
    answer: ConfirmationGiven,
    opening?: string,
  ): void
  /**
   * Lets go of what was journalled in one opening of a page: all of it was taken back, and nothing is left to be saved.
   */
  letGoTyping(target: EntryTarget, opening: string): Promise<Result<true, ApiError>>
  /**
   * What was journalled in one opening of a page and no save holds is discarded by its author: nothing of it is
   * recovered.
   */
  discardTyping(target: EntryTarget, opening: string): Promise<Result<true, ApiError>>
  /** Makes what was journalled durable now (blur, pagehide, before a reload). */
  flushJournal(): Promise<LocalWrite>
  /** Whether another patient has this value in a field that must be unique; null where the server cannot be asked. */
  isTaken(
    projectId: string,
    versionId: string,
    target: EntryTarget,
    code: string,
    value: JsonValue,
  ): Promise<boolean | null>
  /** A save of just this is about to come: what can be made of it beforehand is made. Nothing is written. */
  prepareSave(projectId: string, save: EntrySave): void
  saveEntry(projectId: string, save: EntrySave): Promise<SavedWrite>
  submitEntry(projectId: string, save: EntrySave): Promise<SavedWrite>
  /** Says why changes of a page were made, by place (`reasonKey`): what waited for that may leave this device. */
  giveReasons(projectId: string, target: EntryTarget, given: readonly ExplainedChange[]): Promise<LocalWrite>
  /** The changes of a page that wait for this user's reason, as it is on the device now. */
  unexplained(projectId: string, target: EntryTarget): Promise<readonly UnexplainedChange[]>
  /** Says something of a visit, makes one or takes one back, on this device. Gives the visit's key. */
  actOnVisit(projectId: string, visit: VisitKey, act: VisitAct): Promise<LocalWrite & { readonly visit?: VisitKey }>
  /** Deletes a repeat of a page, with a reason. */
  deleteEntry(projectId: string, target: EntryTarget, seenRev: number, reason: ChangeReason): Promise<LocalWrite>
  /** Takes a file in for a field: on the disk, sealed, when it resolves. The field's value is set after that. */
  takeFile(
    projectId: string,
    target: EntryTarget,
    place: FilePlace,
    file: TakenFile,
  ): Promise<Result<FileReference, ApiError>>
  /** The content of a file, from here or from the server. */
  fileContent(projectId: string, fileId: string): Promise<Result<Blob, ApiError>>
  /** The small picture of a file; null without one. */
  fileThumb(projectId: string, fileId: string): Promise<Blob | null>
  /** Gives up a file that nothing names, or that the server does not take. */
  discardFile(fileId: string): Promise<LocalWrite>
  /** Decides a conflict: on this device where its center is kept, else at the server. */
  decideConflict(conflict: ConflictView, decision: DecisionInput): Promise<LocalWrite>
  /**
   * A person has taken note of what was returned from the inbox, or of another's word that stands. Its receipt stays.
   */
  noteReturn(opKey: string): Promise<Result<true, ApiError>>
  /**
   * The patients of kept centers are read, for when nobody waits for them. Gives the ids of the projects that are kept.
   */
  readAhead(): Promise<readonly string[]>
  /** Something was changed at the server by a call of its own: what was read of it is read again. */
  readAgain(): void
  /** Sends and fetches now. Resolves when this cycle is over. */
  syncNow(): Promise<Result<true, ApiError>>
  /** Takes a refused operation out of the way, with a reason. It stays on the device, readable and exportable. */
  setAside(opKey: string, reason: string): Promise<LocalWrite>
  /**
   * All unsent work, encrypted to the server's rescue key, as a file to download; without the contents of unsent files,
   * of which `files` says how many.
   */
  exportUnsent(): Promise<
    Result<{ readonly name: string; readonly file: Blob; readonly count: number; readonly files: number }, ApiError>
  >
  /** Asks the browser to keep this device's data. */
  persistStorage(): Promise<boolean>
}

/** Tables of the device whose changes a reading follows; of the server's rows, all or those of a kind. */
export type Watched = 'rows' | `rows/${RowKind}` | 'scopes' | 'outbox' | 'files' | 'receipts' | 'leases' | 'state'

/** The data of an open session. `watch` calls back (bundled) after a change, in whatever tab or thread it was made. */
export interface Device extends DataSource, DataActions {
  watch(tables: readonly Watched[], changed: () => void): () => void
}
