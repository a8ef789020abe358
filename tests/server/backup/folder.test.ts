import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openData } from '#server/backup/open.ts'
import { restore } from '#server/backup/restore.ts'
import type { Restored } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { migrate } from '#server/database/migrate.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Database } from '#server/database/open.ts'
import { ensureSecrets } from '#server/secrets.ts'

/**
 * The server's own PostgreSQL in a data folder, backed up while it runs and while it does not, and restored in its
 * place.
 */

let folder: string
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zl-folder-'))
  dataDir = join(folder, 'data')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function openServer(): Promise<Database> {
  return openDatabase({ dataDir, databaseUrl: null, appDatabaseUrl: null, onLog: () => undefined })
}

async function backUp(): Promise<string> {
  const data = await openData({ dataDir, databaseUrl: null })
  try {
    return (await writeBackup(data.owner, { folder: join(folder, 'backups'), passphrase: null })).file
  } finally {
    await data.close()
  }
}

function putBack(file: string, replace: boolean): Promise<Restored> {
  return restore({ file, passphrase: null, databaseUrl: null, appDatabaseUrl: null, dataDir, replace })
}

it(
  'a data folder is backed up as it is used, and comes back in its own place with the old one kept',
  { timeout: 120_000 },
  async () => {
    await expect(backUp()).rejects.toMatchObject({ reason: 'nothing_there' })

    const server = await openServer()
    await migrate(server.owner)
    const secrets = await ensureSecrets(server.app)
    const whileRunning = await backUp()
    await expect(putBack(whileRunning, true)).rejects.toMatchObject({ reason: 'in_use' })
    await server.app.query(`INSERT INTO setting (key, value) VALUES ('later', '1')`)
    await server.close()

    const whileStopped = await backUp()
    await expect(putBack(whileStopped, false)).rejects.toMatchObject({ reason: 'not_empty' })
    const { kept, epoch } = await putBack(whileRunning, true)
    expect(await readdir(kept ?? '')).toEqual(['database', 'database.json'])
    expect((await readdir(dataDir)).filter((name) => name.startsWith('restoring'))).toEqual([])

    const restored = await openServer()
    expect(await migrate(restored.owner)).toEqual([])
    expect(await ensureSecrets(restored.app)).toEqual({ ...secrets, epoch })
    const { rowCount } = await restored.app.query(`SELECT FROM setting WHERE key = 'later'`)
    expect(rowCount).toBe(0)
    await restored.close()
  },
)
