import type { ApiError } from '#core/api/errors.ts'
import type { UnsavedFolder } from '#core/design/unsaved.ts'
import type { ReasonPlace } from '#core/sync/reasons.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { CasebookPlace, EntryMark, EntryProgress } from '#core/sync/entryMark.ts'
import type { FormerPlace } from '#core/sync/protocol/former.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import type { Bytes } from '#offline/bytes.ts'

/**
 * Rows of the device's databases. Ids, states, times and sequence numbers are clear, because indexes need them;
 * everything that a person entered or that describes a patient lies in a `Sealed` (docs/adr/0005-keys-and-vault.md).
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
 * - `queued`: waits to be sent. `sending`: under way, or its answer was lost with the app; its bytes never change
 *   again.
 * - `retry`: failed in a way that passes; waits until `nextAt`. `rejected`: refused, a person decides.
 * - `reason`: it changes what was submitted before, and its author has yet to say why (`unexplained`); never sent
 *   before that.
 * - `aside`: refused, and taken out of the way by a person or by a newer save that holds what it held.
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
  /** Patient, visit or entry that it writes. */
  readonly entityId: string
  readonly patientId: string
  readonly state: OutboxRowState
  /** Whether it was ever on its way: then it is never changed or replaced. */
  readonly sent: 0 | 1
  readonly attempts: number
  /** Not before this time (ms since the epoch). */
  readonly nextAt: number
  readonly after: readonly string[]
  /**
   * Keys of rows that it goes after for as long as they are on their way: after a restore, what its author and others
   * here did before it.
   */
  readonly behind?: readonly string[]
  /** From before the server was restored: when it was acknowledged then, or that it was not yet. */
  readonly former?: FormerPlace
  /** Where the server has it and is only asked what became of it: its number when it was held or went to the inbox. */
  readonly asked?: number
  readonly actedAt: string
  /** Why it failed last: codes and field paths only, no text. */
  readonly error: ApiError | null
  /**
   * It went wrong by itself, or an answer broke off at it: it goes in an envelope of its own after all others, and
   * holds none of them up.
   */
  readonly alone?: 1
  /** Key of the newer save that took over what it held. */
  readonly supersededBy: string | null
  /** The operation, proof included. */
  readonly op: Sealed
  /** Of a save: where its page stands and how full it is then; absent in rows of older apps and of everything else. */
  readonly mark?: CasebookPlace & { readonly progress: EntryProgress | null; readonly sound?: boolean }
  /** It changes nothing and says why something was changed before: its page stands as it stood. */
  readonly explains?: 1
  /** What its author has yet to give a reason for; never empty. Only where it waits for that (`reason`). */
  readonly unexplained?: readonly ReasonPlace[]
  /** Why a person set it aside. */
  readonly reason: Sealed | null
  /**
   * Subject number that the server once gave to this enrolment; absent in rows of older apps and of everything else.
   */
  readonly given?: Sealed | null
}

/**
 * - `unsent`: only here, and on its way once its operation is at the server. `sent`: the server has it.
 * - `rejected`: the server does not take it; a person decides. `loose`: no value names it, so nobody waits for it.
 */
export type FileRowState = 'unsent' | 'sent' | 'rejected' | 'loose'

/** A file that was taken on this device. Its content lies beside it, in pieces. */
export interface FileRow {
  readonly id: string
  readonly entryId: string
  readonly patientId: string
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly state: FileRowState
  /** Bytes, and in how many pieces they lie. */
  readonly size: number
  readonly pieces: number
  readonly takenAt: string
  readonly sentAt: string | null
  /** Bytes that the server has. */
  readonly sentBytes: number
  readonly attempts: number
  /** Not before this time (ms since the epoch). */
  readonly nextAt: number
  /** Why the server does not take it: a code, no text. */
  readonly problem: string | null
  /** 1 when the content gave way: the server has it, and it comes from there. */
  readonly dropped: 0 | 1
  /** Name, type, hash and the field. */
  readonly facts: Sealed
  /** A small JPEG, as base64. */
  readonly thumb: Sealed | null
}

export interface FilePieceRow {
  readonly id: string
  /** From 0. */
  readonly n: number
  readonly content: Sealed
}

/** One bundle of journalled typing of one entry that is in no outbox row yet. */
export interface DraftRow {
  readonly id: string
  readonly entryId: string
  readonly patientId: string
  readonly author: string
  readonly scope: string
  readonly projectId: string
  readonly versionId: string
  /** The running app that writes it. Another one takes it over only when this one is dead. */
  readonly runtime: string
  readonly order: number
  readonly steps: Sealed
}

/**
 * What a person has designed in a draft and the server has not: their own definition, and the one that it was made
 * from. It tells of no patient, so it is not sealed.
 */
export interface DesignRow {
  readonly versionId: string
  readonly userId: string
  /** How often the draft had been saved when `base` was read. */
  readonly rev: number
  readonly base: readonly UnsavedFolder[]
  readonly mine: readonly UnsavedFolder[]
  /** What can be undone, the oldest first: it outlives a reload. */
  readonly past?: readonly (readonly UnsavedFolder[])[]
  /** Whether all of it is at the server: then it is here for its steps alone. */
  readonly saved?: boolean
}

/**
 * What a tester filled in of a test subject and the server has not. It is made up by its nature, and tells of no
 * patient, so it is not sealed.
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
   * The operation as it was sent, offered again when a restored server has forgotten it; null once no restore can
   * forget it any more.
   */
  readonly op: Sealed | null
  /** Subject number that the server gave to this enrolment; absent in rows of older apps and of everything else. */
  readonly given?: Sealed | null
  /**
   * Names of the facts of a patient or a visit in it that another's word stood against; absent in rows of older apps
   * and of everything else.
   */
  readonly collided?: readonly string[]
  /** Whose it is, so that it is listed for them also when their keys are gone; absent in rows of older apps. */
  readonly author?: string
  /** When a person took note that it was returned from the inbox: it needs nobody's attention any more. */
  readonly notedAt?: string
}

/** Why a submit that was taken did not make its page submitted. `unknown`: its answer was for somebody else to read. */
export type BounceReason = 'changed' | 'invalid' | 'conflict' | 'unanswered' | 'unknown'

/** The last submit of an entry, where it did not go through. It stays until a submit does. */
export interface BouncedRow {
  readonly entityId: string
  readonly patientId: string
  readonly scope: string
  readonly projectId: string
  /** The submit's change number: what was pulled up to it or beyond shows what became of the page. */
  readonly seq: number
  readonly receivedAt: string
  readonly why: BounceReason
  /** What the server said of each field (offline/sync/bounce.ts). */
  readonly answer: Sealed
}

/**
 * Subject numbers leased for a center: those left, and those given out. `rev` guards against two tabs giving out one.
 */
export interface LeaseRow {
  readonly centerId: string
  readonly scope: string
  readonly rev: number
  readonly left: number
  readonly numbers: Sealed
  /** When the server last refused to lease, so that it is not asked all the time. */
  readonly refusedAt: number
}

/** A scope that a user keeps on this device. */
export interface KeptRow {
  readonly scope: string
  readonly userId: string
  readonly since: string
  /** Why the user may not enter anything here any more, while what they entered is not sent yet. */
  readonly ended?: EndedWhy
  /**
   * Of a center: only patients whom the user has opened are here (`OpenedRow`); absent where the user keeps all of it.
   */
  readonly light?: 1
}

/** How a right ends under somebody at work: in a project, in a center, or for the whole session. */
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
  /** Scopes whose keys are in it; not there in rows of older apps. */
  readonly scopes?: readonly string[]
  /** Those of them whose key of what identifies a patient is in it; not there in rows of older apps. */
  readonly sensitive?: readonly string[]
}

/** A user's keys on this device. */
export interface VaultRow extends WrappedKeys {
  readonly userId: string
  readonly account: string
  /**
   * What was wrapped under passwords before this one and could not be opened since: kept while something unsent needs
   * it.
   */
  readonly older?: readonly WrappedKeys[]
  /** Why this password opens nothing here any more: the server does not take it, and has said so. */
  readonly closed?: 'password_changed' | 'account_disabled'
}

export interface MetaRow {
  readonly key: string
  readonly value: unknown
}

/**
 * A pulled row (`id`: see `cacheId`). `parent` is the patient of an entry or a visit, the entry of a conflict, else ''.
 */
export interface CacheRow {
  readonly scope: string
  readonly kind: string
  readonly id: string
  readonly parent: string
  readonly seq: number
  /** Epoch of the server whose change number that is; absent where it is the one that the pull of the scope names. */
  readonly epoch?: string
  readonly row: Sealed
  /** Users to whom the server has said that it is not theirs to see, while a colleague of the same tablet still may. */
  readonly notFor?: readonly string[]
}

/**
 * How far an entry is, with the id of its cached row: what a matrix and a work list are read from. Nothing that was
 * entered.
 */
export interface MarkRow extends Omit<EntryMark, 'id' | 'pass'> {
  readonly scope: string
  /** `CacheRow.id` of the entry, which tells the view too. */
  readonly id: string
  readonly entryId: string
  /** There only where something is still to be done. In its view (`idInView`), as ids are. */
  readonly todo?: string
  /**
   * The pack that holds the entry's row; absent where the row lies by itself. What `CacheRow` says of other rows stands
   * here then.
   */
  readonly pack?: string
  readonly seq?: number
  readonly epoch?: string
  readonly notFor?: readonly string[]
}

/** All marks of a patient in a scope: one record, for each record costs a device more than what is in it. */
export interface CasebookRow {
  readonly scope: string
  readonly patientId: string
  readonly marks: readonly MarkRow[]
  /** Where something is to be done, for an index: scope, what (`MarkRow.todo`), patient, mark. */
  readonly todo: readonly TodoKey[]
}

export type TodoKey = readonly [scope: string, todo: string, patientId: string, id: string]

/** Entries of one patient that came together, sealed as one. `id` tells the view, as those of rows do. */
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
  /** The last of the notes (`UnlistedRow`) that it holds. */
  readonly upTo: number
  readonly view: RowView
  readonly rows: Sealed
}

/** A cached patient that was put, taken away or withheld, in the order in which that happened. */
export interface UnlistedRow {
  readonly n?: number
  readonly scope: string
  readonly id: string
}

/** Up to which change number something has come, and what of the server it was read from. */
export interface PullCursor {
  readonly cursor: number
  /** Where a first download goes on, while its cursor is 0 (core/api/sync/pull.ts). */
  readonly from?: string | null
  readonly epoch: string
  readonly scopeVersion: string
}

/** A comparison under way: another one that begins meanwhile has another id, and ends this one. */
export interface Comparing extends PullCursor {
  readonly id: string
}

/** How far a user's pull of a scope has come. */
export interface CursorRow extends PullCursor {
  readonly scope: string
  readonly userId: string
  readonly pulledAt: string | null
  /** How far the comparison of everything with the server has come, while one runs (offline/sync/pull/compare.ts). */
  readonly comparing?: Comparing | null
  /** 1 where only patients who had been opened were taken in: for all of the scope it says nothing. */
  readonly light?: 0 | 1
}

/** What one batch of a comparison brought: primary keys of `CacheRow`s without their scope. */
export interface ComparedRow {
  readonly at?: number
  readonly scope: string
  readonly userId: string
  readonly keys: readonly (readonly [kind: string, id: string])[]
}

/** Which of two views of the same rows: as they are, or as somebody without `patient_sensitive` sees them. */
export type RowView = 'whole' | 'masked'

/**
 * A patient whose entries gave way when the disk was full. The server has them; they come back when there is room, or
 * when asked for.
 */
export interface EvictedRow {
  readonly scope: string
  readonly patientId: string
  readonly view: RowView
  /** About how much room they took. */
  readonly bytes: number
  /** When they went, ms since the epoch. */
  readonly at: number
}

/** A patient whom a user has opened without keeping the whole center (docs/adr/0038-opened-patients.md). */
export interface OpenedRow {
  readonly scope: string
  readonly userId: string
  readonly patientId: string
  /** When they were opened, ms since the epoch. */
  readonly at: number
  /** The view in which they are here; null until they have come. */
  readonly view: RowView | null
  /** 1 while they are to be fetched, for the first time or anew. */
  readonly due: 0 | 1
}

/** When a patient was last opened on this device, to the day. */
export interface TouchedRow {
  readonly patientId: string
  readonly at: number
}

/** A piece of the reserve, where browsers have no files for it (offline/db/spaceReserve.ts). */
export interface ReserveRow {
  readonly id: number
  readonly bytes: Bytes
}
