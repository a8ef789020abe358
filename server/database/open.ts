import type { Pool } from 'pg'
import { DatabaseError, toDatabaseError } from '#server/database/errors.ts'
import { assertDurable, withClient } from '#server/database/health.ts'
import { startPostgres } from '#server/database/launcher.ts'
import type { LaunchOptions } from '#server/database/launcher.ts'
import { APP_LIMITS, CONSOLE_LIMITS, createPool, OWNER_LIMITS, PULSE_LIMITS } from '#server/database/pool.ts'
import type { Connection } from '#server/database/pool.ts'
import { APP_ROLE, closeDatabase, CONSOLE_ROLE, ensureRole, knownRoles, OWNER_ROLE } from '#server/database/roles.ts'
import { derivePassword } from '#server/database/secrets.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'

/** The database as the server uses it: a pool for each role. */
export interface Database {
  /** Owns the schema; used for migrations only. */
  readonly owner: Pool
  readonly app: Pool
  /** One connection as the app, used only to see whether writes come back. */
  readonly pulse: Pool
  /** Read-only; null where the operator did not give it a login. */
  readonly console: Pool | null
  /** Ends the pools, and our own PostgreSQL with them. */
  close(): Promise<void>
}

export interface OpenOptions extends Pick<LaunchOptions, 'dataDir' | 'onLog' | 'onLost' | 'onRoom'> {
  /** The operator's PostgreSQL as its owner; null starts our own. */
  readonly databaseUrl: string | null
  readonly appDatabaseUrl: string | null
}

/**
 * - `too_old`: PostgreSQL before 15.
 * - `not_utf8`: the database cannot hold every character.
 * - `roles_missing`: the owner may not create the roles, and nobody has.
 * - `wrong_password`: the app role is there, but its password is not the one that we have.
 * - `unreachable`: it does not answer, is starting or stopping, or takes no writes now: that may pass.
 * - `refused`: it answers and does not let the server in; the message has its code.
 * - `pooler_too_old`: a connection pooler stands before it that forgets prepared statements between transactions.
 * - `app_not_separate`: the login of the app could change audit rows: it is a superuser, or the owner, or not
 *   `zhenglu_app`.
 */
export type OpenErrorReason =
  | 'unreachable'
  | 'refused'
  | 'pooler_too_old'
  | 'too_old'
  | 'not_utf8'
  | 'roles_missing'
  | 'wrong_password'
  | 'app_not_separate'

/** The operator's database cannot be used as it is. The message says what to do. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
  readonly reason: OpenErrorReason

  constructor(reason: OpenErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The database that our own PostgreSQL keeps everything in. */
export const DATABASE = 'zhenglu'

/** Any constant will do, as long as every version of the server uses the same one. */
const SETUP_LOCK = 9_436_459

/**
 * Opens the database and makes its roles; `migrate` makes the schema.
 *
 * @throws LauncherError for our own PostgreSQL or for one that is not durable, OpenError for the operator's
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { databaseUrl, appDatabaseUrl } = options
  if (databaseUrl === null) return openOwn(options)
  try {
    return await openOperators(databaseUrl, appDatabaseUrl, (error) => options.onLog(idleMessage(error)))
  } catch (error) {
    throw error instanceof DatabaseError ? notOpened(databaseUrl, error) : error
  }
}

/** Describes the database with its place and without the password. */
function notOpened(databaseUrl: string, cause: DatabaseError): OpenError {
  const { host, pathname } = new URL(databaseUrl)
  const place = `DATABASE_URL: the database ${pathname.slice(1)} at ${host}`
  const passes =
    cause.kind === 'unavailable' ||
    cause.kind === 'full' ||
    cause.kind === 'lock_timeout' ||
    cause.kind === 'statement_timeout'
  return passes
    ? new OpenError('unreachable', `${place} does not answer, or takes no writes now`)
    : new OpenError('refused', `${place} does not let the server in (${cause.sqlState ?? cause.kind})`)
}

async function openOwn(options: OpenOptions): Promise<Database> {
  const postgres = await startPostgres(options)
  try {
    const { superuser, secrets } = postgres
    await withClient(superuser, async (client) => {
      await ensureRole(client, OWNER_ROLE, secrets.owner)
      await ensureRole(client, APP_ROLE, secrets.app)
      await ensureRole(client, CONSOLE_ROLE, secrets.console)
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
      if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER_ROLE}`)
    })
    const as = (user: string, password: string): Connection => ({ ...superuser, database: DATABASE, user, password })
    await withClient(as(OWNER_ROLE, secrets.owner), (client) => closeDatabase(client, DATABASE))
    return withPools(
      {
        owner: as(OWNER_ROLE, secrets.owner),
        app: as(APP_ROLE, secrets.app),
        console: as(CONSOLE_ROLE, secrets.console),
      },
      (error) => options.onLog(idleMessage(error)),
      () => postgres.stop(),
    )
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

async function openOperators(
  ownerUrl: string,
  appUrl: string | null,
  onIdleError: (error: Error) => void,
): Promise<Database> {
  const setup = createPool(ownerUrl, OWNER_LIMITS, onIdleError)
  try {
    await assertUsable(setup)
    await setUpRoles(setup, ownerUrl)
  } finally {
    await setup.end()
  }
  const app = appUrl ?? roleUrl(ownerUrl, APP_ROLE)
  const console = roleUrl(ownerUrl, CONSOLE_ROLE)
  const hasConsole = await canSignIn(console)
  const database = withPools(
    { owner: ownerUrl, app, console: hasConsole ? console : null },
    onIdleError,
    async () => undefined,
  )
  try {
    await assertSeparate(database)
    // Checked as the app, because the operator may have other settings for its role.
    await assertDurable(app)
    await assertKeepsStatements(database.app)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function assertUsable(owner: Pool): Promise<void> {
  const { rows } = await withConnection(owner, (connection) =>
    connection.query<{ version: number; encoding: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
    ),
  )
  const [facts] = rows
  if (facts === undefined || facts.version < 150_000)
    throw new OpenError('too_old', 'DATABASE_URL: PostgreSQL 15 or later is needed')
  if (facts.encoding !== 'UTF8')
    throw new OpenError('not_utf8', 'DATABASE_URL: the database must be made with ENCODING UTF8')
}

/** Several processes may start at once. They take turns, and a later one finds everything done. */
async function setUpRoles(owner: Pool, ownerUrl: string): Promise<void> {
  await withTransaction(owner, async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK])
    const { rows } = await transaction.query<{ may: boolean; database: string }>(
      'SELECT rolcreaterole OR rolsuper AS may, current_database() AS database FROM pg_roles WHERE rolname = current_user',
    )
    const [self] = rows
    const roles = [APP_ROLE, CONSOLE_ROLE]
    const known = await knownRoles(transaction, roles)
    const missing = roles.filter((role) => !known.includes(role))
    if (missing.length > 0 && (self?.may !== true || ownerPassword(ownerUrl) === '')) {
      throw new OpenError(
        'roles_missing',
        `the role of DATABASE_URL may not create ${missing.join(' and ')}: create them, LOGIN and without other rights, and set APP_DATABASE_URL`,
      )
    }
    for (const role of missing) await ensureRole(transaction, role, derivePassword(ownerPassword(ownerUrl), role))
    await closeDatabase(transaction, self?.database ?? '')
  })
}

function withPools(
  connections: {
    readonly owner: Connection | string
    readonly app: Connection | string
    readonly console: Connection | string | null
  },
  onIdleError: (error: Error) => void,
  afterwards: () => Promise<void>,
): Database {
  const owner = createPool(connections.owner, OWNER_LIMITS, onIdleError)
  const app = createPool(connections.app, APP_LIMITS, onIdleError)
  const pulse = createPool(connections.app, PULSE_LIMITS, onIdleError)
  const console = connections.console === null ? null : createPool(connections.console, CONSOLE_LIMITS, onIdleError)
  return {
    owner,
    app,
    pulse,
    console,
    close: async () => {
      await Promise.all([owner.end(), app.end(), pulse.end(), console?.end()])
      await afterwards()
    },
  }
}

/**
 * Promise 3 rests on this: the role that serves requests must be unable to rewrite history, whatever a fault makes it
 * send.
 */
async function assertSeparate(database: Database): Promise<void> {
  const { rows: owners } = await withConnection(database.owner, (connection) =>
    connection.query<{ name: string }>('SELECT current_user AS name'),
  )
  try {
    const { rows } = await withConnection(database.app, (connection) =>
      connection.query<{ separate: boolean }>(
        `SELECT current_user = $1 AND NOT rolsuper AND NOT pg_has_role(current_user, $2, 'MEMBER') AS separate
         FROM pg_roles WHERE rolname = current_user`,
        [APP_ROLE, owners[0]?.name],
      ),
    )
    if (rows[0]?.separate !== true) {
      throw new OpenError(
        'app_not_separate',
        `APP_DATABASE_URL must sign in as ${APP_ROLE}, without rights of the owner or a superuser`,
      )
    }
  } catch (error) {
    if (!isRefusedLogin(error)) throw error
    throw new OpenError(
      'wrong_password',
      `${APP_ROLE} exists with a password of its own: give its login in APP_DATABASE_URL`,
    )
  }
}

/**
 * Checks a connection pooler that lends a connection for one transaction only. It has to carry prepared statements
 * from one connection to the next. For the test, another session in a transaction holds the connection on which ours
 * was prepared.
 */
async function assertKeepsStatements(app: Pool): Promise<void> {
  const probe = { name: 'pooler_probe', text: 'SELECT 1' }
  await withConnection(app, async (one) => {
    await one.query(probe)
    await withTransaction(app, async (other) => {
      await other.query('SELECT 1')
      try {
        await one.query(probe)
      } catch (error) {
        const state = toDatabaseError(error)?.sqlState
        if (state !== '26000' && state !== '42P05') throw error
        throw new OpenError(
          'pooler_too_old',
          'DATABASE_URL goes through a pooler that forgets prepared statements between transactions: ' +
            'take pgbouncer 1.21 or later with max_prepared_statements above 0, set pool_mode = session, or connect to PostgreSQL itself',
        )
      }
    })
  })
}

async function canSignIn(url: string): Promise<boolean> {
  const pool = createPool(url, { ...CONSOLE_LIMITS, connections: 1 }, () => undefined)
  try {
    await withConnection(pool, (connection) => connection.query('SELECT 1'))
    return true
  } catch (error) {
    if (isRefusedLogin(error)) return false
    throw error
  } finally {
    await pool.end()
  }
}

/** Class 28: no such login, a wrong password, or no access from this address. */
function isRefusedLogin(error: unknown): boolean {
  return error instanceof DatabaseError && error.sqlState?.startsWith('28') === true
}

function roleUrl(ownerUrl: string, role: string): string {
  const url = new URL(ownerUrl)
  url.username = role
  url.password = derivePassword(ownerPassword(ownerUrl), role)
  return url.href
}

function ownerPassword(ownerUrl: string): string {
  return decodeURIComponent(new URL(ownerUrl).password)
}

function idleMessage(error: Error): string {
  return `an idle database connection broke (${error.name})`
}
