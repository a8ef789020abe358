import type { VersionSummary } from '#core/api/calls.version.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import type { EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import type { EntryTodo } from '#core/sync/entryMark.ts'
import type { CenterRow, MemberRow, ProjectRow, RowKind, VersionRow } from '#core/sync/rows.ts'

import type {
  AttentionView,
  Casebook,
  ConflictView,
  DecisionInput,
  Download,
  EnrolInput,
  EnteredView,
  EntrySave,
  EntryView,
  HomeProject,
  LocalWrite,
  OutboxView,
  PageMark,
  PatientView,
  ReceiptView,
  SavedWrite,
  ScopeView,
  ServerConflict,
  SyncState,
  UnsentCount,
  UnsentWork,
  WorkList,
} from './types.ts'

export type Reading<Value> = Promise<Result<Value, ApiError>>

export interface PatientFilter {
  readonly centerId?: string
  /** Part of a subject number, or of the mark of an unnumbered patient. */
  readonly no?: string
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

/** A list of patients, with how far the pages of the first of them are where this device knows it: what a matrix begins with. */
export interface MatrixStart extends PatientList {
  readonly marks: ReadonlyMap<string, readonly PageMark[]>
}

export type MarkedPatient = Pick<PatientView, 'id' | 'centerId'>

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
  patients(projectId: string, filter: PatientFilter): Reading<PatientList>
  /** @param first of so many patients the marks come along */
  matrix(projectId: string, filter: PatientFilter, first: number): Reading<MatrixStart>
  home(): Reading<readonly HomeProject[]>
  /** How far the pages of some patients are, by patient. */
  marks(projectId: string, patients: readonly MarkedPatient[]): Reading<ReadonlyMap<string, readonly PageMark[]>>
  work(projectId: string, filter: WorkFilter): Reading<WorkList>
  casebook(patientId: string, projectId: string): Reading<Casebook>
  entry(projectId: string, target: EntryTarget): Reading<EntryView>
  scopes(projectId: string): Reading<readonly ScopeView[]>
  /** The same, without figures of what is kept. */
  keeping(projectId: string): Reading<readonly ScopeView[]>
  /** Null while none runs. */
  download(): Reading<Download | null>
  unsentWork(projectId: string): Reading<UnsentWork>
  outbox(): Reading<readonly OutboxView[]>
  receipts(): Reading<readonly ReceiptView[]>
  attention(): Reading<readonly AttentionView[]>
  conflict(projectId: string, entryId: string, conflictId: string): Reading<ConflictView>
  /** Open conflicts of centers that are not kept here; none without the server. */
  serverConflicts(): Reading<readonly ServerConflict[]>
  /** What was entered in an operation that is unsent or that the server has taken; `not_found` where this user's keys do not open it. */
  entered(opKey: string): Reading<EnteredView>
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
  enrolPatient(input: EnrolInput): Promise<Result<Enrolled, ApiError>>
  /** Journals one step of typing: durable within 300 ms, on blur and on pagehide, whatever becomes of the save. */
  journalEdit(projectId: string, versionId: string, target: EntryTarget, step: JournalStep): void
  /** Makes what was journalled durable now (blur, pagehide, before a reload). */
  flushJournal(): Promise<LocalWrite>
  /** A save of just this is about to come: what can be made of it beforehand is made. Nothing is written. */
  prepareSave(projectId: string, save: EntrySave): void
  saveEntry(projectId: string, save: EntrySave): Promise<SavedWrite>
  submitEntry(projectId: string, save: EntrySave): Promise<SavedWrite>
  /** Decides a conflict: on this device where its center is kept, else at the server. */
  decideConflict(conflict: ConflictView, decision: DecisionInput): Promise<LocalWrite>
  /** Takes what was returned from the inbox off the list of what needs attention. Its receipt stays. */
  noteReturn(opKey: string): Promise<Result<true, ApiError>>
  /** The patients of kept centers are read, for when nobody waits for them. Gives the ids of the projects that are kept. */
  readAhead(): Promise<readonly string[]>
  /** Something was changed at the server by a call of its own: what was read of it is read again. */
  readAgain(): void
  /** Sends and fetches now. Resolves when this cycle is over. */
  syncNow(): Promise<Result<true, ApiError>>
  /** Takes a refused operation out of the way, with a reason. It stays on the device, readable and exportable. */
  setAside(opKey: string, reason: string): Promise<LocalWrite>
  /** All unsent work, encrypted to the server's rescue key, as a file to download. */
  exportUnsent(): Promise<Result<{ readonly name: string; readonly file: Blob; readonly count: number }, ApiError>>
  /** Asks the browser to keep this device's data. */
  persistStorage(): Promise<boolean>
}

/** Tables of the device whose changes a reading follows; of the server's rows, all or those of a kind. */
export type Watched = 'rows' | `rows/${RowKind}` | 'scopes' | 'outbox' | 'receipts' | 'leases' | 'state'

/** The data of an open session. `watch` calls back (bundled) after a change, in whatever tab or thread it was made. */
export interface Device extends DataSource, DataActions {
  watch(tables: readonly Watched[], changed: () => void): () => void
}
