import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { DatabaseError, toDatabaseError } from '#server/database/errors.ts'

/** Runs statements: a connection inside a transaction. Stores take this and do not know of pools. */
export type Queryable = Pick<ClientBase, 'query'>

export interface TransactionOptions {
  /** Default `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /** Longest wait for a lock inside this transaction; default is the pool's limit. */
  readonly lockTimeoutMs?: number
  /**
   * How often the transaction is tried again after a deadlock or serialization conflict; default 3. `run` must then
   * be repeatable.
   */
  readonly retries?: number
}

/**
 * Runs `run` in one transaction: committed when it returns, rolled back when it throws. Its result is only returned
 * once COMMIT has been confirmed.
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
    // After a failed COMMIT or ROLLBACK the state of the session is unknown, so it is not lent again.
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
    // No statement was sent, so the failure changed nothing, whatever its cause.
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
    // The connection is gone, and its transaction with it. That error decides what the caller is told: try again.
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
  // After a swallowed error, COMMIT "succeeds" as ROLLBACK. That must never be taken for saved.
  if (command !== 'COMMIT') throw new DatabaseError({ kind: 'other', sqlState: '25P02' })
}
