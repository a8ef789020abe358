import { dirname } from 'node:path'
import type { Pool } from 'pg'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { migrate, MIGRATIONS_FOLDER } from '#server/database/migrate.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'

/** Backups as an older version of the server made them. */

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  /** Type, default and whether it must be there, as they are written. */
  readonly definition: string
}

/**
 * The same backup as the server made it whose last migration was `upTo`: what only later migrations brought is left
 * out, and what they took away is there with its default; a number that must be there and has none is 0.
 *
 * @returns the file, beside the given one
 */
export async function asOlderVersion(file: string, upTo: number): Promise<string> {
  const [copy, older] = [await createEmptyDatabase(), await createEmptyDatabase()]
  try {
    await restore({
      file,
      passphrase: null,
      databaseUrl: copy.url,
      appDatabaseUrl: copy.appUrl,
      dataDir: dirname(file),
      replace: false,
    })
    await migrate(older.ownerPool, MIGRATIONS_FOLDER, upTo)
    const before = await columnsOf(older.ownerPool)
    const now = await columnsOf(copy.ownerPool)
    const tables = new Set(before.map(({ table }) => table))
    for (const table of new Set(now.map((one) => one.table)))
      if (!tables.has(table)) await copy.ownerPool.query(`DROP TABLE "${table}" CASCADE`)
    const known = new Set(before.map(({ table, column }) => `${table}.${column}`))
    const added = now.filter(({ table, column }) => tables.has(table) && !known.has(`${table}.${column}`))
    for (const { table, column } of added)
      await copy.ownerPool.query(`ALTER TABLE "${table}" DROP COLUMN "${column}" CASCADE`)
    const kept = new Set(now.map(({ table, column }) => `${table}.${column}`))
    for (const table of tables)
      await bringBack(
        copy.ownerPool,
        before.filter((one) => one.table === table),
        kept,
      )
    // Rows of a kind that only later versions know, as some notices are.
    for (const { table, check } of await checksOf(older.ownerPool))
      await copy.ownerPool.query(`DELETE FROM "${table}" WHERE NOT (${check})`)
    await copy.ownerPool.query('DELETE FROM schema_migration WHERE number > $1', [upTo])
    return (await writeBackup(copy.ownerPool, { folder: dirname(file), passphrase: null })).file
  } finally {
    await copy.drop()
    await older.drop()
  }
}

/**
 * Makes anew what was taken away of a table, and what stood behind that: a backup has the columns in their order.
 *
 * @param kept those that are there, as `table.column`
 */
async function bringBack(pool: Pool, columns: readonly Column[], kept: ReadonlySet<string>): Promise<void> {
  const isGone = ({ table, column }: Column): boolean => !kept.has(`${table}.${column}`)
  const first = columns.findIndex(isGone)
  for (const one of first < 0 ? [] : columns.slice(first)) {
    const { table, column, type, definition } = one
    if (isGone(one)) await pool.query(`ALTER TABLE "${table}" ADD COLUMN "${column}" ${definition}`)
    else
      await pool.query(
        `ALTER TABLE "${table}" RENAME COLUMN "${column}" TO "moved"; ALTER TABLE "${table}" ADD COLUMN "${column}" ${type};
         UPDATE "${table}" SET "${column}" = "moved"; ALTER TABLE "${table}" DROP COLUMN "moved" CASCADE`,
      )
  }
}

/** What the rows of each table must hold, as SQL. */
async function checksOf(pool: Pool): Promise<readonly { readonly table: string; readonly check: string }[]> {
  const { rows } = await pool.query<{ table: string; check: string }>(
    `SELECT c.relname::text AS "table", pg_get_expr(k.conbin, k.conrelid) AS "check"
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'c' AND c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname, k.conname`,
  )
  return rows
}

async function columnsOf(pool: Pool): Promise<readonly Column[]> {
  const { rows } = await pool.query<Column>(
    `SELECT c.relname::text AS "table", a.attname::text AS "column", format_type(a.atttypid, a.atttypmod) AS type,
       concat_ws(' ', format_type(a.atttypid, a.atttypmod),
         'DEFAULT ' || coalesce(pg_get_expr(d.adbin, d.adrelid), CASE WHEN a.attnotnull AND a.atttypid = 'integer'::regtype THEN '0' END),
         CASE WHEN a.attnotnull THEN 'NOT NULL' END) AS definition
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
  )
  return rows
}
