/**
 * - `nothing_there`: there is no database to back up.
 * - `unsupported`: the schema has something in it that a backup could not bring back.
 * - `not_a_backup`, `newer_format`: the file is no backup of ours, or one of a later version of this program.
 * - `damaged`: the file has changed since it was written; nothing of it was used.
 * - `passphrase_missing`, `passphrase_wrong`: the file is encrypted, or was to be.
 * - `schema_unknown`: the file was written by a version whose migrations this one does not have.
 * - `not_empty`: there is data where the backup was to go.
 * - `not_restored`: the database did not hold what the file said. The target was left as it was.
 */
export type BackupErrorReason =
  | 'nothing_there'
  | 'unsupported'
  | 'not_a_backup'
  | 'newer_format'
  | 'damaged'
  | 'passphrase_missing'
  | 'passphrase_wrong'
  | 'schema_unknown'
  | 'not_empty'
  | 'not_restored'

/** A backup could not be made, or not be restored. The message is for the operator and quotes no data. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly reason: BackupErrorReason

  constructor(reason: BackupErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
