import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LauncherError } from '#server/database/launcherError.ts'

export interface DataDirLock {
  release(): void
}

/** SQLite's code for "somebody else has the lock". */
const SQLITE_BUSY = 5

/**
 * Takes the data folder for this process alone, before anything in it is touched. The operating system releases the
 * lock when the process ends, however it ends. So there is never a stale lock to be removed.
 *
 * Node has no file lock of its own; SQLite, which is part of Node, locks its file on every platform. The file stays
 * empty.
 *
 * @throws LauncherError `in_use` when another server has the folder
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const file = new DatabaseSync(join(dataDir, 'lock'))
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!isBusy(error)) throw error
    throw new LauncherError(
      'in_use',
      `another server is running on ${dataDir}: stop it first, or give this one its own DATA_DIR`,
    )
  }
  return { release: () => file.close() }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
