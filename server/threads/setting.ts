import type { Pool, PoolConfig } from 'pg'
import type { Config } from '#server/config.ts'
import { APP_LIMITS, createPool } from '#server/database/pool.ts'
import type { Connection } from '#server/database/pool.ts'
import { createLog } from '#server/log.ts'
import type { ServerSecrets, Services } from '#server/services.ts'
import { openFileStore } from '#server/storage/open.ts'

/** The message of a thread that is ready. */
export const READY = 'ready'

/** What a thread needs for the server's services: plain values, which it gets when it is started. Secret. */
export interface ThreadSetting {
  readonly config: Config
  readonly connection: Connection | string
  readonly secrets: ServerSecrets
}

/** What the migration thread needs besides. */
export interface MigrationSetting extends ThreadSetting {
  /** The holder of its jobs' leases: the server that started the thread gives them back where it died. */
  readonly holder: string
}

export function settingFor({ config, pool, secrets }: Pick<Services, 'config' | 'pool' | 'secrets'>): ThreadSetting {
  return { config, connection: connectionOf(pool), secrets }
}

function connectionOf({ options }: Pool): Connection | string {
  const { connectionString, host, port, database, user, password }: PoolConfig = options
  if (connectionString !== undefined) return connectionString
  if (
    host === undefined ||
    port === undefined ||
    database === undefined ||
    user === undefined ||
    typeof password !== 'string'
  )
    throw new TypeError('a pool without a connection')
  return { host, port, database, user, password }
}

/** The services of a thread: the same database, over its own connections. */
export function servicesOf({ config, connection, secrets }: ThreadSetting, connections: number): Services {
  const log = createLog({ level: config.logLevel, write: (line) => process.stderr.write(line) })
  const pool = createPool(connection, { ...APP_LIMITS, connections }, (error) =>
    log.warn({ error }, 'a connection broke'),
  )
  return { config, pool, log, secrets, files: openFileStore(config), now: () => new Date().toISOString() }
}
