import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { newId } from '#core/ids.ts'
import { DatabaseError } from '#server/database/errors.ts'
import { MIGRATIONS_FOLDER } from '#server/database/migrate.ts'
import { PULSE_NAME } from '#server/database/pool.ts'
import { withConnection, withTransaction } from '#server/database/transaction.ts'

/**
 * - `ok`: a write came back, and the schema is this version's.
 * - `late`: a write takes longer than a person waits: the database is frozen, or its standby is away.
 * - `full`: the database has no room for it.
 * - `away`: no connection, or it takes no writes.
 * - `old`: the schema is not this version's.
 */
export type PulseState = 'ok' | 'late' | 'full' | 'away' | 'old'

/** How long a write may take, and how long its result counts. */
const LATE_MS = 8_000
const FRESH_MS = 1_000
/** After this time other servers' rows are deleted. */
const FORGOTTEN = '1 day'
/**
 * After this time our own writes are ended for which nobody waits any more. They would use up all connections in the
 * end.
 */
const LEFT = '50 seconds'

/** Tests by a write whether writes come back. There is never more than one under way. */
export class Pulse {
  readonly #pool: Pool
  readonly #lateMs: number
  readonly #id = newId()
  #running: Promise<PulseState> | null = null
  #began = 0
  #ended = -Infinity
  #last: PulseState = 'ok'
  #took = 0

  constructor(pool: Pool, lateMs = LATE_MS) {
    this.#pool = pool
    this.#lateMs = lateMs
  }

  /** The last known state, without a new write. */
  get state(): PulseState {
    return this.#running !== null && performance.now() - this.#began > this.#lateMs ? 'late' : this.#last
  }

  /** How long the last write took, in milliseconds. */
  get tookMs(): number {
    return this.#running === null ? this.#took : Math.max(this.#took, performance.now() - this.#began)
  }

  /** Writes, unless a write has just come back or is under way. Answers within the time that a write may take. */
  async look(): Promise<PulseState> {
    if (this.#running === null && performance.now() - this.#ended < FRESH_MS) return this.#last
    this.#running ??= this.#beat()
    const patience = new AbortController()
    const late = sleep(Math.max(0, this.#began + this.#lateMs - performance.now()), 'late' as const, {
      signal: patience.signal,
      ref: false,
    }).catch(() => 'late' as const)
    const state = await Promise.race([this.#running, late])
    patience.abort()
    return state
  }

  async #beat(): Promise<PulseState> {
    this.#began = performance.now()
    const state = await this.#write()
    this.#last = state
    this.#ended = performance.now()
    this.#took = this.#ended - this.#began
    this.#running = null
    return state
  }

  async #write(): Promise<PulseState> {
    try {
      const expected = (await readdir(MIGRATIONS_FOLDER)).filter((file) => file.endsWith('.sql')).length
      const found = await withConnection(
        this.#pool,
        async (connection) =>
          (await connection.query<{ n: number }>('SELECT count(*) AS n FROM schema_migration')).rows[0]?.n ?? 0,
      )
      if (found < expected) return 'old'
      await withConnection(this.#pool, (connection) =>
        connection.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE usename = current_user AND datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()
             AND state = 'active' AND query_start < now() - $2::interval`,
          [PULSE_NAME, LEFT],
        ),
      )
      await withTransaction(this.#pool, async (transaction) => {
        await transaction.query(
          'INSERT INTO server_pulse (server_id) VALUES ($1) ON CONFLICT (server_id) DO UPDATE SET at = now()',
          [this.#id],
        )
        await transaction.query('DELETE FROM server_pulse WHERE at < now() - $1::interval', [FORGOTTEN])
      })
      return 'ok'
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      // An older schema has no table for the pulse.
      if (error.sqlState === '42P01') return 'old'
      return error.kind === 'full' ? 'full' : 'away'
    }
  }
}
