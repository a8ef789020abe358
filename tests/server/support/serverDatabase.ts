import { readSecrets } from '#server/database/secrets.ts'
import { clusterFolders, SUPERUSER } from '#server/database/cluster.ts'
import { locateBinaries } from '#server/database/binaries.ts'
import { createPool } from '#server/database/pool.ts'

/** Looks into the running server's own PostgreSQL, past the server: what stands there is what was really kept. */
export async function openServerDatabase(dataDir: string): Promise<ReturnType<typeof createPool>> {
  const { major } = await locateBinaries()
  const folders = clusterFolders(dataDir, major)
  const secrets = await readSecrets(folders.secretsFile)
  if (secrets === null) throw new Error(`There is no database in ${dataDir}`)
  return createPool(
    { host: folders.run, port: 5432, database: 'zhenglu', user: SUPERUSER, password: secrets.superuser },
    { connections: 1, statementTimeoutMs: 10_000, lockTimeoutMs: 1000 },
    // The server may end, and its database with it, while this connection is idle. A statement that fails is still an
    // error.
    () => undefined,
  )
}
