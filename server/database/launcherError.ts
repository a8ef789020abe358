/**
 * - `unsupported_platform`: no PostgreSQL comes with this operating system or processor.
 * - `binaries_missing`: the npm package with PostgreSQL was not installed, or its files cannot be completed.
 * - `no_privileges`: the server runs as root, and there is no way here to run PostgreSQL as somebody else.
 * - `in_use`: another server works on this data folder.
 * - `not_stopped`: a database that an earlier server left running does not stop.
 * - `nameless`: the user that the server runs as has no name, which making a database needs.
 * - `not_started`: PostgreSQL gave up; its last lines are in the message.
 * - `secrets_missing`: there is a database, but the file with its passwords is gone or unreadable.
 * - `not_durable`: the database does not promise that what it confirms survives a crash.
 */
export type LauncherErrorReason =
  | 'unsupported_platform'
  | 'binaries_missing'
  | 'no_privileges'
  | 'in_use'
  | 'not_stopped'
  | 'nameless'
  | 'not_started'
  | 'secrets_missing'
  | 'not_durable'

/** Why our own PostgreSQL does not run. The message is for the operator and says what to do. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError'
  readonly reason: LauncherErrorReason

  constructor(reason: LauncherErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
