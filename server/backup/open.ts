import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import type { Pool } from 'pg'
import { BackupError } from '#server/backup/backupError.ts'
import { locateBinaries } from '#server/database/binaries.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { LauncherError } from '#server/database/launcherError.ts'
import { DATABASE, openDatabase } from '#server/database/open.ts'
import { createPool, OWNER_LIMITS } from '#server/database/pool.ts'
import { OWNER_ROLE } from '#server/database/roles.ts'
import { readSecrets } from '#server/database/secrets.ts'

/** The place of the data. */
export interface DataPlace {
  readonly dataDir: string
  /** The operator's PostgreSQL as its owner; null is our own in `dataDir`. Secret. */
  readonly databaseUrl: string | null
}

export interface OpenData {
  readonly owner: Pool
  close(): Promise<void>
}

/**
 * Opens a database for a backup, as its owner. It is the operator's, our own that a server runs, or our own that
 * nobody runs. The last is started for as long as it is open.
 *
 * @throws BackupError `nothing_there`, LauncherError, DatabaseError
 */
export async function openData({ dataDir, databaseUrl }: DataPlace): Promise<OpenData> {
  if (databaseUrl !== null) return asPool(databaseUrl)
  const folders = clusterFolders(dataDir, (await locateBinaries()).major)
  if (!existsSync(folders.cluster)) throw new BackupError('nothing_there', `there is no database in ${dataDir}`)
  try {
    const database = await openDatabase({ dataDir, databaseUrl: null, appDatabaseUrl: null, onLog: () => undefined })
    return { owner: database.owner, close: () => database.close() }
  } catch (error) {
    if (!(error instanceof LauncherError) || error.reason !== 'in_use') throw error
  }
  const secrets = await readSecrets(folders.secretsFile)
  if (secrets === null) throw new BackupError('nothing_there', `there is no database in ${dataDir}`)
  return asPool({
    host: await socketOf(folders.cluster),
    port: 5432,
    database: DATABASE,
    user: OWNER_ROLE,
    password: secrets.owner,
  })
}

function asPool(connection: Parameters<typeof createPool>[0]): OpenData {
  // A connection that breaks while in use fails its statement, which reports it.
  const owner = createPool(connection, OWNER_LIMITS, () => undefined)
  return { owner, close: () => owner.end() }
}

/** PostgreSQL writes the folder of its socket into the fifth line of its pid file. */
async function socketOf(cluster: string): Promise<string> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  return lines[4] ?? ''
}
