import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { toDatabaseError } from '#server/database/errors.ts'

/** The folder of this version's migrations: `0001_name.sql`, `0002_…`, numbered without a gap. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')

/**
 * - `bad_name`: a file in the folder is not `NNNN_name.sql`, or a number is missing or used twice.
 * - `changed`: the text of a migration that ran here has changed since.
 * - `newer_schema`: a newer version of the server has migrated this database.
 * - `failed`: a migration failed; it left nothing behind.
 */
export type MigrationErrorReason = 'bad_name' | 'changed' | 'newer_schema' | 'failed'

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
  readonly reason: MigrationErrorReason
  /** The file name, or the name that is stored in the database. */
  readonly migration: string

  constructor(reason: MigrationErrorReason, migration: string, options?: ErrorOptions) {
    super(`migration ${migration}: ${reason}`, options)
    this.reason = reason
    this.migration = migration
  }
}

export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** Any constant will do, as long as every version of the server uses the same one ("zhenglu" in a phone's digits). */
const MIGRATION_LOCK = 9_436_458

/**
 * Brings the schema up to date. Each migration runs in its own transaction, with its record. Processes that start
 * together take turns.
 *
 * @param owner a pool of the role that owns the schema
 * @param upTo number of the last migration to run; a backup is restored into the schema from which it was made
 * @returns the names of the migrations that ran now
 * @throws MigrationError, or DatabaseError when the database cannot be reached
 */
export async function migrate(
  owner: Pool,
  folder: string = MIGRATIONS_FOLDER,
  upTo: number = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder)
  const client = await owner.connect().catch((error: unknown) => {
    throw toDatabaseError(error, { broken: true }) ?? error
  })
  // A broken connection also fails the running statement, which reports it.
  const onBroken = (): void => undefined
  client.on('error', onBroken)
  let clean = false
  try {
    await client.query(`SET lock_timeout = 0; SET statement_timeout = 0; SELECT pg_advisory_lock(${MIGRATION_LOCK})`)
    const ran = await applyMissing(client, migrations, upTo)
    await client.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK}); RESET lock_timeout; RESET statement_timeout`)
    clean = true
    return ran
  } catch (error) {
    throw toDatabaseError(error) ?? error
  } finally {
    client.off('error', onBroken)
    // The end of the session releases the advisory lock in every case.
    client.release(!clean)
  }
}

async function applyMissing(
  client: PoolClient,
  migrations: readonly Migration[],
  upTo: number,
): Promise<readonly string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    number int PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now()
  )`)
  const { rows: applied } = await client.query<AppliedMigration>(
    'SELECT number, name, checksum FROM schema_migration ORDER BY number',
  )
  for (const old of applied) {
    const known = migrations[old.number - 1]
    if (known === undefined) throw new MigrationError('newer_schema', old.name)
    if (known.name !== old.name || known.checksum !== old.checksum) throw new MigrationError('changed', old.name)
  }
  const missing = migrations.slice(applied.length).filter(({ number }) => number <= upTo)
  for (const migration of missing) await apply(client, migration)
  return missing.map((migration) => migration.name)
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(migration.sql)
    await client.query('INSERT INTO schema_migration (number, name, checksum) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await client.query('COMMIT')
  } catch (error) {
    // The session is closed by the caller, which rolls back.
    throw new MigrationError('failed', migration.name, { cause: toDatabaseError(error) ?? error })
  }
}

/** The migrations of a folder, in order. Throws MigrationError `bad_name`. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => !file.startsWith('.')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]
      if (number === undefined || Number(number) !== index + 1) throw new MigrationError('bad_name', file)
      // A checkout may turn line ends into CR LF; the checksum must not change with them.
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { number: index + 1, name: file.slice(0, -'.sql'.length), sql, checksum }
    }),
  )
}
