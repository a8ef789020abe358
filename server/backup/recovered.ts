import { leaveOutForgotten } from '#server/areas/patient/numbers.ts'
import { BackupError } from '#server/backup/backupError.ts'
import { assertChains, beginNewTime } from '#server/backup/newTime.ts'
import type { NewTime, SoundChains } from '#server/backup/newTime.ts'
import { openDatabase } from '#server/database/open.ts'
import { withTransaction } from '#server/database/transaction.ts'

/** The state of a database that its operator brought back, and what was done. */
export interface Recovered extends NewTime, SoundChains {}

/**
 * Marks an operator's database as recovered, after it went back in time by its own means (a base backup with WAL, a
 * snapshot, a dump). Its audit chains are computed anew. Then tablets and signed-in users will learn of it. This is
 * done wholly or not at all. A server on this database must be stopped before, because it reads the epoch at its
 * start.
 *
 * @throws BackupError `not_restored` where a chain fails, `nothing_there` for a database that no server has used;
 *   OpenError, MigrationError, DatabaseError
 */
export async function markRecovered(place: {
  readonly databaseUrl: string
  readonly appDatabaseUrl: string | null
}): Promise<Recovered> {
  const database = await openDatabase({ ...place, dataDir: '', onLog: () => undefined })
  try {
    return await withTransaction(
      database.owner,
      async (transaction) => {
        const { rows: secrets } = await transaction.query('SELECT FROM server_secret LIMIT 1')
        if (secrets.length === 0) throw new BackupError('nothing_there', 'no server has ever used this database')
        const { rows } = await transaction.query<{ id: string }>('SELECT id FROM project ORDER BY id')
        const chains = await assertChains(transaction, [
          { projectId: null, head: null },
          ...rows.map(({ id }) => ({ projectId: id, head: null })),
        ])
        await leaveOutForgotten(transaction)
        return { ...chains, ...(await beginNewTime(transaction, 'backup.recovered', null)) }
      },
      { retries: 0 },
    )
  } finally {
    await database.close()
  }
}
