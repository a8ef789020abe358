import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createEmptyDatabase()
  folder = await mkdtemp(join(tmpdir(), 'zl-migrations-'))
  await release('0001_ward.sql', 'CREATE TABLE ward (name text); CREATE TABLE bed (number int);')
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const release = (file: string, sql: string): Promise<void> => writeFile(join(folder, file), sql)
const run = (): Promise<readonly string[]> => migrate(database.ownerPool, folder)
const tables = async (): Promise<string[]> => {
  const { rows } = await database.ownerPool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  )
  return rows.map((row) => row.name)
}

test('a new database gets all migrations in order, a later start only the new ones', async () => {
  await release('0002_more.sql', 'ALTER TABLE ward ADD floor int')
  expect(await run()).toEqual(['0001_ward', '0002_more'])
  await release('0003_index.sql', 'CREATE INDEX ON ward (floor)')
  expect(await run()).toEqual(['0003_index'])
  expect(await run()).toEqual([])
})

test('an older schema is made first where an older backup is to be loaded into it', async () => {
  await release('0002_more.sql', 'ALTER TABLE ward ADD floor int')
  expect(await migrate(database.ownerPool, folder, 1)).toEqual(['0001_ward'])
  expect(await run()).toEqual(['0002_more'])
})

test('servers that start together migrate once', async () => {
  const ran = await Promise.all([run(), run()])
  expect(ran.flat()).toEqual(['0001_ward'])
})

test('a migration that fails leaves nothing of itself, and the ones before it stand', async () => {
  await release('0002_wrong.sql', 'CREATE TABLE half (a int); SELECT 1/0')
  await expect(run()).rejects.toMatchObject({ reason: 'failed', migration: '0002_wrong' })
  expect(await tables()).toEqual(['bed', 'schema_migration', 'ward'])
  await release('0002_wrong.sql', 'CREATE TABLE half (a int)')
  expect(await run()).toEqual(['0002_wrong'])
})

test('a migration that was changed after it ran stops the start', async () => {
  await run()
  await release('0001_ward.sql', 'CREATE TABLE ward (name text, floor int)')
  await expect(run()).rejects.toMatchObject({ reason: 'changed', migration: '0001_ward' })
})

test('line ends made by a checkout are no change', async () => {
  await release('0002_lines.sql', 'CREATE TABLE a (x int);\nCREATE TABLE b (x int);\n')
  await run()
  await release('0002_lines.sql', 'CREATE TABLE a (x int);\r\nCREATE TABLE b (x int);\r\n')
  expect(await run()).toEqual([])
})

test('an older server does not start on a newer schema', async () => {
  await release('0002_newer.sql', 'CREATE TABLE newer (a int)')
  await run()
  await rm(join(folder, '0002_newer.sql'))
  await expect(run()).rejects.toMatchObject({ reason: 'newer_schema', migration: '0002_newer' })
})

test.each(['0003_gap.sql', '0001_twice.sql', '2_short.sql', '0002_Notes.txt'])(
  'a file named %s is refused before anything runs',
  async (file) => {
    await release(file, 'SELECT 1')
    await expect(run()).rejects.toMatchObject({ reason: 'bad_name' })
    expect(await tables()).toEqual([])
  },
)

test('what a migration grants to the app is what the app may do', async () => {
  await release(
    '0002_audit.sql',
    `CREATE TABLE audit (id int PRIMARY KEY, text text);
    GRANT SELECT, INSERT ON audit TO zhenglu_app;
    GRANT SELECT ON audit TO zhenglu_console`,
  )
  await run()
  await database.ownerPool.query('GRANT USAGE ON SCHEMA public TO zhenglu_app, zhenglu_console')
  await database.pool.query(`INSERT INTO audit VALUES (1, 'entered')`)
  for (const change of [
    `UPDATE audit SET text = 'changed'`,
    'DELETE FROM audit',
    'TRUNCATE audit',
    'DROP TABLE audit',
    'CREATE TABLE mine (a int)',
  ]) {
    await expect(database.pool.query(change)).rejects.toMatchObject({ code: '42501' })
  }
  expect((await database.consolePool.query('SELECT * FROM audit')).rows).toEqual([{ id: 1, text: 'entered' }])
  await expect(database.consolePool.query(`INSERT INTO audit VALUES (2, 'x')`)).rejects.toMatchObject({ code: '25006' })
  await database.consolePool.query('SET default_transaction_read_only = off')
  await expect(database.consolePool.query(`INSERT INTO audit VALUES (2, 'x')`)).rejects.toMatchObject({ code: '42501' })
})
