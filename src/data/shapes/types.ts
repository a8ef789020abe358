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
 * What screens read and do. One data API with a local and a remote side: where a scope is kept, it reads and writes the
 * device; otherwise it asks the server. A screen cannot tell which.
 */

/** What a hook has so far. `stale` while an older value is shown and a newer one is on its way. */
export type Loadable<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: Value; readonly stale: boolean }
  | { readonly state: 'failed'; readonly error: ApiError }

/** Where entered data are now. Derived from rows, never stored. Ordered by what a person should see first. */
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
  /** Who wrote it last, and when; absent where nobody has. Without a name as long as the server does not have it. */
  readonly changed?: { readonly byName: string | null; readonly at: string }
}

/** A visit of a patient: a folder of the casebook, or one of its repeats. */
export interface VisitView extends ScheduledVisit, NamedVisit {
  readonly id: string
  /** What was said of the visit, with this device's unsent work; null where nobody has said anything. */
  readonly row: VisitRow | null
  /** How far that is on its way to the server; null where nothing was said. */
  readonly sync: SyncStage | null
}

/** A page that a person may add to a visit: a further repeat, or a page that nobody is asked for. */
export interface AddablePage extends NamedPage {
  readonly pageId: string
  /** Whether the visit has one already. */
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
   * All visits in this patient's casebook, in their order. A visit that was taken back is listed only while it holds
   * entries.
   */
  readonly folders: readonly CasebookFolder[]
  /** Pages that the version no longer has and in which something was entered: read-only. */
  readonly archived: readonly CasebookPage[]
  /** All visits, including those that were taken back or left out. */
  readonly visits: readonly VisitView[]
  /** Pages that somebody must go on with. */
  readonly todo: readonly PageTodo[]
  /** Why this user may not record anything about visits here; null where they may. */
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
  /** Facts that this device changed while somebody else changed them differently. */
  readonly overruled: readonly OverruledChange[]
}

/** A patient with what this device knows beyond the server's row. */
export interface PatientView extends PatientRow {
  readonly mark4: string
  readonly sync: SyncStage
  readonly centerName: string
  /** The entry pass whose data this user sees. */
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
  /** What waits there for this user; null where nobody can say it now. */
  readonly counts: {
    readonly missing: number
    readonly process: number
    readonly attention: number
    readonly queries: number
  } | null
  /** Whether the server has been asked for the counts and has not answered yet. */
  readonly counting: boolean
}

/** One page, ready to be filled: its definition, and its data with this device's unsent work applied. */
export interface EntryView {
  readonly target: EntryTarget
  readonly entryId: string
  readonly page: NamedPage & { readonly pageCode: string; readonly option: string }
  readonly versionId: string
  /**
   * The engine of the page at its place in that version; null when the page cannot be read. All entries of the page
   * share it.
   */
  readonly compiled: CompiledPage | null
  /**
   * What is saved on the other pages that the page's rules read. The same object from reading to reading while nothing
   * there has changed.
   */
  readonly otherPages: OtherPages
  /**
   * What the page's fields may take from the patient's other pages; the same object while nothing there has changed.
   */
  readonly lookUps: LookUps
  /**
   * Data as the person should see them: the server's rows with unsent saves over them. Saves are computed as
   * differences from this.
   */
  readonly data: EntryData
  /**
   * Whether the server left out identifying values for this user: a mask stands in their place, which is never a value.
   */
  readonly masked: boolean
  /**
   * The device's write number when the unsent work was read: of two readings, or of a reading and a save, the higher is
   * the newer.
   */
  readonly order: number
  readonly status: EntryStatus
  /** Whether the page was ever submitted, here or at the server: from then on changes need a reason. */
  readonly submittedOnce: boolean
  /** The answers to warnings, here or at the server. The same object while none has changed. */
  readonly confirmed: readonly Confirmation[]
  /** Changes after the first submit that have no reason yet. */
  readonly unexplained: readonly UnexplainedChange[]
  /** The server's row under the data; null before the first contact. */
  readonly server: EntryRow | null
  readonly mark: SyncStage | null
  /** Conflicts on the page that nobody has decided yet. */
  readonly conflicts: readonly ConflictPlace[]
  /** How many there are: more than are listed while the list is still on its way from the server. */
  readonly conflictCount: number
  /** Why the last submit did not go through, while the page waits to be submitted again. */
  readonly bounced: BounceView | null
  /**
   * How many steps were being typed when the browser died, newer than any save (ADR 0002); already applied to `data`.
   */
  readonly recovered: number
  readonly colleagues: ColleagueWork
  /** What this user entered here and the server keeps for a decision: it is not in the data yet. */
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
  /** Whether this user can give the reason: only the author can explain what is not sent. */
  readonly mine: boolean
  /** `device`: the change leaves this tablet once it has a reason. `server`: it is at the server, which lists it. */
  readonly where: 'device' | 'server'
}

/** A change with the reason that a person gave, as it was shown to them. */
export interface ExplainedChange {
  readonly change: UnexplainedChange
  readonly reason: ChangeReason
}

/** What others entered on this page at this device and the server does not have yet. */
export interface ColleagueWork {
  /** Names of the people whose saved work is in `data`. */
  readonly unsent: readonly string[]
  /** People who left typing that is not saved: it is not in `data`, and comes back when they unlock. */
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
   * What the field was called, where a release removed it: the page no longer has it, and another field may have its
   * code.
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

/** The result of saving a page. A reading whose `order` is not lower includes the save. */
export type SavedWrite =
  | (Extract<LocalWrite, { readonly ok: true }> & { readonly order: number })
  | Extract<LocalWrite, { readonly ok: false }>

/** What a page hands over when it saves: its items and rows that differ from `EntryView.data`. */
export interface EntrySave extends Pick<EntryChange, 'target' | 'items' | 'rows' | 'journal' | 'confirms'> {
  readonly versionId: string
  /** On submit: the data as the person saw them. Null where they cannot be compared (see `seenData`), and on a save. */
  readonly seen: EntryData | null
  /** How full the page is after the save; null where nobody counted. */
  readonly progress: EntryProgress | null
  /** Whether the page in this state would pass a submit: then a correction with its reason leaves it submitted. */
  readonly sound?: boolean
  /** Whether the page was submitted before, as far as its screen knows. */
  readonly submittedOnce?: boolean
  /** Keys (`reasonKey`) of items that rules calculate. */
  readonly calculated?: ReadonlySet<string>
  /**
   * The opening of the page in which it was typed: the save takes only that opening's steps out of the typing journal.
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
  /** Null when the leased block is used up: the patient is shown as unnumbered until the next contact. */
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
  /** Operations that stay here until their author gives a reason. */
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
  /** The patient or entry that the operation writes. */
  readonly entityId: string
}

export interface UnsentWork {
  /** The oldest lines. */
  readonly lines: readonly OutboxView[]
  readonly total: number
}

/** A receipt as the page "data on this tablet" lists it. */
export interface ReceiptView extends Receipt, PageNames {
  readonly call: string
  /** What was decided in the inbox, as far as this device has heard, and what the person who decided wrote. */
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
   * The operation: for showing what was entered, for `setAside` (rejected) and `noteReturn` (returned). Null where
   * there is none.
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
  /** For a conflict in a table: the name of the table and the row's number, from 1; null for a deleted row. */
  readonly tableRow: (FieldNames & { readonly no: number | null }) | null
  readonly at: string
  readonly conflict: { readonly id: string; readonly entryId: string } | null
  /** Who returned it, when, and what they wrote. */
  readonly decision: { readonly byName: string | null; readonly at: string | null; readonly note: string | null } | null
  /** In the inbox: the names of those who decide; empty where this device does not know them. */
  readonly waitsFor: readonly string[]
}

/** One value in an operation. `code` is null where a row was deleted, or where only its conflict knows the place. */
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

/** Facts of a patient that this device sent after somebody else had changed them. */
export interface OverruledChange {
  readonly opKey: string
  readonly at: string
  /** What this device said; the patient's row has what stands. */
  readonly facts: readonly PatientFact[]
}

/**
 * The result of changing a patient. `overruled`: facts that somebody else had changed meanwhile, as they stand; only
 * the server's own answer can tell.
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
  /** The version under which the conflict is decided; null while the project has no readable version. */
  readonly versionId: string | null
  readonly patientLabel: string
  /** The page's definition; null where no known version has the page. */
  readonly option: string | null
  /** What the item holds now, with this device's unsent work. For a deletion: whether it is deleted. */
  readonly current: ItemContent
  /** When the waiting value reached the server; known where this device sent it. */
  readonly arrivedAt: string | null
  /**
   * For a conflict in a table: the row as it is now, and its number among those that exist, from 1 (null: it is
   * deleted); null where the row is not known.
   */
  readonly tableRow: { readonly no: number | null; readonly values: Readonly<Record<string, JsonValue>> } | null
  /** How it was decided: here (and not yet received by the server), or as the server says. */
  readonly decided: DecidedView | null
  /** Why this user cannot decide it; null where they can. */
  readonly barred: 'no_right' | 'project_stopped' | 'project_closed' | 'masked' | null
  /** Whether the conflict is kept on this device: then deciding needs no network. */
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
