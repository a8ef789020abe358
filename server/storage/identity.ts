import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { newId } from '#core/ids.ts'
import type { Config } from '#server/config.ts'
import { commitSystem } from '#server/database/commit.ts'
import { writeDurably } from '#server/database/secrets.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { serverStamp } from '#server/http/runOnce.ts'
import { takeFirstRunLock } from '#server/secrets.ts'

/**
 * One database has one place for the contents of attachments. Two servers with separate folders would each lack the
 * contents that came to the other. So the database names the place, and a server with another one does not start.
 */

const SETTING = 'attachment_storage'
const MARKER = 'storage-id'

/** The contents of this database's attachments are kept at another place. The message says what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}

/**
 * Stores the place of contents at the first start, and compares it at every other. Our own PostgreSQL has one server,
 * and its contents lie beside it.
 *
 * @throws StorageError where the place differs from the one that the database names
 */
export async function claimStorage({
  pool,
  config,
  now,
}: {
  readonly pool: Pool
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'attachments'>
  readonly now: () => string
}): Promise<void> {
  if (config.databaseUrl === null) return
  const mine = await identityOf(config)
  await withTransaction(pool, async (transaction) => {
    await takeFirstRunLock(transaction)
    const { rows } = await transaction.query<{ value: string }>(
      `SELECT value #>> '{}' AS value FROM setting WHERE key = $1`,
      [SETTING],
    )
    const named = rows[0]?.value ?? null
    if (named === mine) return
    if (named !== null && !config.attachments.moved) throw reportMoved(config)
    await transaction.query(
      'INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      [SETTING, JSON.stringify(mine)],
    )
    await commitSystem(transaction, serverStamp({ now }), [{ action: 'server.storage', old: named, new: mine }])
  })
}

/** After a database is moved or restored, its contents may be at another place; the next start stores it. */
export async function forgetStorage(transaction: Queryable): Promise<void> {
  await transaction.query('DELETE FROM setting WHERE key = $1', [SETTING])
}

function reportMoved({ dataDir, attachments }: Pick<Config, 'dataDir' | 'attachments'>): StorageError {
  const here = attachments.s3 === null ? join(dataDir, 'attachments') : 'the bucket of ATTACHMENTS_S3_URL'
  return new StorageError(
    `attachments of this database are kept elsewhere than in ${here}: several servers need one place for them, a bucket (ATTACHMENTS_S3_URL) or a ` +
      'DATA_DIR/attachments that they share. If you have moved the contents here, start once with ATTACHMENTS_MOVED=1',
  )
}

async function identityOf({ dataDir, attachments }: Pick<Config, 'dataDir' | 'attachments'>): Promise<string> {
  if (attachments.s3 !== null) return `s3:${createHash('sha256').update(attachments.s3.bucketUrl).digest('hex')}`
  const folder = join(dataDir, 'attachments')
  const file = join(folder, MARKER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
  if (known !== null) return `disk:${known.trim()}`
  const id = newId()
  await writeDurably(file, `${id}\n`)
  return `disk:${id}`
}
