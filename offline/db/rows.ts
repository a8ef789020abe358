import type { ApiError } from '#core/api/errors.ts'
import type { UnsavedFolder } from '#core/design/unsaved.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { CasebookPlace, EntryMark, EntryProgress } from '#core/sync/entryMark.ts'
import type { LostPlace } from '#core/sync/protocol/lostPlace.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import type { Bytes } from '#offline/bytes.ts'

/**
 * Rows of the device's databases. Ids, states, times and sequence numbers are in the clear, because indexes need them.
 * Everything that a person entered or that describes a patient is in a `Sealed` (docs/adr/0005-keys-and-vault.md).
 */

/** Something encrypted under a scope's key. Only `offline/vault/codec.ts` makes and opens it. */
export interface Sealed {
  readonly keyId: string
  readonly level: SealLevel
  readonly iv: Bytes
  readonly data: Bytes
}

/** Which of a scope's two keys: ordinary rows, or what identifies a patient. */
export type SealLevel = 'data' | 'sensitive'

/**
 * - `queued`: waits to be sent.
 * - `sending`: under way, or the app died before the answer came; its bytes never change again.
 * - `retry`: failed in a way that passes; waits until `nextAt`.
 * - `rejected`: refused, a person decides.
 * - `reason`: changes submitted data, and its author has yet to say why (`unexplained`); not sent before that.
 * - `aside`: refused, and taken out of the way by a person or by a newer save that took over its content.
 */
export type OutboxRowState = 'queued' | 'sending' | 'retry' | 'rejected' | 'reason' | 'aside'

export interface OutboxRow {
  /** Idempotency key. */
  readonly key: string
  /** Place in the device's outbox: the order in which people acted. */
  readonly seq: number
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly call: QueueableCall
  /** The patient, visit or entry that the operation writes. */
  readonly entityId: string
  readonly patientId: string
  readonly state: OutboxRowState
  /** Whether the operation was ever sent: then it is never changed or replaced. */
  readonly sent: 0 | 1
  readonly attempts: number
  /** The row is not sent before this time (ms since the epoch). */
  readonly nextAt: number
  readonly after: readonly string[]
  /**
   * Keys of rows behind which this row goes, while those are on their way: after a restore, what its author and others
   * did here before it.
   */
  readonly behind?: readonly string[]
  /**
   * Set for an operation from before the server was restored: when it was acknowledged then, or that it was not yet.
   */
  readonly former?: LostPlace
  /**
   * Set where the server has the operation and is only asked what became of it: its change number when it was held or
   * went to the inbox.
   */
  readonly asked?: number
  readonly actedAt: string
  /** Why it failed last: codes and field paths only, no text. */
  readonly error: ApiError | null
  /**
   * The operation failed by itself, or an answer broke off at it. It goes in an envelope of its own after all others,
   * and holds up none of them.
   */
  readonly alone?: 1
  /** Key of the newer save that took over its content. */
  readonly supersededBy: string | null
  /** The operation, proof included. */
  readonly op: Sealed
  /** Of a save: where its page stands and how full it was then; absent in rows of older apps and of all other calls. */
  readonly mark?: CasebookPlace & { readonly progress: EntryProgress | null; readonly sound?: boolean }
  /** The operation changes nothing and only gives the reason of an earlier change: its page stays as it is. */
  readonly explains?: 1
  /**
   * The places for which its author has yet to give a reason; never empty. Only in a row that waits for them
   * (`reason`).
   */
  readonly unexplained?: readonly ReasonPlace[]
  /** Why a person set it aside. */
  readonly reason: Sealed | null
  /**
   * Subject number that the server once gave to this enrolment; absent in rows of older apps and of all other calls.
   */
  readonly given?: Sealed | null
}

/**
 * - `unsent`: only here; goes once its operation is at the server.
 * - `sent`: the server has it.
 * - `rejected`: the server does not take it; a person decides.
 * - `loose`: no value names it, so nobody waits for it.
 */
export type FileRowState = 'unsent' | 'sent' | 'rejected' | 'loose'

/** A file that was taken on this device. Its content is stored beside it, in pieces. */
export interface FileRow {
  readonly id: string
  /** The entry of which it is a file, or the query: what the operation that names it is about. */
  readonly entryId: string
  readonly patientId: string
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly state: FileRowState
  /** Its size in bytes, and the number of its pieces. */
  readonly size: number
  readonly pieces: number
  readonly takenAt: string
  readonly sentAt: string | null
  /** Bytes that the server has. */
  readonly sentBytes: number
  readonly attempts: number
  /** The file is not sent before this time (ms since the epoch). */
  readonly nextAt: number
  /** Why the server does not take it: a code, no text. */
  readonly problem: string | null
  /** 1 when the content was dropped: the server has it, and it is fetched from there. */
  readonly dropped: 0 | 1
  /** The file's name, type and hash, and its field. */
  readonly facts: Sealed
  /** A small JPEG, as base64. */
  readonly thumb: Sealed | null
}

export interface FilePieceRow {
  readonly id: string
  /** Number of the piece, from 0. */
  readonly n: number
  readonly content: Sealed
}

/** One bundle of journalled typing of one entry; it is in no outbox row yet. */
export interface DraftRow {
  readonly id: string
  readonly entryId: string
  readonly patientId: string
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly versionId: string
  /** The running app that writes this bundle. Another app takes the bundle over only when this one is dead. */
  readonly runtime: string
  readonly order: number
  readonly steps: Sealed
}

/**
 * What a person has designed in a draft and the server does not have: their own definition, and the one from which they
 * started. It describes no patient, so it is not sealed.
 */
export interface DesignRow {
  readonly versionId: string
  readonly userId: string
  /** How often the draft had been saved when `base` was read. */
  readonly rev: number
  readonly base: readonly UnsavedFolder[]
  readonly mine: readonly UnsavedFolder[]
  /** What can be undone, the oldest first: it survives a reload. */
  readonly past?: readonly (readonly UnsavedFolder[])[]
  /** Whether all of it is at the server: then the row is kept only for its undo steps. */
  readonly saved?: boolean
}

/**
 * What a tester filled in for a test subject and the server does not have. It is made up and describes no patient, so
 * it is not sealed.
 */
export interface UatRow {
  readonly versionId: string
  readonly userId: string
  readonly subject: number
  readonly pages: readonly UnsavedUatPage[]
}

/** A UAT page, and how often it had been saved when it was filled in. */
export interface UnsavedUatPage extends EntryData {
  readonly folderId: string
  readonly folderRepeat: string
  readonly pageId: string
  readonly pageRepeat: string
  readonly rev: number
}

export interface ReceiptRow {
  readonly key: string
  readonly scope: string
  readonly projectId: string
  readonly entityId: string
  readonly patientId: string
  readonly call: QueueableCall
  readonly outcome: string
  readonly seq: number
  readonly receivedAt: string
  readonly receipt: Sealed
  /**
   * The operation as it was sent. It is offered again when a restored server has forgotten it; null once no restore can
   * make the server forget it any more.
   */
  readonly op: Sealed | null
  /** Subject number that the server gave to this enrolment; absent in rows of older apps and of all other calls. */
  readonly given?: Sealed | null
  /**
   * Of a change of a patient or a visit: names of the facts in which it collided with another person's word; absent in
   * rows of older apps and of all other calls.
   */
  readonly collided?: readonly string[]
  /** The author, so that the receipt is listed for them even when their keys are gone; absent in rows of older apps. */
  readonly author?: string
  /** When a person noted that the operation was returned from the inbox: from then on it needs nobody's attention. */
  readonly notedAt?: string
}

/** Why a submit that was taken did not make its page submitted. `unknown`: only somebody else can read its answer. */
export type BounceReason = 'changed' | 'invalid' | 'conflict' | 'unanswered' | 'unknown'

/** The last submit of an entry that did not make its page submitted. It stays until a submit does. */
export interface BouncedRow {
  readonly entityId: string
  readonly patientId: string
  readonly scope: string
  readonly projectId: string
  /** The submit's change number: rows pulled up to it or beyond show what became of the page. */
  readonly seq: number
  readonly receivedAt: string
  readonly why: BounceReason
  /** What the server said of each field (offline/sync/bounce.ts). */
  readonly answer: Sealed
}

/**
 * Subject numbers leased for a center: those left, and those given out. `rev` keeps two tabs from giving out the same
 * one.
 */
export interface LeaseRow {
  readonly centerId: string
  readonly scope: string
  readonly rev: number
  readonly left: number
  readonly numbers: Sealed
  /** When the server last refused to lease, so that it is not asked again all the time. */
  readonly refusedAt: number
}

/** A scope that a user keeps on this device. */
export interface KeptRow {
  readonly scope: string
  readonly userId: string
  readonly since: string
  /** Why the user may no longer enter anything here, while what they entered is not sent yet. */
  readonly ended?: EndedWhy
  /**
   * Of a center: only patients whom the user has opened are here (`OpenedRow`); absent where the user keeps all of the
   * center.
   */
  readonly light?: 1
}

/** How a right of somebody at work ends: in a project, in a center, or for the whole session. */
export type EndedWhy =
  | 'membership_ended'
  | 'center_withdrawn'
  | 'device_blocked'
  | 'account_disabled'
  | 'session_revoked'
  | 'password_changed'

/** Keys wrapped by the device's key and by a key from a password. */
export interface WrappedKeys {
  readonly salt: Bytes
  readonly rounds: number
  readonly iv: Bytes
  readonly data: Bytes
  /** Scopes whose keys are wrapped in it; absent in rows of older apps. */
  readonly scopes?: readonly string[]
  /** Those of the scopes for which the key of identifying data is wrapped too; absent in rows of older apps. */
  readonly sensitive?: readonly string[]
}

/** A user's keys on this device. */
export interface VaultRow extends WrappedKeys {
  readonly userId: string
  readonly account: string
  /**
   * Keys that were wrapped under former passwords and could not be opened since. They are kept while something unsent
   * needs them.
   */
  readonly older?: readonly WrappedKeys[]
  /** Why this password no longer opens anything here: the server has said that it does not accept it any more. */
  readonly closed?: 'password_changed' | 'account_disabled'
}

export interface MetaRow {
  readonly key: string
  readonly value: unknown
}

/**
 * A pulled row (`id`: see `cacheId`). `parent` is the patient of an entry, a visit or a query, the entry of a conflict,
 * and '' for all other kinds.
 */
export interface CacheRow {
  readonly scope: string
  readonly kind: string
  readonly id: string
  readonly parent: string
  readonly seq: number
  /** Epoch of the server to which the change number belongs; absent where the pull of the scope names the same one. */
  readonly epoch?: string
  readonly row: Sealed
  /** Users of this tablet to whom the server no longer shows the row, while a colleague may still see it. */
  readonly notFor?: readonly string[]
}

/**
 * How far an entry is, with the id of its cached row: a matrix and a work list are read from these marks. A mark holds
 * nothing that was entered.
 */
export interface MarkRow extends Omit<EntryMark, 'id' | 'pass'> {
  readonly scope: string
  /** `CacheRow.id` of the entry, which also tells the view. */
  readonly id: string
  readonly entryId: string
  /** Present only where something is still to be done. It names the view, as ids do (`idInView`). */
  readonly todo?: string
  /**
   * The pack that holds the entry's row; absent where the row is stored by itself. For a row in a pack, the mark holds
   * the facts that `CacheRow` holds for other rows.
   */
  readonly pack?: string
  readonly seq?: number
  readonly epoch?: string
  readonly notFor?: readonly string[]
}

/** All marks of a patient in a scope, as one record: each record costs a device more than its content. */
export interface CasebookRow {
  readonly scope: string
  readonly patientId: string
  readonly marks: readonly MarkRow[]
  /** What is to be done, for an index: scope, what (`MarkRow.todo`), patient, mark. */
  readonly todo: readonly TodoKey[]
}

export type TodoKey = readonly [scope: string, todo: string, patientId: string, id: string]

/** Entries of one patient that came together, sealed as one. Its `id` tells the view, as the ids of rows do. */
export interface PackRow {
  readonly scope: string
  readonly patientId: string
  readonly id: string
  readonly rows: Sealed
}

/** A part of the sealed list of a scope's patients, as a user sees them (offline/sync/pull/directory.ts). */
export interface DirectoryRow {
  readonly scope: string
  readonly userId: string
  readonly part: number
  /** How many parts it has. */
  readonly parts: number
  /** The last note (`UnlistedRow`) whose change the directory holds. */
  readonly upTo: number
  readonly view: RowView
  readonly rows: Sealed
}

/** Notes that a cached patient was put, taken away or withheld; the notes are in the order in which that happened. */
export interface UnlistedRow {
  readonly n?: number
  readonly scope: string
  readonly id: string
}

/** Up to which change number the pull has come, and from what state of the server. */
export interface PullCursor {
  readonly cursor: number
  /** Where a first download goes on while its cursor is 0 (core/api/sync/pull.ts). */
  readonly from?: string | null
  readonly epoch: string
  readonly scopeVersion: string
}

/** A comparison under way. A newer comparison has another id, and ends this one. */
export interface Comparing extends PullCursor {
  readonly id: string
}

/** How far a user's pull of a scope has come. */
export interface CursorRow extends PullCursor {
  readonly scope: string
  readonly userId: string
  readonly pulledAt: string | null
  /** How far a comparison of everything with the server has come, while one runs (offline/sync/pull/compare.ts). */
  readonly comparing?: Comparing | null
  /** 1 where only opened patients were taken in: the cursor then says nothing about the whole scope. */
  readonly light?: 0 | 1
}

/** What one batch of a comparison brought: primary keys of `CacheRow`s without their scope. */
export interface ComparedRow {
  readonly at?: number
  readonly scope: string
  readonly userId: string
  readonly keys: readonly (readonly [kind: string, id: string])[]
}

/** One of two views of the same rows: as they are, or as a user without `patient_sensitive` sees them. */
export type RowView = 'whole' | 'masked'

/**
 * A patient whose entries gave way when the disk was full. The server has the entries; they come back when there is
 * room, or when somebody asks for them.
 */
export interface EvictedRow {
  readonly scope: string
  readonly patientId: string
  readonly view: RowView
  /** About how much room the entries took. */
  readonly bytes: number
  /** When the entries gave way, ms since the epoch. */
  readonly at: number
}

/** A patient whom a user opened without keeping the whole center (docs/adr/0038-opened-patients.md). */
export interface OpenedRow {
  readonly scope: string
  readonly userId: string
  readonly patientId: string
  /** When they were opened, ms since the epoch. */
  readonly at: number
  /** The view in which the patient is here; null until the rows have come. */
  readonly view: RowView | null
  /** 1 while the patient is to be fetched, for the first time or anew. */
  readonly due: 0 | 1
}

/** When a patient was last opened on this device, to the day. */
export interface TouchedRow {
  readonly patientId: string
  readonly at: number
}

/** A piece of the reserve, where the browser has no private files (offline/db/spaceReserve.ts). */
export interface ReserveRow {
  readonly id: number
  readonly bytes: Bytes
}
