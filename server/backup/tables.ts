import { createHash } from 'node:crypto'
import { BackupError } from '#server/backup/backupError.ts'
import type { Row } from '#server/backup/format.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Tables for a backup: their facts from the catalog, and their rows as text in an order that is always the same. */

export interface Column {
  readonly name: string
  /** The type as a cast takes it, such as `timestamp(3) with time zone`. */
  readonly type: string
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** SQL to sort by. The order is the same on every server, whatever its collations. */
  readonly order: string
}

/** The content of a table in numbers: enough to tell whether another holds the same. */
export interface TableDigest {
  readonly rows: number
  /** Hash over `lineOf` each row in order. */
  readonly sha256: string
}

/** Most rows of a batch, and about how many characters. The limit of a request also limits what a row may hold. */
const MAX_ROWS = 1000
const TARGET_CHARACTERS = 1_000_000

/** The migrations write this table themselves; a backup names the migrations in its start. */
const MIGRATION_TABLE = 'schema_migration'

interface CatalogTable {
  readonly name: string
  readonly columns: readonly (Column & { readonly collated: boolean })[]
  readonly key: readonly string[]
}

/**
 * All tables of the schema except the record of migrations, by name.
 *
 * @throws BackupError `unsupported` when there is something whose content is not in the rows of plain tables
 */
export async function listTables(connection: Queryable): Promise<readonly Table[]> {
  const { rowCount } = await connection.query(
    `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('S', 'p', 'f', 'm')`,
  )
  if (rowCount !== 0)
    throw new BackupError(
      'unsupported',
      'the schema has sequences, partitions or foreign tables, which a backup does not hold',
    )
  const { rows } = await connection.query<CatalogTable>(
    `SELECT c.relname::text AS name,
       (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'collated', a.attcollation <> 0) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       ARRAY(SELECT a.attname::text
        FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE i.indexrelid = (
          SELECT u.indexrelid FROM pg_index u
          WHERE u.indrelid = c.oid AND u.indisunique AND u.indpred IS NULL AND u.indexprs IS NULL
          ORDER BY u.indisprimary DESC, u.indexrelid LIMIT 1)
        ORDER BY k.place) AS key
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> $1
     ORDER BY c.relname`,
    [MIGRATION_TABLE],
  )
  return rows.map(({ name, columns, key }) => ({ name, columns, order: orderOf(columns, key) }))
}

/** Sorted by the key, or by all columns where a table has no key. */
function orderOf(columns: CatalogTable['columns'], key: readonly string[]): string {
  const keyed = columns.filter(({ name }) => key.includes(name))
  if (keyed.length === 0) return columns.map(({ name }) => `${quote(name)}::text COLLATE "C"`).join(', ')
  return keyed.map(({ name, collated }) => `${quote(name)}${collated ? ' COLLATE "C"' : ''}`).join(', ')
}

/** Makes a session write values so that any other session reads the same ones. Must run inside a transaction. */
export async function fixTextForm(transaction: Queryable): Promise<void> {
  await transaction.query(`
    SET LOCAL timezone = 'UTC';
    SET LOCAL datestyle = 'ISO, YMD';
    SET LOCAL intervalstyle = 'postgres';
    SET LOCAL bytea_output = 'hex';
    SET LOCAL extra_float_digits = 1;
    SET LOCAL cursor_tuple_fraction = 1;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0`)
}

/**
 * The rows of a table in order, in batches that fit into memory. Must run inside a transaction, one table at a time.
 */
export async function* readRows(transaction: Queryable, table: Table): AsyncGenerator<readonly Row[]> {
  const columns = table.columns.map(({ name }) => `${quote(name)}::text`).join(', ')
  await transaction.query(
    `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT ${columns} FROM public.${quote(table.name)} ORDER BY ${table.order}`,
  )
  for (let size = 10; ;) {
    const { rows } = await transaction.query<Row>({ text: `FETCH ${size} FROM backup_rows`, rowMode: 'array' })
    if (rows.length > 0) yield rows
    if (rows.length < size) break
    // It grows step by step and shrinks at once, because rows differ in size by a factor of a thousand.
    const mean = rows.reduce((sum, row) => sum + charactersOf(row), 1) / rows.length
    size = Math.max(1, Math.min(size * 4, MAX_ROWS, Math.floor(TARGET_CHARACTERS / mean)))
  }
  await transaction.query('CLOSE backup_rows')
}

/** Counts and hashes the present rows of a table. */
export async function digestTable(transaction: Queryable, table: Table): Promise<TableDigest> {
  const running = createHash('sha256')
  let count = 0
  for await (const rows of readRows(transaction, table)) {
    for (const row of rows) running.update(lineOf(row))
    count += rows.length
  }
  return { rows: count, sha256: running.digest('hex') }
}

/** A row as a line of the file, with its line end. */
export function lineOf(row: Row): string {
  return `${JSON.stringify(row)}\n`
}

/** An identifier, quoted. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function charactersOf(row: Row): number {
  return row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
}
