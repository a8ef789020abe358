import type { Attachment } from '#core/api/calls/attachment.ts'
import type { FilePlace } from '#core/files/inEntry.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { FieldNames } from '#core/form/definition/inLanguage.ts'

import type { Casebook, CasebookPage } from './types.ts'

/** Files as screens read and take them. */

/** A file that a person has added: inspected, named, and with a small picture if it is an image. */
export interface TakenFile {
  readonly name: string
  readonly type: string
  readonly content: Blob
  readonly thumb: string | null
}

/**
 * Where a file is. `waiting`, `sending`: only here yet. `stored`: at the server. `coming`: another device has it.
 * `rejected`: the server does not take it. `loose`: here, and no field names it. `elsewhere`: not here, and the server
 * cannot be asked.
 */
export type FileState = 'waiting' | 'sending' | 'stored' | 'coming' | 'rejected' | 'loose' | 'atServer'

export interface FileStanding {
  readonly state: FileState
  /** How much of the file is at the server, 0 to 1. */
  readonly share: number
  /** Why the server does not take the file. */
  readonly problem: string | null
  /** When the file reached the server. */
  readonly at: string | null
}

/** In which query a file is brought, and of which patient; the query may not have been raised yet. */
export interface AboutQuery {
  readonly queryId: string
  readonly patientId: string
}

/** A file of a patient with the page and the field, or the query, that names it. */
export interface FileLine extends FieldNames {
  readonly reference: FileReference
  /** Null for a file of a query. */
  readonly place: FilePlace | null
  /** The query in which it was brought; without a number (0) until the server has given it one. */
  readonly query: { readonly id: string; readonly no: number } | null
  /** Whether the field or the query names it now; a file that nothing names is on this device only. */
  readonly isNamed: boolean
  /** Null for a file of a query, and for one that no field names, of a page that is not known. */
  readonly page: CasebookPage | null
  readonly standing: FileStanding
}

export interface PatientFiles {
  readonly book: Casebook
  readonly lines: readonly FileLine[]
}

/** A page of a project's images. */
export interface ProjectImages {
  readonly images: readonly Attachment[]
  readonly pages: number
  readonly total: number
}
