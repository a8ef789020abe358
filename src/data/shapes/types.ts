import type { FieldNames, NamedPage, NamedVisit, PageNames, VisitNames } from '#core/form/definition/inLanguage.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import type { LookUps } from '#core/form/definition/lookUps.ts'
import type { JsonValue } from '#core/json.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { ConflictChoice } from '#core/sync/conflict.ts'
import type { ChangeReason, EntryChange, EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import type { PageTodo } from '#core/study/visits/pagesToDo.ts'
import type { ScheduledVisit } from '#core/study/visits/schedule.ts'
import type { InboxReason, Outcome, Receipt } from '#core/sync/protocol/operation.ts'
import type { EntryProgress, EntryStatus } from '#core/sync/entryMark.ts'
import type {
  ConflictRow,
  EntryRow,
  InboxRow,
  PatientIdentity,
  PatientRow,
  ProjectRow,
  VersionRow,
  VisitRow,
} from '#core/api/sync/rows.ts'
import type { BounceReason, EndedWhy } from '#offline/db/rows.ts'
import type { StorageUse } from '#offline/db/usage.ts'

/**
 * What screens read and do. One data API with a local and a remote side: where a scope is kept on this device, it reads
 * and writes the device; where it is not, it asks the server. A screen cannot tell which.
 */

/** What a hook has so far. `stale` while something older is shown and newer is on its way. */
export type Loadable<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value; readonly stale: boolean }
  | { readonly state: 'failed'; readonly error: ApiError }

/** Where what was entered is. Derived from rows, never stored. Ordered by what a person should see first. */
export type SyncStage = 'conflict' | 'attention' | 'local' | 'sending' | 'received'

/** A page of a patient as the casebook lists it. */
export interface CasebookPage extends NamedVisit, NamedPage {
  readonly target: EntryTarget
  readonly entryId: string
  readonly pageCode: string
  readonly status: EntryStatus
  /** How full it is; null where nothing was entered, or it was never counted. */
  readonly progress: EntryProgress | null
  readonly mark: SyncStage | null
  readonly repeatable: boolean
  readonly repeatNo: number
  /** Revision of the server's row, where it is a repeat that could be deleted now; null for others. */
  readonly removableAt: number | null
}

/** A visit of a patient: a folder of the casebook, or one of its repeats. */
export interface VisitView extends ScheduledVisit, NamedVisit {
  readonly id: string
  /** What was said of it, with this device's unsent work; null where nobody has said anything. */
  readonly row: VisitRow | null
  /** Where what was said of it is; null where nothing was said. */
  readonly sync: SyncStage | null
}

/** A page that a person may add to a visit: a further repeat, or one that nobody is asked for. */
export interface AddablePage extends NamedPage {
  readonly pageId: string
  /** Whether there is one already. */
  readonly another: boolean
}

/** One visit of the casebook with its pages. */
export interface CasebookFolder extends NamedVisit {
  readonly folderId: string
  readonly folderRepeat: string
  readonly folderCode: string
  readonly visit: VisitView
  readonly pages: readonly CasebookPage[]
  readonly addable: readonly AddablePage[]
}

export interface Casebook {
  readonly project: ProjectRow
  readonly patient: PatientView
  readonly version: VersionRow
  /**
   * All visits that are part of this patient's casebook, in their order; those that were taken back only while they
   * hold entries.
   */
  readonly folders: readonly CasebookFolder[]
  /** Pages that the version does not have any more and in which something was entered: to be read. */
  readonly archived: readonly CasebookPage[]
  /** All visits, those that were taken back or left out among them. */
  readonly visits: readonly VisitView[]
  /** Pages that somebody must go on with. */
  readonly todo: readonly PageTodo[]
  /** Why this user may not say anything of visits here; null where they may. */
  readonly visitBar: 'no_right' | 'project_stopped' | 'project_closed' | 'not_kept' | null
  /** Whether the user may enter data here, and if not, why. */
  readonly entry:
    | { readonly allowed: true }
    | {
        readonly allowed: false
        readonly why:
          | 'no_right'
          | 'project_stopped'
          | 'project_closed'
          | 'center_disabled'
          | 'not_kept'
          | 'patient_removed'
          | 'archived'
          | EndedWhy
      }
  /** What this device said of the patient while somebody else said another thing. */
  readonly overruled: readonly OverruledChange[]
}

/** A patient with what this device knows beyond the server's row. */
export interface PatientView extends PatientRow {
  readonly mark4: string
  readonly sync: SyncStage
  readonly centerName: string
  /** The entry pass that this user sees their data of. */
  readonly pass: 1 | 2
}

/** How far a page of a patient is, without what was entered. */
export interface PageMark {
  readonly entryId: string
  readonly target: Omit<EntryTarget, 'pass'>
  readonly status: EntryStatus
  /** Null where it was never counted. */
  readonly progress: EntryProgress | null
  readonly mark: SyncStage
}

/** A page that waits for somebody to go on. */
export interface WorkLine extends PageMark, NamedVisit, NamedPage {
  readonly patient: Pick<PatientView, 'no' | 'mark' | 'initials'>
  /** Its place in the casebook. */
  readonly order: number
}

export interface WorkList {
  /** The first of them. */
  readonly lines: readonly WorkLine[]
  readonly total: number
}

/** A project on the home page. */
export interface HomeProject {
  readonly project: ProjectRow
  /** What waits there for this user; null where nobody can say at the moment. */
  readonly counts: { readonly missing: number; readonly process: number; readonly attention: number } | null
  /** Whether the server has been asked for them and has not answered yet. */
  readonly counting: boolean
}

/** One page, ready to be filled: its definition, and its data with this device's unsent work applied. */
export interface EntryView {
  readonly target: EntryTarget
  readonly entryId: string
  readonly page: NamedPage & { readonly pageCode: string; readonly option: string }
  readonly versionId: string
  /**
   * The engine of the page where it stands in that version; null when the page cannot be read. Shared by all entries of
   * the page.
   */
  readonly compiled: CompiledPage | null
  /**
   * What is saved on the other pages that its rules read. The same object from reading to reading while nothing there
   * has changed.
   */
  readonly otherPages: OtherPages
  /** What its fields may take from the patient's other pages; the same object likewise. */
  readonly lookUps: LookUps
  /** Data as the person should see them: server's rows with unsent saves over them. Saves are diffs against it. */
  readonly data: EntryData
  /**
   * Whether the server's row among them came without what identifies, for this user: what stands for it is a mask then,
   * and never a value.
   */
  readonly masked: boolean
  /**
   * The device's write number when its unsent work was read: of two readings, and of a reading and a save, the higher
   * is the newer.
   */
  readonly order: number
  readonly status: EntryStatus
  /** Whether it was ever submitted, here or at the server: from then on changes need a reason. */
  readonly submittedOnce: boolean
  /** What was answered to warnings, here or at the server. The same object while nothing of it has changed. */
  readonly confirmed: readonly Confirmation[]
  /** What was changed since and has no reason yet. */
  readonly unexplained: readonly UnexplainedChange[]
  /** The server's row under it; null before the first contact. */
  readonly server: EntryRow | null
  readonly mark: SyncStage | null
  /** What of the page two people changed differently, and nobody has decided yet. */
  readonly conflicts: readonly ConflictPlace[]
  /** Why the last submit did not go through, while the page waits to be submitted again. */
  readonly bounced: BounceView | null
  /** What was being typed when the browser died, newer than any save (ADR 0002); already applied to `data`. */
  readonly recovered: number
  readonly colleagues: ColleagueWork
  /** What this user entered here and the server keeps for a decision: it is in no data yet. */
  readonly waiting: readonly WaitingChange[]
}

/** A value that was entered on a page and waits for somebody to decide about it, or was returned. */
export interface WaitingChange {
  readonly opKey: string
  readonly item: ReasonPlace & { readonly to: ItemContent }
  /** When it was entered, by this device's clock. */
  readonly at: string
  readonly state: 'inbox' | 'returned'
}

/**
 * A change of a page that was submitted before, without a reason. `code` is `_row` where a row was added, deleted or
 * brought back.
 */
export interface UnexplainedChange extends ReasonPlace {
  /** Null where it is not known, and of rows. */
  readonly from: ItemContent | null
  readonly to: ItemContent | null
  readonly row: 'added' | 'deleted' | 'restored' | null
  readonly byName: string
  readonly at: string
  /** Whether this user can give the reason: what a colleague has not sent only they can. */
  readonly mine: boolean
  /** `device`: it leaves this tablet once it has its reason. `server`: it is there, and listed. */
  readonly where: 'device' | 'server'
}

/** A change with the reason that a person gave for it, as it was shown to them. */
export interface ExplainedChange {
  readonly change: UnexplainedChange
  readonly reason: ChangeReason
}

/** What others entered on this page at this device and the server does not have yet. */
export interface ColleagueWork {
  /** Names of those whose saved work is in `data`. */
  readonly unsent: readonly string[]
  /** Who left typing that is not saved: it is not in `data`, and comes back when they unlock. */
  readonly typing: readonly { readonly name: string; readonly at: string }[]
}

/**
 * Where a conflict lies. `code` is `_deleted` where a deletion met an edit: of a row, or of the whole page (`rid`
 * null).
 */
export interface ConflictPlace {
  readonly id: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  /**
   * Where a release removed its field, what that was called: the page has it no more, and its code may be another
   * field's.
   */
  readonly former?: FieldNames
}

/**
 * Why a submit did not go through: the page is saved, not submitted. `messages`: what the server said, by field code.
 */
export interface BounceView {
  readonly why: BounceReason
  readonly messages: Readonly<Record<string, string>>
}

/** What happens when an edit is journalled or saved on the device. */
export type LocalWrite =
  | { readonly ok: true; readonly at: string }
  /** Nothing is lost: the values are still on the screen and in memory, and the write is tried again. */
  | { readonly ok: false; readonly error: ApiError }

/** What came of saving a page. A reading whose `order` is not lower holds the save. */
export type SavedWrite =
  | (Extract<LocalWrite, { readonly ok: true }> & { readonly order: number })
  | Extract<LocalWrite, { readonly ok: false }>

/** What a page hands over when it saves: its changed items and rows against `EntryView.data`. */
export interface EntrySave extends Pick<EntryChange, 'target' | 'items' | 'rows' | 'journal' | 'confirms'> {
  readonly versionId: string
  /** On submit: the data as the person saw them; null where they cannot be compared (see `seenData`), and on a save. */
  readonly seen: EntryData | null
  /** How full the page is then; null where nobody counted. */
  readonly progress: EntryProgress | null
  /** Whether the page as it is would pass a submit; then a correction with its reason leaves it submitted. */
  readonly sound?: boolean
  /** Whether the page was submitted before, as far as its screen knows. */
  readonly submittedOnce?: boolean
  /** Keys (`reasonKey`) of items that rules calculate. */
  readonly calculated?: ReadonlySet<string>
  /**
   * In which opening of the page it was typed: the save takes that opening's steps, and no other's, out of the typing
   * journal.
   */
  readonly opening?: string
}

export interface EnrolInput {
  readonly projectId: string
  readonly centerId: string
  readonly initials: string | null
  readonly sex: 'F' | 'M' | null
  readonly enrolledOn: string | null
  readonly identity: PatientIdentity
}

export interface Enrolled {
  readonly patientId: string
  /** Null when the leased block is used up: visibly unnumbered until the next contact. */
  readonly no: string | null
}

/** What is on this device only. */
export interface UnsentCount {
  readonly unsent: number
  readonly oldestUnsent: string | null
}

/** Connection and sync in words: the top of every screen. */
export interface SyncState extends UnsentCount {
  /** Whether the server answered last; null before it was ever asked. `navigator.onLine` is never the truth. */
  readonly reachable: boolean | null
  readonly lastContact: string | null
  /** The tablet's clock minus the server's at the last contact, ms; null before the first. */
  readonly driftMs: number | null
  readonly syncing: boolean
  /** Operations that stay here until their author says why. */
  readonly unexplained: number
  readonly attention: number
  readonly paused: null | 'signed_out' | 'client_too_old' | 'vault_locked' | 'server_full'
  readonly storage: StorageUse | null
  /**
   * Patients whose entries gave way on a full disk: they are read from the server, and come back when there is room.
   */
  readonly evicted: number
}

/** One operation on this device, as "data on this tablet" lists it. */
export interface OutboxView extends PageNames {
  readonly key: string
  readonly projectId: string
  readonly seq: number
  readonly call: string
  readonly state: 'queued' | 'sending' | 'retry' | 'paused' | 'rejected' | 'reason'
  readonly author: string
  readonly authorName: string
  readonly patientLabel: string
  readonly actedAt: string
  readonly items: number
  readonly error: ApiError | null
  readonly patientId: string | null
  readonly target: EntryTarget | null
  /** Patient or entry that it writes. */
  readonly entityId: string
}

export interface UnsentWork {
  /** The oldest of it. */
  readonly lines: readonly OutboxView[]
  readonly total: number
}

/** A receipt as the same page lists it. */
export interface ReceiptView extends Receipt, PageNames {
  readonly call: string
  /** What became of it in the inbox, as far as this device has heard, and what the person who decided wrote. */
  readonly inbox: InboxRow['state'] | null
  readonly note: string | null
  readonly patientLabel: string
  readonly items: number
}

/**
 * What needs a person: refused operations, what is in the inbox or came back from it, conflicts, submits that did not
 * go through.
 */
export interface AttentionView extends PageNames, FieldNames {
  readonly id: string
  readonly projectId: string
  /**
   * The operation, for what was entered, for `setAside` (rejected) and `noteReturn` (returned); null where there is
   * none.
   */
  readonly opKey: string | null
  readonly kind: 'rejected' | 'inbox' | 'returned' | 'conflict' | 'held' | 'bounced' | 'overruled' | 'reason'
  readonly reason:
    | ApiError['code']
    | InboxReason
    | 'project_stopped'
    | Outcome
    | `submit_${BounceReason}`
    | 'reason_needed'
    | 'reason_of_colleague'
  readonly patientId: string | null
  readonly patientLabel: string
  readonly target: EntryTarget | null
  readonly fieldCode: string | null
  /**
   * Of a conflict in a table: what the table is called, and the row's place, from 1; null for a row that is deleted.
   */
  readonly tableRow: (FieldNames & { readonly no: number | null }) | null
  readonly at: string
  readonly conflict: { readonly id: string; readonly entryId: string } | null
  /** Who returned it, when, and what they wrote. */
  readonly decision: { readonly byName: string | null; readonly at: string | null; readonly note: string | null } | null
  /** In the inbox: who decides, by name; empty where this device does not know. */
  readonly waitsFor: readonly string[]
}

/**
 * One thing that an operation says. `code` is null where a row was deleted, or where only its conflict knows the place.
 */
export interface EnteredItem {
  readonly table: string | null
  readonly rid: string | null
  readonly code: string | null
  readonly to: ItemContent
}

/** What an operation says of the patient themselves. */
export interface PatientFact {
  readonly field: 'initials' | 'sex' | 'enrolledOn' | 'name' | 'mobile' | 'email' | 'birthDate'
  readonly value: string | null
}

/** What is known of a patient, each as text; null where it is not known. */
export type PatientFacts = { readonly [Field in PatientFact['field']]: string | null }

/** What this device sent of a patient and somebody else had changed before. */
export interface OverruledChange {
  readonly opKey: string
  readonly at: string
  /** What was said; what stands is in the patient's row. */
  readonly facts: readonly PatientFact[]
}

/**
 * What came of changing a patient. `overruled`: facts that somebody else had changed meanwhile, as they stand; only the
 * server's own answer can tell.
 */
export type PatientWrite = LocalWrite & { readonly overruled?: readonly PatientFact[] }

/** What was entered in an operation, and the definition of its page. */
export interface EnteredView {
  readonly option: string | null
  readonly items: readonly EnteredItem[]
  readonly facts: readonly PatientFact[]
}

/** A conflict with all that a person needs to decide it. */
export interface ConflictView extends VisitNames, PageNames {
  readonly row: ConflictRow
  readonly projectId: string
  readonly target: EntryTarget
  /** The version that it is decided under; null while the project has none that can be read. */
  readonly versionId: string | null
  readonly patientLabel: string
  /** The page's definition; null where no known version has it. */
  readonly option: string | null
  /** What the item holds now, with this device's unsent work. Of a deletion: whether it is deleted. */
  readonly current: ItemContent
  /** When the value that waits reached the server; known where it was sent from this device. */
  readonly arrivedAt: string | null
  /**
   * Of a conflict in a table: the row as it is now, and its place among those that are there, from 1 (null: it is
   * deleted); null where it is not known.
   */
  readonly tableRow: { readonly no: number | null; readonly values: Readonly<Record<string, JsonValue>> } | null
  /** How it was decided: here (and not yet received by the server), or as the server says. */
  readonly decided: DecidedView | null
  /** Why this user cannot decide it; null where they can. */
  readonly barred: 'no_right' | 'project_stopped' | 'project_closed' | 'masked' | null
  /** Whether it is kept on this device: then deciding needs no network. */
  readonly kept: boolean
}

export interface DecidedView {
  readonly choice: ConflictChoice
  readonly to: ItemContent
  readonly reason: ChangeReason
  readonly byName: string
  readonly at: string
  readonly where: 'device' | 'server'
}

/** How a person decides. */
export interface DecisionInput {
  readonly choice: ConflictChoice
  readonly to: ItemContent
  readonly reason: ChangeReason
}

/** A conflict of a center that this device does not keep, as a list shows it. */
export interface ServerConflict extends NamedPage, FieldNames {
  readonly id: string
  readonly entryId: string
  readonly projectId: string
  readonly patientNo: string | null
  readonly mineByName: string
  readonly mineAt: string
}
