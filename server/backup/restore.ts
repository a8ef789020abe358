import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BackupError } from '#server/backup/backupError.ts'
import { bringFiles } from '#server/backup/files.ts'
import type { CopiedFiles } from '#server/backup/files.ts'
import { checkBackup, loadBackup } from '#server/backup/load.ts'
import type { RestoreReport } from '#server/backup/load.ts'
import type { Contents } from '#server/backup/read.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { lockDataDir } from '#server/database/dataDirLock.ts'
import { openDatabase } from '#server/database/open.ts'
import { diskStore } from '#server/storage/disk.ts'
import type { FileStore } from '#server/storage/fileStore.ts'

export interface RestoreOptions {
  readonly file: string
  readonly passphrase: string | null
  /** The operator's empty PostgreSQL; null restores into `dataDir`. Secret. */
  readonly databaseUrl: string | null
  readonly appDatabaseUrl: string | null
  readonly dataDir: string
  /** Whether existing data in `dataDir` are put aside, in a folder of their own there. */
  readonly replace: boolean
  /** The store for contents of attachments; null keeps them in the data folder. */
  readonly files?: FileStore | null
}

export interface Restored extends RestoreReport {
  /** Folder of the data that was there before; null where there was none. */
  readonly kept: string | null
  /** Contents of attachments that were brought back, and those that could not be found. */
  readonly files: CopiedFiles
}

/**
 * Restores a backup into an empty database, or a data folder without one. The file is read through first, so a
 * damaged one changes nothing. A later failure leaves everything as it was, too.
 *
 * @throws BackupError, LauncherError, OpenError, MigrationError, DatabaseError; the file system's errors
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { file, passphrase, databaseUrl } = options
  const contents = await checkBackup(file, passphrase)
  if (databaseUrl === null) return restoreFolder(options, contents)
  if (options.replace) {
    throw new BackupError(
      'not_empty',
      'a database of DATABASE_URL is not replaced: make a new, empty one and name that; the old one is your copy',
    )
  }
  const report = await loadInto({ ...options, databaseUrl }, contents, options)
  return { ...report, kept: null }
}

/**
 * The server's files in its data folder, in the order in which they are moved. The passwords come last, because
 * without them the rest cannot be opened.
 */
function partsOf(dataDir: string): readonly string[] {
  // The name of the cluster's own folder does not matter here: it moves with everything beside it.
  const { root, secretsFile } = clusterFolders(dataDir, '')
  return [root, secretsFile]
}

async function restoreFolder(options: RestoreOptions, contents: Contents): Promise<Restored> {
  const { dataDir } = options
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // No server may run or start here before all is done.
  const lock = lockDataDir(dataDir)
  try {
    const occupied = partsOf(dataDir).some((part) => existsSync(part))
    if (occupied && !options.replace) {
      throw new BackupError(
        'not_empty',
        `there is a database in ${dataDir}: restore into another folder (--into), or keep it aside with --replace`,
      )
    }
    // Inside the data folder, which may be a file system of its own: a move must be a rename.
    const draft = join(dataDir, `restoring-${process.pid}`)
    await rm(draft, { recursive: true, force: true })
    try {
      const report = await loadInto({ ...options, dataDir: draft, databaseUrl: null }, contents, options)
      const kept = occupied
        ? join(dataDir, `before-restore-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`)
        : null
      if (kept !== null) {
        await mkdir(kept, { mode: 0o700 })
        await moveParts(dataDir, kept)
      }
      await moveParts(draft, dataDir)
      return { ...report, kept }
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  } finally {
    lock.release()
  }
}

async function moveParts(from: string, to: string): Promise<void> {
  for (const part of partsOf(from)) {
    if (existsSync(part)) await rename(part, join(to, basename(part)))
  }
}

async function loadInto(
  place: Pick<RestoreOptions, 'file' | 'passphrase' | 'dataDir' | 'databaseUrl' | 'appDatabaseUrl'>,
  contents: Contents,
  { file, dataDir, files }: RestoreOptions,
): Promise<RestoreReport & Pick<Restored, 'files'>> {
  const database = await openDatabase({ ...place, onLog: () => undefined })
  try {
    const report = await loadBackup(database.owner, place.file, place.passphrase, contents)
    // Directly in their final folder: they are named by their content, so they disturb nobody if the rest fails.
    return {
      ...report,
      files: await bringFiles(database.owner, dirname(file), files ?? diskStore(join(dataDir, 'attachments'))),
    }
  } finally {
    await database.close()
  }
}
