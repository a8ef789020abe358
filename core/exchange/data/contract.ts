import type { DataTable } from '#core/dataset/table.ts'
import type { Language } from '#core/language.ts'

/** What all writers of clinical data share: what they are given, what they make, and what they say of it. */

/** A file while it is made. Its pieces can be taken once. */
export interface WrittenFile {
  /** With its ending; of letters, digits, `_`, `-` and `.` where the tables and the export are named so. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** A cell of a table. @property row from 1 */
export interface CellPlace {
  readonly table: string
  readonly variable: string
  readonly row: number
}

/** What a cell lost, with the whole text that was entered: the format's file alone does not have it. */
export const cellNotes = [
  'value-cut',
  'value-not-of-type',
  'value-out-of-range',
  'like-reason',
  'term-not-listed',
  'second-value',
] as const
/** What happened to several cells of a variable alike. */
export const cellsNotes = ['reasons-not-written', 'trailing-spaces', 'line-breaks'] as const

/**
 * What a format could not take as it was. `value-not-of-type`: text in a variable of another type, where the cell stays
 * empty. `like-reason`: a text that reads like one of the missing reasons of its variable. Of tables of SDTM:
 * `term-not-listed`: a code without a submission value; `second-value`: another value of what has one for each subject;
 * `field-not-in-data`: what a mapping names and the data do not have; `field-not-mapped`: the reverse.
 */
export type WriteNote =
  | ({ readonly kind: (typeof cellNotes)[number]; readonly text: string } & CellPlace)
  | {
      readonly kind: (typeof cellsNotes)[number]
      readonly table: string
      readonly variable: string
      readonly cells: number
    }
  | { readonly kind: 'table-renamed'; readonly table: string; readonly to: string }
  | { readonly kind: 'variable-renamed'; readonly table: string; readonly variable: string; readonly to: string }
  | { readonly kind: 'table-label-cut'; readonly table: string; readonly text: string }
  | {
      readonly kind: 'label-cut' | 'field-not-in-data' | 'visit-not-listed'
      readonly table: string
      readonly variable: string
      readonly text: string
    }
  | {
      readonly kind: 'code-label-cut' | 'code-label-left-out'
      readonly table: string
      readonly variable: string
      readonly code: string
      readonly text: string
    }
  | { readonly kind: 'labels-not-written'; readonly table: string; readonly variable: string }
  | { readonly kind: 'variable-left-out' | 'field-not-mapped'; readonly table: string; readonly variable: string }
  | { readonly kind: 'rows-split'; readonly table: string; readonly parts: number }

export interface WriteOptions {
  /** Of the dictionary and of the labels of missing reasons. */
  readonly language: Language
  /** When the data were taken: an instant, yyyy-MM-ddTHH:mm:ssZ. */
  readonly createdAt: string
  /** Name, without ending, of a file that holds all tables. */
  readonly name: string
  /** What the data are of, as a person reads it. */
  readonly title: string
  /** Takes each note when it is found: all of them are known once the last piece of the last file is taken. */
  readonly note: (note: WriteNote) => void
}

/**
 * Writes tables as the files of a format. A file's pieces are taken to their end before the next file is asked for. No
 * table is in memory as a whole.
 *
 * @throws DataFailure where the data hold what no file of this kind may hold, or more than it can
 */
export type WriteTables = (tables: readonly DataTable[], options: WriteOptions) => AsyncIterable<WrittenFile>

/**
 * `nul`: a NUL in a text, which ends texts in half of the formats; the database holds none. `too-large`: more than the
 * format's file can be.
 */
export type DataProblem = ({ readonly kind: 'nul' } & CellPlace) | { readonly kind: 'too-large' }

export class DataFailure extends Error {
  readonly reason: DataProblem

  constructor(reason: DataProblem) {
    super(reason.kind)
    this.name = 'DataFailure'
    this.reason = reason
  }
}
