import type { AuditLine } from '#core/api/calls/sync.ts'
import type { EntryRow, QueryRow, VersionRow, VisitRow } from '#core/api/sync/rows.ts'

/**
 * What writers of clinical data take, whatever the format. The shapes are those of the rows that the server has, so
 * that a row is handed on as it is; only what a writer reads of it is asked for.
 *
 * Whoever makes them has seen to rights and masks before: a writer leaves nothing out that it is given, but for fields
 * that rules hide, and rows and entries that are deleted, which are no data of today.
 */

/** The whole study around the subjects. */
export interface ClinicalStudy {
  readonly studyName: string
  /** When the file is made, as a time of ISO 8601 with its zone. */
  readonly createdAt: string
  /** Every version that an entry, or in a file with its trail a line of it, names. The order is that of the file. */
  readonly versions: readonly ClinicalVersion[]
  /** Everybody who saved, changed or asked something in the data; those who have left the study too. */
  readonly users: readonly ClinicalUser[]
  /** Centers of the subjects. */
  readonly centers: readonly ClinicalCenter[]
}

/** Ids of folders and pages are the same in all versions. */
export type ClinicalVersion = Pick<VersionRow, 'id' | 'versionNo' | 'folders'> & {
  /** Since when subjects are entered under it: `yyyy-MM-dd`. */
  readonly since: string
}

export interface ClinicalUser {
  readonly id: string
  readonly name: string
}

export interface ClinicalCenter {
  readonly id: string
  readonly code: string
  readonly name: string
}

export interface ClinicalSubject {
  /** What the subject is known by outside: the subject number, or the id of one without a number. Unique in a file. */
  readonly key: string
  readonly centerId: string
  /** What people said of visits. A visit without a row is one of which nobody said anything. */
  readonly visits: readonly ClinicalVisit[]
  readonly pages: readonly ClinicalPage[]
  /**
   * Lines of the audit trail in the order of `seq` and `ord`. Only lines about an entry have a place in a file; the
   * others are told of. Read by files with their trail alone.
   */
  readonly trail: readonly ClinicalTrailLine[]
  readonly queries: readonly ClinicalQuery[]
}

export type ClinicalVisit = Pick<
  VisitRow,
  'folderId' | 'folderRepeat' | 'actualDate' | 'outcome' | 'outcomeReason' | 'removed'
>

/**
 * An entry. `values` and `missing` as they are stored: a table is an array of rows with `_rid`, `_ord` and `_deleted`,
 * a missing reason stands under its field's code or under `rid.code`. `hidden` names what rules hide: `code`, or
 * `table.rid.code`.
 */
export type ClinicalPage = Pick<
  EntryRow,
  | 'id'
  | 'folderId'
  | 'folderRepeat'
  | 'pageId'
  | 'pageRepeat'
  | 'parentEntryId'
  | 'pass'
  | 'versionId'
  | 'status'
  | 'values'
  | 'missing'
  | 'hidden'
  | 'retired'
  | 'deleted'
  | 'updatedBy'
  | 'updatedAt'
>

/** A line of the trail as `audit.list` has it. `receivedAt` is the server's time, `occurredAt` that of the device. */
export type ClinicalTrailLine = Pick<
  AuditLine,
  | 'seq'
  | 'ord'
  | 'action'
  | 'opKey'
  | 'place'
  | 'pass'
  | 'table'
  | 'rid'
  | 'prop'
  | 'versionId'
  | 'fieldVersionId'
  | 'former'
  | 'oldValue'
  | 'newValue'
  | 'reasonCode'
  | 'reasonText'
  | 'userId'
  | 'occurredAt'
  | 'receivedAt'
  | 'redacted'
>

export type ClinicalQuery = Pick<
  QueryRow,
  'id' | 'no' | 'place' | 'versionId' | 'source' | 'rule' | 'state' | 'stateAt' | 'thread'
>

/** What a file could not say in the words of its format. It names a place and never a value. */
export interface ClinicalNote {
  readonly subject: string
  /** Codes; '' for what is about no page. */
  readonly folder: string
  readonly page: string
  readonly table: string | null
  readonly field: string | null
  readonly what: ClinicalNoteKind
}

/**
 * - `not-of-type`, `not-in-list`: what was entered is no value of its field, and stands beside it in words of our own.
 * - `not-of-item`: what was entered is right, and the format has no data type for it; likewise.
 * - `no-field`: a value whose field the version does not have; it stands with its page in words of our own.
 * - `no-version`, `no-page`, `no-visit`: the definition of a page is not in the file, so its data cannot be either.
 * - `no-user`, `no-center`: somebody, or a center, that the file does not name.
 * - `no-place`: a line of the trail, or a query, that is about nothing in the data.
 * - `no-column`: the format has no place for it: it is not in the file.
 * - `no-picture`: a picture that is not printed, because of what it is, its size, or that the server does not have it.
 */
export type ClinicalNoteKind =
  | 'not-of-type'
  | 'not-in-list'
  | 'not-of-item'
  | 'no-field'
  | 'no-version'
  | 'no-page'
  | 'no-visit'
  | 'no-user'
  | 'no-center'
  | 'no-place'
  | 'no-column'
  | 'no-picture'

export type TellNote = (note: ClinicalNote) => void
