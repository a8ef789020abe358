import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { newId } from '#core/ids.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { ServerSecrets } from '#server/services.ts'

const makeKeyPair = promisify(generateKeyPair)

/** Any constant will do: processes that start together on a new database take turns. */
const FIRST_RUN_LOCK = 9_436_460

/**
 * The server's secrets, made at the first start. They are in the database and not in a file beside it, because they
 * must come back with a restored backup (docs/adr/0005-keys-and-vault.md).
 */
export async function ensureSecrets(pool: Pool): Promise<ServerSecrets> {
  return withTransaction(pool, async (transaction) => {
    await takeFirstRunLock(transaction)
    const known = await readSecrets(transaction)
    if (known !== null) return known
    const fresh = await makeSecrets()
    await storeSecrets(transaction, fresh)
    return fresh
  })
}

/** Held until the transaction ends, so that only one process makes what is made once. */
export async function takeFirstRunLock(transaction: Queryable): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [FIRST_RUN_LOCK])
}

async function readSecrets(transaction: Queryable): Promise<ServerSecrets | null> {
  const { rows } = await transaction.query<{ name: string; value: string }>('SELECT name, value FROM server_secret')
  const secrets = new Map(rows.map(({ name, value }) => [name, value]))
  const { rows: settings } = await transaction.query<{ value: string }>(
    `SELECT value #>> '{}' AS value FROM setting WHERE key = 'epoch'`,
  )
  const [root, rescuePublicKey, rescuePrivateKey] = ['root', 'rescue_public', 'rescue_private'].map((name) =>
    secrets.get(name),
  )
  const epoch = settings[0]?.value
  if (root === undefined || rescuePublicKey === undefined || rescuePrivateKey === undefined || epoch === undefined)
    return null
  return { root: Buffer.from(root, 'base64url'), rescuePublicKey, rescuePrivateKey, epoch }
}

async function makeSecrets(): Promise<ServerSecrets> {
  const pair = await makeKeyPair('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return {
    root: randomBytes(32),
    rescuePublicKey: pair.publicKey.toString('base64'),
    rescuePrivateKey: pair.privateKey.toString('base64'),
    epoch: newId(),
  }
}

async function storeSecrets(transaction: Queryable, secrets: ServerSecrets): Promise<void> {
  await transaction.query(
    `INSERT INTO server_secret (name, value) VALUES ('root', $1), ('rescue_public', $2), ('rescue_private', $3)`,
    [Buffer.from(secrets.root).toString('base64url'), secrets.rescuePublicKey, secrets.rescuePrivateKey],
  )
  await transaction.query(`INSERT INTO setting (key, value) VALUES ('epoch', $1)`, [JSON.stringify(secrets.epoch)])
}

/**
 * Gives a restored server another epoch. By it devices notice that the server has gone back in time: their cursors
 * start over, and they offer again what they sent.
 */
export async function renewEpoch(transaction: Queryable): Promise<string> {
  const epoch = newId()
  await transaction.query(
    `INSERT INTO setting (key, value) VALUES ('epoch', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [JSON.stringify(epoch)],
  )
  return epoch
}
