import type { Pool } from 'pg'
import type { ApiError } from '#core/api/errors.ts'
import type { CallId } from '#core/api/table.ts'
import type { Config } from '#server/config.ts'
import { Pulse } from '#server/health/pulse.ts'
import type { PulseState } from '#server/health/pulse.ts'
import { serverFull, tooBusy } from '#server/http/errors.ts'
import { startRounds } from '#server/jobs/rounds.ts'
import type { Log } from '#server/log.ts'
import { freeBytes } from '#server/storage/room.ts'

/** Whether this server can take new work: room on its disk, and a database whose writes come back. */

const EVERY_MS = 10_000
/** How often an alert is written again while it lasts. */
const AGAIN_MS = 300_000
/**
 * Factor over the minimum from which on there is room again, so that a figure that wavers does not switch saves on
 * and off.
 */
const CALM = 1.1
/** For this time after the database refused a write for want of room, no other write is tried. */
const FULL_MS = 10_000

/** Why a server is not ready. */
export type Unready = Exclude<PulseState, 'ok'>

export interface HealthOptions {
  /**
   * The pool of the pulse. It is separate, so that the pulse shows the state of the database and not the queue for
   * connections.
   */
  readonly pool: Pool
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'minFreeBytes'>
  readonly log: Log
  readonly pulse?: Pulse
  /** Free bytes on the disk of a folder; null where they are not known. */
  readonly freeBytes?: (folder: string) => Promise<number | null>
}

/**
 * Calls that write without an idempotency key. Signing in and opening a tablet's store also write a little, but they
 * stay allowed, because they are needed for reading.
 */
const WRITING: ReadonlySet<string> = new Set<CallId>(['sync.lease', 'sync.rescue'])
const FILES: ReadonlySet<string> = new Set<CallId>(['attachment.start', 'attachment.piece', 'attachment.finish'])

export class Health {
  readonly #options: HealthOptions
  readonly #pulse: Pulse
  readonly #free: (folder: string) => Promise<number | null>
  #freeBytes: number | null = null
  #short = false
  #fullUntil = -Infinity
  #told: { readonly what: string; readonly at: number } | null = null

  constructor(options: HealthOptions) {
    this.#options = options
    this.#pulse = options.pulse ?? new Pulse(options.pool)
    this.#free = options.freeBytes ?? freeBytes
  }

  /** Checks again and again, until it is stopped. */
  start(everyMs = EVERY_MS): { stop(): Promise<void> } {
    return startRounds(
      this.#options,
      { everyMs, first: 'at once', failed: 'the state of the server was not looked at' },
      () => this.look(),
    )
  }

  /** One check of disk and database. It writes a line to the log where something is wrong or has become right. */
  async look(): Promise<void> {
    await Promise.all([this.#measure(), this.#pulse.look()])
    this.#tell()
  }

  /** Why the server is not ready; null where it is. The answer comes in bounded time. */
  async unready(): Promise<Unready | null> {
    const [, state] = await Promise.all([this.#measure(), this.#pulse.look()])
    this.#tell()
    if (this.#isShort || performance.now() < this.#fullUntil) return 'full'
    return state === 'ok' ? null : state
  }

  /** Notes that the database had no room for a write. */
  noteFull(): void {
    this.#fullUntil = performance.now() + FULL_MS
    this.#tell()
  }

  /**
   * Why a call is refused before anything is tried; null where it may be tried. Reading is always allowed.
   *
   * @param carries for a call that may bring work: whether it brings some
   */
  refusal(call: { readonly id: string; readonly write: boolean }, carries: boolean): ApiError | null {
    const isFile = FILES.has(call.id)
    const writes = call.write || isFile || WRITING.has(call.id) || (call.id === 'sync.push' && carries)
    if (!writes) return null
    if (this.isFull || (isFile && this.#short)) return serverFull()
    return this.#pulse.state === 'late' ? tooBusy() : null
  }

  /** Whether every write that can wait is refused. */
  get isFull(): boolean {
    return this.#isShort || this.#pulse.state === 'full' || performance.now() < this.#fullUntil
  }

  metrics(): readonly string[] {
    return [
      ...(this.#freeBytes === null ? [] : ['# TYPE storage_free_bytes gauge', `storage_free_bytes ${this.#freeBytes}`]),
      '# TYPE storage_full gauge',
      `storage_full ${this.isFull ? 1 : 0}`,
      '# TYPE database_writes_return gauge',
      `database_writes_return ${this.#pulse.state === 'ok' ? 1 : 0}`,
      '# TYPE database_write_seconds gauge',
      `database_write_seconds ${(this.#pulse.tookMs / 1000).toFixed(3)}`,
    ]
  }

  /**
   * Our own database lies on that disk. An operator's database lies elsewhere; then only contents of attachments lie
   * here.
   */
  get #isShort(): boolean {
    return this.#short && this.#options.config.databaseUrl === null
  }

  async #measure(): Promise<void> {
    const { dataDir, minFreeBytes } = this.#options.config
    this.#freeBytes = await this.#free(dataDir)
    if (this.#freeBytes !== null) this.#short = this.#freeBytes < minFreeBytes * (this.#short ? CALM : 1)
  }

  #tell(): void {
    const { log, config } = this.#options
    const state = this.#pulse.state
    const what = this.isFull ? 'full' : this.#short ? 'short' : state
    const now = performance.now()
    if (what === 'ok') {
      if (this.#told !== null) log.info('the server takes everything again')
      this.#told = null
      return
    }
    if (this.#told?.what === what && now - this.#told.at < AGAIN_MS) return
    this.#told = { what, at: now }
    const facts = { alert: `server_${what}`, freeBytes: this.#freeBytes, minFreeBytes: config.minFreeBytes }
    log.error(facts, ALERTS[what])
  }
}

const ALERTS: Readonly<Record<Unready | 'short', string>> = {
  full: 'the server storage is full: saves are refused until there is room, reading goes on',
  short: 'the disk of DATA_DIR is nearly full: attachments are refused until there is room',
  late: 'the database does not answer a write in time: saves are refused until it does',
  away: 'the database cannot be written to',
  old: 'the database has not the schema of this version',
}
