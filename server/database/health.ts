import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { toDatabaseError } from '#server/database/errors.ts'
import { LauncherError } from '#server/database/launcherError.ts'
import type { Connection } from '#server/database/pool.ts'

/**
 * Waits until the database takes connections.
 *
 * @param exited settles with its last words if the database ends instead
 * @throws LauncherError `not_started`
 */
export async function waitUntilReady(
  connection: Connection,
  exited: Promise<string>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  const ended = exited.then((words) => ({ words }))
  while (Date.now() < deadline) {
    const outcome = await Promise.race([ended, answers(connection)])
    if (outcome === true) return
    if (outcome !== false) throw new LauncherError('not_started', `PostgreSQL did not start: ${outcome.words}`)
    await sleep(20)
  }
  throw new LauncherError('not_started', `PostgreSQL was not ready after ${timeoutMs / 1000} s`)
}

async function answers(connection: Connection): Promise<boolean> {
  try {
    await withClient(connection, (client) => client.query('SELECT 1'))
    return true
  } catch (error) {
    const known = toDatabaseError(error)
    // It is not ready: there is no socket yet, it is still recovering, or it is cut off. Any other answer does not
    // change by waiting.
    if (known === null || known.kind === 'unavailable') return false
    throw new LauncherError('not_started', `PostgreSQL does not let its server in: ${known.message}`, { cause: known })
  }
}

/** Settings that let a confirmed transaction survive a crash of the process or the machine, or a power cut. */
const DURABLE: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'remote_write', 'remote_apply'],
}

/** @throws LauncherError `not_durable` when a setting lets the database forget what it confirmed */
export async function assertDurable(connection: Connection | string): Promise<void> {
  const { rows } = await withClient(connection, (client) =>
    client.query<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings WHERE name = ANY($1)', [
      Object.keys(DURABLE),
    ]),
  )
  const settings = new Map(rows.map((row) => [row.name, row.setting]))
  for (const [name, good] of Object.entries(DURABLE)) {
    if (!good.includes(settings.get(name) ?? '')) {
      throw new LauncherError(
        'not_durable',
        `the database has ${name} = ${settings.get(name) ?? 'unset'}: it must be ${good.join(' or ')}`,
      )
    }
  }
}

/** The longest time to make a connection. */
const CONNECT_MS = 10_000

/** Runs `work` on a connection of its own, closed afterwards. */
export async function withClient<T>(
  connection: Connection | string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const reached = typeof connection === 'string' ? { connectionString: connection } : { ...connection }
  const client = new pg.Client({ ...reached, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  // A broken connection also fails the running statement, which reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
