import type { Pool } from 'pg'
import { leaveOutForgotten } from '#server/areas/patient/numbers.ts'
import { BackupError } from '#server/backup/backupError.ts'
import type { Row } from '#server/backup/format.ts'
import { assertChains, beginNewTime } from '#server/backup/newTime.ts'
import type { NewTime, SoundChains } from '#server/backup/newTime.ts'
import { inspectBackup, readBackup } from '#server/backup/read.ts'
import type { Contents } from '#server/backup/read.ts'
import { digestTable, listTables, quote, fixTextForm } from '#server/backup/tables.ts'
import type { Table } from '#server/backup/tables.ts'
import { migrate, MIGRATIONS_FOLDER, readMigrations } from '#server/database/migrate.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** The result of a restore. */
export interface RestoreReport extends NewTime, SoundChains {
  /** Instant of the restored data. */
  readonly createdAt: string
  readonly tables: number
  readonly rows: number
  /** Migrations that ran after the restore, to bring an older backup up to date. */
  readonly migrated: readonly string[]
}

/**
 * Reads a backup through and checks that it is whole and that this version can restore it. Nothing is written.
 *
 * @throws BackupError
 */
export async function checkBackup(file: string, passphrase: string | null): Promise<Contents> {
  const contents = await inspectBackup(file, passphrase)
  const known = await readMigrations(MIGRATIONS_FOLDER)
  const { schema } = contents.start
  const fits =
    schema.length <= known.length &&
    schema.every(({ number, name, checksum }, index) => {
      const ours = known[index]
      return ours?.number === number && ours.name === name && ours.checksum === checksum
    })
  if (!fits || schema.length === 0) {
    throw new BackupError(
      'schema_unknown',
      'the backup was written by a version whose migrations this one does not have: restore it with that version',
    )
  }
  return contents
}

/**
 * Fills an empty database from a backup that `checkBackup` has passed. First the database is compared with the file,
 * and the audit chains are computed anew. Then all of it becomes visible at once; otherwise nothing does.
 *
 * @param owner a pool of the role that owns the schema; the app's roles must exist
 * @throws BackupError, MigrationError, DatabaseError
 */
export async function loadBackup(
  owner: Pool,
  file: string,
  passphrase: string | null,
  contents: Contents,
): Promise<RestoreReport> {
  await withConnection(owner, assertOurs)
  await migrate(owner, MIGRATIONS_FOLDER, contents.start.schema.length)
  const done = await withTransaction(owner, (transaction) => fill(transaction, file, passphrase, contents), {
    retries: 0,
  })
  const migrated = await migrate(owner)
  // After the migrations, because a backup may be older than a table that this needs.
  await withTransaction(owner, leaveOutForgotten)
  // Query plans need statistics, which otherwise come minutes after the first requests.
  await withConnection(owner, (connection) => connection.query('ANALYZE'))
  return {
    createdAt: contents.start.createdAt,
    tables: contents.end.tables,
    rows: contents.end.rows,
    ...done,
    migrated,
  }
}

/** A database of another program is not migrated. */
async function assertOurs(connection: Queryable): Promise<void> {
  const { rows } = await connection.query<{ tables: number; ours: boolean }>(
    `SELECT count(*) AS tables, coalesce(bool_or(relname = 'schema_migration'), false) AS ours
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`,
  )
  const [facts] = rows
  if (facts !== undefined && facts.tables > 0 && !facts.ours) throw notEmpty()
  if (facts?.ours === true) await assertEmpty(connection)
}

/** Tables in which any use of a server leaves a row. Rows that the migrations make themselves are in other tables. */
const TELLING = ['server_secret', 'app_user', 'project', 'audit']

async function assertEmpty(connection: Queryable): Promise<void> {
  for (const table of await listTables(connection)) {
    if (!TELLING.includes(table.name)) continue
    const { rowCount } = await connection.query(`SELECT FROM public.${quote(table.name)} LIMIT 1`)
    if (rowCount !== 0) throw notEmpty()
  }
}

function notEmpty(): BackupError {
  return new BackupError('not_empty', 'there is data in the database: restore into an empty one, and keep this')
}

async function fill(
  transaction: Queryable,
  file: string,
  passphrase: string | null,
  contents: Contents,
): Promise<NewTime & SoundChains> {
  await fixTextForm(transaction)
  const tables = await listTables(transaction)
  assertSameTables(tables, contents)
  const names = tables.map(({ name }) => `public.${quote(name)}`).join(', ')
  await transaction.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`)
  await assertEmpty(transaction)
  await transaction.query(`TRUNCATE ${names}`)
  const giveBack = await setAsideChecks(transaction, tables)
  await load(transaction, new Map(tables.map((table) => [table.name, table])), file, passphrase)
  await giveBack()
  await assertSameContent(transaction, tables, contents)
  const chains = await assertChains(transaction, contents.start.chains)
  return { ...chains, ...(await beginNewTime(transaction, 'backup.restore', contents.start.createdAt)) }
}

function assertSameTables(tables: readonly Table[], contents: Contents): void {
  const form = (name: string, columns: readonly string[]): string => JSON.stringify([name, ...columns])
  const here = tables.map(({ name, columns }) =>
    form(
      name,
      columns.map((column) => column.name),
    ),
  )
  const there = contents.tables.map(({ name, columns }) => form(name, columns))
  if (here.length !== there.length || here.some((table) => !there.includes(table))) {
    throw new BackupError('not_restored', 'the tables of the backup are not those that its migrations make')
  }
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/**
 * Drops foreign keys for the load, because rows come in another order and tables refer to themselves and each other.
 * Returns the statements that add the keys again, which checks them all. Only a superuser could switch them off
 * instead.
 */
async function setAsideChecks(transaction: Queryable, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows: keys } = await transaction.query<ForeignKey>(
    `SELECT c.relname::text AS "table", k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of keys)
    await transaction.query(`ALTER TABLE public.${quote(table)} DROP CONSTRAINT ${quote(name)}`)
  for (const { name } of tables) await transaction.query(`ALTER TABLE public.${quote(name)} DISABLE TRIGGER USER`)
  return async () => {
    for (const { name } of tables) await transaction.query(`ALTER TABLE public.${quote(name)} ENABLE TRIGGER USER`)
    for (const { table, name, definition } of keys) {
      await transaction.query(`ALTER TABLE public.${quote(table)} ADD CONSTRAINT ${quote(name)} ${definition}`)
    }
  }
}

async function load(
  transaction: Queryable,
  tables: ReadonlyMap<string, Table>,
  file: string,
  passphrase: string | null,
): Promise<void> {
  let table: Table | undefined
  for await (const part of readBackup(file, passphrase)) {
    if (part.t === 'table') table = tables.get(part.name)
    if (part.t === 'rows' && table !== undefined) await insertRows(transaction, table, part.rows)
  }
}

async function insertRows(transaction: Queryable, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const places = columns.map((_column, index) => `$${index + 1}::text[]`).join(', ')
  const names = columns.map((column) => quote(column.name)).join(', ')
  const values = columns.map((column) => `given.${quote(column.name)}::${column.type}`).join(', ')
  await transaction.query({
    text: `INSERT INTO public.${quote(name)} (${names}) SELECT ${values} FROM unnest(${places}) AS given (${names})`,
    values: columns.map((_column, index) => rows.map((row) => row[index])),
  })
}

/** Reads every table back and compares it with the file. */
async function assertSameContent(transaction: Queryable, tables: readonly Table[], contents: Contents): Promise<void> {
  const expected = new Map(contents.tables.map((table) => [table.name, table]))
  for (const table of tables) {
    const found = await digestTable(transaction, table)
    const said = expected.get(table.name)
    if (found.rows !== said?.rows || found.sha256 !== said.sha256) {
      throw new BackupError('not_restored', `the table ${table.name} did not come back as it was`)
    }
  }
}
