import type { Pool } from 'pg'
import { locateBinaries } from '#server/database/binaries.ts'
import { clusterFolders } from '#server/database/cluster.ts'
import { APP_LIMITS, createPool } from '#server/database/pool.ts'
import { APP_ROLE } from '#server/database/roles.ts'
import { readSecrets } from '#server/database/secrets.ts'

/** The running server's own database, opened as the server opens it: same role, same limits. */
export async function openAsServer(dataDir: string, connections: number): Promise<Pool> {
  const { major } = await locateBinaries()
  const folders = clusterFolders(dataDir, major)
  const secrets = await readSecrets(folders.secretsFile)
  if (secrets === null) throw new Error(`There is no database in ${dataDir}`)
  const connection = { host: folders.run, port: 5432, database: 'zhenglu', user: APP_ROLE, password: secrets.app }
  return createPool(connection, { ...APP_LIMITS, connections }, () => undefined)
}
