import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { DatabaseError, toDatabaseError } from '#server/database/errors.ts'

/** What runs statements: a connection inside of a transaction. Stores take this and know nothing of pools. */
export type Queryable = Pick<ClientBase, 'query'>

export interface TransactionOptions {
  /** Default `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /** Longest wait for a lock inside this transaction; default is the pool's limit. */
  readonly lockTimeoutMs?: number
  /** How often a deadlock or serialization conflict is tried again; default 3. `run` must then be repeatable. */
  readonly retries?: number
}

/**
 * Runs `run` in one transaction: committed when it returns, rolled back when it throws. What it returns is only given
 * out once COMMIT has been confirmed.
 *
 * @throws DatabaseError for what the database refused or could not do; anything else that `run` throws, unchanged
 */
export async function withTransaction<T>(
  pool: Pool,
  run: (transaction: Queryable) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const retries = options.retries ?? 3
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await withConnection(pool, (client) => attemptTransaction(client, run, options))
    } catch (error) {
      const conflict = error instanceof DatabaseError && error.kind === 'serialization'
      if (!conflict || attempt >= retries) throw error
      await sleep(2 ** attempt * 10 * (0.5 + Math.random()))
    }
  }
}

/**
 * Lends a connection for statements that need no transaction.
 *
 * @throws DatabaseError for what the database refused or could not do; anything else that `run` throws, unchanged
 */
export async function withConnection<T>(pool: Pool, run: (connection: Queryable) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let broken: Error | undefined
  const onBroken = (error: Error): void => {
    broken = error
  }
  client.on('error', onBroken)
  try {
    return await run(client)
  } catch (error) {
    const known = toDatabaseError(error, { broken: broken !== undefined })
    // After a failed COMMIT or ROLLBACK nobody knows what state the session is in: it is not lent again.
    if (known?.kind === 'unavailable') broken ??= known
    throw known ?? error
  } finally {
    client.off('error', onBroken)
    client.release(broken)
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    // No statement was sent, so that whatever stopped the connection changed nothing.
    throw toDatabaseError(error, { broken: true }) ?? error
  }
}

async function attemptTransaction<T>(
  client: Queryable,
  run: (transaction: Queryable) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  await client.query(`BEGIN ISOLATION LEVEL ${options.isolation ?? 'read committed'}`)
  let result: T
  try {
    if (options.lockTimeoutMs !== undefined) {
      await client.query(`SELECT set_config('lock_timeout', $1, true)`, [String(options.lockTimeoutMs)])
    }
    result = await run(client)
  } catch (error) {
    await rollBack(client, error)
    throw error
  }
  await commit(client)
  return result
}

async function rollBack(client: Queryable, reason: unknown): Promise<void> {
  try {
    await client.query('ROLLBACK')
  } catch {
    // The connection is gone, and its transaction with it. That also decides what the caller is told: try again.
    throw toDatabaseError(reason, { broken: true }) ?? reason
  }
}

async function commit(client: Queryable): Promise<void> {
  let command: string
  try {
    command = (await client.query('COMMIT')).command
  } catch (error) {
    throw toDatabaseError(error, { broken: true, outcome: 'unknown' }) ?? error
  }
  // COMMIT of a transaction in which a swallowed error occurred "succeeds" as ROLLBACK: that must never pass for saved.
  if (command !== 'COMMIT') throw new DatabaseError({ kind: 'other', sqlState: '25P02' })
}
