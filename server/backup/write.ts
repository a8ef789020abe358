import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { BackupError } from '#server/backup/backupError.ts'
import { writeBackupFile } from '#server/backup/file.ts'
import type { EndMarker, Marker, StartMarker, TableEndMarker } from '#server/backup/format.ts'
import { lineOf, listTables, quote, readRows, fixTextForm } from '#server/backup/tables.ts'
import type { Table } from '#server/backup/tables.ts'
import { toDatabaseError } from '#server/database/errors.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'

export interface WrittenBackup {
  readonly file: string
  readonly bytes: number
  readonly tables: number
  readonly rows: number
  /** Instant of the data in it. */
  readonly createdAt: string
  /** By project, the change number up to which it goes. */
  readonly seqs: Readonly<Record<string, number>>
}

export interface WriteOptions {
  readonly folder: string
  /** Null leaves the file unencrypted. */
  readonly passphrase: string | null
  readonly now?: () => Date
  /** Stops the work and leaves no file. */
  readonly signal?: AbortSignal
}

/** How often the tables are listed again because a migration changed them meanwhile. */
const MAX_ATTEMPTS = 5

/** Names of backups sort by their time. */
export const BACKUP_NAME = /^zhenglu-\d{8}T\d{9}Z\.backup$/

/**
 * Writes all data of the database at one instant into a new file, while others go on reading and writing.
 *
 * @param owner a pool of the role that owns the schema
 * @throws BackupError `nothing_there` or `unsupported`, DatabaseError, the file system's errors
 */
export async function writeBackup(
  owner: Pool,
  { folder, passphrase, now = () => new Date(), signal }: WriteOptions,
): Promise<WrittenBackup> {
  const createdAt = now().toISOString()
  const file = join(folder, `zhenglu-${createdAt.replaceAll(/[-:.]/g, '')}.backup`)
  let end: EndMarker | undefined
  let start: StartMarker | undefined
  await withConnection(owner, async (connection) => {
    const tables = await beginSnapshot(connection)
    start = await startMarker(connection, createdAt)
    const text = writeText(connection, tables, start, (marker) => {
      end = marker
    })
    try {
      await writeBackupFile(file, passphrase, text, signal)
    } finally {
      // It has changed nothing, so there is nothing to commit.
      await connection.query('ROLLBACK')
    }
  })
  const { size } = await stat(file)
  const seqs = Object.fromEntries(
    (start?.chains ?? []).flatMap(({ projectId, seq }) => (projectId === null ? [] : [[projectId, seq] as const])),
  )
  return { file, bytes: size, tables: end?.tables ?? 0, rows: end?.rows ?? 0, createdAt, seqs }
}

/**
 * Begins a transaction that sees one instant of all tables. The tables are locked against a change of their form
 * before that instant is chosen. A table that is rewritten between the two would look empty.
 */
async function beginSnapshot(connection: Queryable): Promise<readonly Table[]> {
  for (let attempt = 1; ; attempt += 1) {
    const seen = await listTables(connection)
    if (seen.length === 0) throw new BackupError('nothing_there', 'the database is empty: there is nothing to back up')
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    try {
      await fixTextForm(connection)
      await connection.query(
        `LOCK TABLE ${['schema_migration', ...seen.map(({ name }) => name)].map((name) => `public.${quote(name)}`).join(', ')} IN ACCESS SHARE MODE`,
      )
      if (JSON.stringify(await listTables(connection)) === JSON.stringify(seen)) return seen
    } catch (error) {
      await connection.query('ROLLBACK')
      // A migration held a table longer than we wait.
      if (toDatabaseError(error)?.kind !== 'lock_timeout' || attempt === MAX_ATTEMPTS) throw error
      continue
    }
    await connection.query('ROLLBACK')
    if (attempt === MAX_ATTEMPTS)
      throw new BackupError('unsupported', 'the schema does not stop changing: is a migration running?')
  }
}

async function* writeText(
  connection: Queryable,
  tables: readonly Table[],
  start: StartMarker,
  onEnd: (marker: EndMarker) => void,
): AsyncGenerator<Buffer> {
  const markers = createHash('sha256')
  const sign = (marker: Marker): Buffer => {
    const line = Buffer.from(`${JSON.stringify(marker)}\n`)
    markers.update(line)
    return line
  }
  let rows = 0
  yield sign(start)
  for (const table of tables) {
    yield sign({ t: 'table', name: table.name, columns: table.columns.map(({ name }) => name) })
    const end = yield* writeTable(connection, table)
    yield sign(end)
    rows += end.rows
  }
  const end: EndMarker = { t: 'end', tables: tables.length, rows, sha256: markers.digest('hex') }
  yield Buffer.from(`${JSON.stringify(end)}\n`)
  onEnd(end)
}

async function* writeTable(connection: Queryable, table: Table): AsyncGenerator<Buffer, TableEndMarker> {
  const running = createHash('sha256')
  let count = 0
  for await (const rows of readRows(connection, table)) {
    const text = Buffer.from(rows.map(lineOf).join(''))
    running.update(text)
    count += rows.length
    yield text
  }
  return { t: 'tableEnd', name: table.name, rows: count, sha256: running.digest('hex') }
}

async function startMarker(connection: Queryable, createdAt: string): Promise<StartMarker> {
  const { rows: schema } = await connection.query<StartMarker['schema'][number]>(
    'SELECT number, name, checksum FROM schema_migration ORDER BY number',
  )
  const { rows: chains } = await connection.query<StartMarker['chains'][number]>(
    `SELECT NULL AS "projectId", seq, head FROM system_chain UNION ALL (SELECT id::text, seq, head FROM project ORDER BY id)`,
  )
  const { rows: versions } = await connection.query<{ postgres: string }>(
    `SELECT current_setting('server_version') AS postgres`,
  )
  return { t: 'start', createdAt, postgres: versions[0]?.postgres ?? '', schema, chains }
}
