import type { AnyOperation } from '#core/api/sync/operation.ts'
import type { EntryRow, PatientRow, RowKind, RowOf } from '#core/api/sync/rows.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import type { Json } from '#core/json.ts'
import type { ConfirmationGiven } from '#core/sync/confirmation.ts'
import type { EntryTarget, JournalStep } from '#core/sync/entryChange.ts'
import type { Receipt } from '#core/sync/protocol/operation.ts'

/** What is stored sealed on a device, by the kind that its place names (offline/vault/codec.ts). */

/** The facts of a file that are sealed beside its content. */
export interface FileFacts extends Omit<FilePlace, 'code'> {
  /** Null for a file of what is said in a query. */
  readonly code: string | null
  readonly name: string
  readonly type: string
  readonly hash: string
}

/** A bundle of typing (offline/draft/journal.ts). */
export interface DraftContent {
  readonly target: EntryTarget
  /** In which opening of the page it was typed; absent in bundles of older apps, which did not record it. */
  readonly opening?: string
  readonly steps: readonly JournalStep[]
  /** Answers to warnings. Absent where there are none, and in bundles of older apps, which kept none. */
  readonly answers?: readonly ConfirmationGiven[]
}

/**
 * Subject numbers of a lease. `free`: numbers still to be given out, oldest first. `used`: numbers given out here; the
 * server may not know of them yet.
 */
export interface LeasedNumbers {
  readonly free: readonly string[]
  readonly used: readonly string[]
}

/**
 * What the server said of a submit: messages by field code, in reading order, and the first field that they are about.
 */
export interface BounceAnswer {
  readonly messages: Readonly<Record<string, string>>
  readonly field: string | null
}

/** Only what is the same after a round trip through JSON may be sealed: a date or a function in it does not compile. */
type AllJson<Table extends { readonly [Kind in keyof Table]: Json<Table[Kind]> }> = Table

/** Pulled rows, as the schema of their kind accepted them. */
type CachedKinds = { readonly [Kind in RowKind]: RowOf<Kind> }

export type SealedKinds = AllJson<
  CachedKinds & {
    /** Operations in the outbox and beside receipts. */
    readonly op: AnyOperation
    /** Why an operation was set aside. */
    readonly reason: string
    /** The receipt of an operation. */
    readonly receipt: Receipt
    /** The subject number that the server gave to an enrolment. */
    readonly given: string
    readonly bounced: BounceAnswer
    readonly draft: DraftContent
    /** The facts of a file; under the id of its small picture, that picture as base64. */
    readonly file: FileFacts | string
    readonly lease: LeasedNumbers
    /** Entries of one patient that came together. */
    readonly pack: readonly EntryRow[]
    /** A part of the patients of a scope, by their cached ids. */
    readonly directory: readonly (readonly [id: string, patient: PatientRow])[]
  }
>
export type SealedKind = keyof SealedKinds
