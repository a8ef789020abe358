import { BackupError } from '#server/backup/backupError.ts'
import { ConfigError } from '#server/configError.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { LauncherError } from '#server/database/launcherError.ts'
import { MigrationError } from '#server/database/migrate.ts'
import { OpenError } from '#server/database/open.ts'

/** The command was called with wrong arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a command of the operator. Mistakes that the operator can correct are reported in a sentence, not as a fault of
 * the program. Returns the exit code.
 */
export async function operatorCommand(
  command: () => Promise<string | { readonly text: string; readonly code: number }>,
): Promise<number> {
  try {
    const said = await command()
    const { text, code } = typeof said === 'string' ? { text: said, code: 0 } : said
    process.stdout.write(`${text}\n`)
    return code
  } catch (error) {
    if (!isExpected(error)) throw error
    process.stderr.write(
      `${error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message}\n`,
    )
    return 1
  }
}

const EXPECTED = [UsageError, BackupError, ConfigError, LauncherError, OpenError, MigrationError, DatabaseError]

function isExpected(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  // Node sets `code` for a wrong option; 'syscall' marks an error of the operating system.
  const fromOutside = 'syscall' in error || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  return fromOutside || EXPECTED.some((kind) => error instanceof kind)
}
