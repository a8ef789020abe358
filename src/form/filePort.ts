import type { FieldAddress } from '#core/form/definition/address.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { Result } from '#core/result.ts'
import type { FileStanding, TakenFile } from '#src/data/shapes/fileTypes.ts'

import type { FormEdit } from './formActions.ts'

/**
 * What an upload field needs of the page that it is on. The same object at every drawing, or all fields are drawn
 * again.
 */
export interface FilePort {
  /** Brings a file to the disk, for the field at an address. */
  readonly take: (place: FieldAddress, file: TakenFile) => Promise<Result<FileReference, ApiError>>
  readonly standings: () => Promise<ReadonlyMap<string, FileStanding>>
  /** Calls back when standings may be others. */
  readonly watch: (changed: () => void) => () => void
  readonly thumb: (fileId: string) => Promise<Blob | null>
  /** Where a file is looked at beside its page. */
  readonly address: (fileId: string) => string
  readonly onEdit: (edit: FormEdit) => void
}
