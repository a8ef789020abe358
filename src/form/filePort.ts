import type { FieldAddress } from '#core/form/definition/address.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { FileReference } from '#core/files/reference.ts'
import type { Result } from '#core/result.ts'
import type { FileStanding, TakenFile } from '#src/data/shapes/fileTypes.ts'

import type { FormEdit } from './formActions.ts'

/** What an upload field needs of its page. Must be the same object at every drawing, or all fields draw again. */
export interface FilePort {
  /** Stores a file on the disk, for the field at an address. */
  readonly take: (place: FieldAddress, file: TakenFile) => Promise<Result<FileReference, ApiError>>
  readonly standings: () => Promise<ReadonlyMap<string, FileStanding>>
  /** Calls back when the states of files may have changed. */
  readonly watch: (changed: () => void) => () => void
  readonly thumb: (fileId: string) => Promise<Blob | null>
  /** The address of the screen that shows a file beside its page. */
  readonly address: (fileId: string) => string
  readonly onEdit: (edit: FormEdit) => void
}
