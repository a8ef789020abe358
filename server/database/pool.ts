import pg from 'pg'

/** How to reach one database as one role. `host` is a host name, an address, or the folder of a unix socket. Secret. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
}

export interface PoolLimits {
  readonly connections: number
  /** Longest that a statement may run, and longest that it may wait for a lock; 0 is no limit. */
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  /**
   * Longest that we wait for an answer before the connection is cut; without it there is no limit. It is longer than
   * a statement may run. It is for a database that is frozen or cut off, whose own limits end nothing.
   */
  readonly answerMs?: number
  /** The sessions refuse writes by default. The role's rights are what really forbids them. */
  readonly readOnly?: boolean
  /** The name of the sessions in the database's own lists. */
  readonly name?: string
}

export const PULSE_NAME = 'zhenglu pulse'

export const OWNER_LIMITS: PoolLimits = { connections: 2, statementTimeoutMs: 0, lockTimeoutMs: 10_000 }
export const APP_LIMITS: PoolLimits = {
  connections: 16,
  statementTimeoutMs: 15_000,
  lockTimeoutMs: 3_000,
  answerMs: 18_000,
}
export const CONSOLE_LIMITS: PoolLimits = {
  connections: 4,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 1_000,
  answerMs: 13_000,
  readOnly: true,
}
/** The one connection that shows whether writes come back (server/health/pulse.ts). It waits longer than any other. */
export const PULSE_LIMITS: PoolLimits = {
  connections: 1,
  statementTimeoutMs: 15_000,
  lockTimeoutMs: 3_000,
  answerMs: 60_000,
  name: PULSE_NAME,
}

/** How long a connection may be silent before TCP checks whether the other end is still there. */
const KEEP_ALIVE_MS = 10_000

/**
 * A pool whose answers hold plain values: int8 and count(*) are numbers, timestamptz is an ISO instant in UTC with
 * milliseconds, date and timestamp are text as stored, json is parsed, numeric stays text.
 *
 * @param onIdleError called when a connection breaks while nobody uses it; the pool replaces it by itself
 */
export function createPool(
  connection: Connection | string,
  limits: PoolLimits,
  onIdleError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: limits.connections,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    options: `-c timezone=UTC${limits.readOnly === true ? ' -c default_transaction_read_only=on' : ''}`,
    application_name: limits.name ?? 'zhenglu',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: plainTypeParser as typeof pg.types.getTypeParser },
  })
  pool.on('error', onIdleError)
  const { answerMs } = limits
  if (answerMs !== undefined) pool.on('connect', (client) => cutWhenSilent(client, answerMs))
  return pool
}

/**
 * Cuts a connection whose statement has no answer in time. The statement then fails as with any broken connection.
 * The driver's own limit would leave the connection in the pool, with the answer still to come.
 */
function cutWhenSilent(client: pg.PoolClient, answerMs: number): void {
  const ask = client.query.bind(client) as (...args: readonly unknown[]) => unknown
  const askTimed = (...args: readonly unknown[]): unknown => {
    const answer = ask(...args)
    if (answer instanceof Promise) {
      const timer = setTimeout(() => client.connection.stream.destroy(), answerMs)
      const stopTimer = (): void => clearTimeout(timer)
      answer.then(stopTimer, stopTimer)
    }
    return answer
  }
  Object.assign(client, { query: askTimed })
}

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082
const DATE_ARRAY = 1182
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184
const TIMESTAMPTZ_ARRAY = 1185

type TextParser = (text: string) => unknown

const TEXT_ARRAY = 1009

/** The stock parser of any type. Its declared type knows only part of the numbers that it takes. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => TextParser

const PLAIN_PARSERS: ReadonlyMap<number, TextParser> = new Map<number, TextParser>([
  [INT8, toSafeInteger],
  [INT8_ARRAY, arrayOf(toSafeInteger)],
  [DATE, (text) => text],
  [DATE_ARRAY, arrayOf((text) => text)],
  [TIMESTAMP, (text) => text],
  [TIMESTAMPTZ, toInstant],
  [TIMESTAMPTZ_ARRAY, arrayOf(toInstant)],
])

function plainTypeParser(oid: number, format?: 'text' | 'binary'): TextParser {
  // We never ask for binary results, and the stock parsers could not read them.
  return (format === 'binary' ? undefined : PLAIN_PARSERS.get(oid)) ?? parserOf(oid, format)
}

function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 beyond 2^53 cannot be a number')
  return value
}

/**
 * `2026-11-21 03:04:05.678901+00` → `2026-11-21T03:04:05.678Z`. Microseconds are cut: store instants as timestamptz(3).
 */
function toInstant(text: string): string {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const time = Date.parse(iso)
  if (Number.isNaN(time)) throw new RangeError('an instant outside of the years 1 to 9999')
  return new Date(time).toISOString()
}

function arrayOf(parse: TextParser): TextParser {
  const split = parserOf(TEXT_ARRAY) as (text: string) => (string | null)[]
  return (text) => split(text).map((element) => (element === null ? null : parse(element)))
}
