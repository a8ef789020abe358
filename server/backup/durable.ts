import * as z from 'zod/mini'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * The change number up to which a project's data are safe. Every kept backup holds them, so no restore can forget
 * them, and tablets need not keep sent operations to offer them again. It is stored in the database, where pulls read
 * it.
 */

const SETTING = 'kept_backups'

const keptBackup = z.object({
  /** Name of its file. */
  file: z.string(),
  /** By project, the change number up to which the backup goes. */
  seqs: z.record(z.string(), z.int()),
})
export type RetainedBackup = z.infer<typeof keptBackup>

const known = z.object({ kept: z.array(keptBackup), durable: z.record(z.string(), z.int()) })

/**
 * Notes a backup that was just made.
 *
 * @param there names of all backups in the folder now. A backup of unknown content may hold nothing: as long as it is
 *   there, a restore could lose anything
 */
export async function noteBackup(connection: Queryable, made: RetainedBackup, there: readonly string[]): Promise<void> {
  const before = await readRetained(connection)
  const byFile = new Map([...before, made].map((backup) => [backup.file, backup]))
  const kept = there.map((file): RetainedBackup => byFile.get(file) ?? { file, seqs: {} })
  const durable = Object.fromEntries(
    Object.keys(made.seqs).map((projectId) => [projectId, Math.min(...kept.map(({ seqs }) => seqs[projectId] ?? 0))]),
  )
  await connection.query(
    'INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [SETTING, JSON.stringify({ kept, durable })],
  )
}

/** After a restore: backups of the lost history say nothing about the new one. */
export async function forgetBackups(transaction: Queryable): Promise<void> {
  await transaction.query('DELETE FROM setting WHERE key = $1', [SETTING])
}

/** SQL for the change number up to which the data of project `$1` are safe; 0 where none are. */
export const DURABLE_SEQ = `coalesce((SELECT (value -> 'durable' ->> $1::text)::bigint FROM setting WHERE key = '${SETTING}'), 0)`

/** The same for several projects: those that a person is in, or was. */
export async function durableSeqs(
  connection: Queryable,
  userId: string,
  projectIds: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  if (projectIds.length === 0) return {}
  const { rows } = await connection.query<{ projectId: string; seq: number }>({
    name: 'durable_seqs',
    text: `
      SELECT m.project_id AS "projectId", (s.value -> 'durable' ->> m.project_id::text)::bigint AS seq
      FROM member m JOIN setting s ON s.key = '${SETTING}' AND s.value -> 'durable' ? m.project_id::text
      WHERE m.user_id = $1 AND m.project_id = ANY ($2)`,
    values: [userId, projectIds],
  })
  return Object.fromEntries(rows.map(({ projectId, seq }) => [projectId, seq]))
}

/** Change number up to which a kept backup holds a project; 0 where none does. */
export async function readRetainedSeq(connection: Queryable, projectId: string): Promise<number> {
  return Math.max(0, ...(await readRetained(connection)).map(({ seqs }) => seqs[projectId] ?? 0))
}

async function readRetained(connection: Queryable): Promise<readonly RetainedBackup[]> {
  const { rows } = await connection.query<{ value: unknown }>('SELECT value FROM setting WHERE key = $1', [SETTING])
  const read = known.safeParse(rows[0]?.value)
  return read.success ? read.data.kept : []
}
