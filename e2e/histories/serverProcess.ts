import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { newId } from '#core/ids.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { crash } from '#tests/server/support/processes.ts'
import { openServerDatabase } from '#tests/server/support/serverDatabase.ts'
import { startServer } from '#tests/server/support/serverProcess.ts'
import type { RunningServer } from '#tests/server/support/serverProcess.ts'
import type { Sent } from '#tests/scenarios/simulator/network.ts'
import type { ServerEnd } from '#tests/scenarios/simulator/steps.ts'
import type { Account, Interruptions, SimServer } from '#tests/scenarios/simulator/wards.ts'

const ADMIN_PASSWORD = 'Test-Admin-2026'
const SESSION_MS = 365 * 86_400_000
/** Statements that one call takes, about: ends are counted in statements. */
const STATEMENTS_A_CALL = 12
/** How long one statement takes, about. */
const STATEMENT_MS = 2

/** The real server, as a process with a database of its own: it can be killed, and comes back on the same port. */
export class ServerProcess implements SimServer, Interruptions {
  readonly port: number
  #running: RunningServer
  readonly owner: Pool
  /** Calls that it takes yet, and for how long it is at work on the next. Null while it is to live. */
  #ends: { calls: number; readonly afterMs: number } | null = null
  #restarting: Promise<void> = Promise.resolve()
  /** How often it was killed. */
  deaths = 0

  private constructor(running: RunningServer, owner: Pool) {
    this.#running = running
    this.port = running.port
    this.owner = owner
  }

  static async start(): Promise<ServerProcess> {
    const running = await startServer({ adminPassword: ADMIN_PASSWORD, env: { LOG_LEVEL: 'error' } })
    return new ServerProcess(running, await openServerDatabase(running.dataDir))
  }

  async dispose(): Promise<void> {
    await this.#restarting
    await this.owner.end()
    await this.#running.dispose()
  }

  get now(): number {
    return Date.now()
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    await this.#restarting
    return (await this.owner.query<Row>(text, [...values])).rows
  }

  readonly door = async ({ method, path, headers, body }: Sent): Promise<Response> => {
    await this.#restarting
    return fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: { ...headers },
      body: body === null ? null : Buffer.from(body),
    })
  }

  async token({ userId }: Account, deviceId: string | null): Promise<string> {
    const [access, refresh] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
    await this.#restarting
    await this.owner.query(
      `INSERT INTO session (id, family, user_id, client_id, device_id, access_hash, access_expires_at, refresh_hash, refresh_expires_at)
       VALUES ($1, $1, $2, 'zhenglu', $3, $4, $6, $5, $6)`,
      [newId(), userId, deviceId, sha256(access), sha256(refresh), new Date(Date.now() + SESSION_MS).toISOString()],
    )
    return access
  }

  async chain(projectId: string): Promise<{ readonly holds: boolean; readonly firstBroken: number | null }> {
    await this.#restarting
    return verifyChain(this.owner, projectId)
  }

  begin(): void {
    this.calm()
  }

  /** Time is real here. A server that was killed is back before the history goes on. */
  async pass(): Promise<void> {
    await this.#restarting
  }

  /** It makes its rounds by itself. Nothing here waits for one: what a death left it takes up when it starts. */
  async keepHouse(): Promise<void> {
    await this.#restarting
  }

  async statements(): Promise<Interruptions> {
    await this.#restarting
    return this
  }

  /** Another process's statements cannot be counted: it is killed about where they would be. */
  endAfter(statements: number, how: ServerEnd): void {
    // Otherwise in a commit, or while the answer to one is made.
    const within = how === 'at_once' ? statements % STATEMENTS_A_CALL : STATEMENTS_A_CALL
    this.#ends = { calls: Math.floor(statements / STATEMENTS_A_CALL), afterMs: within * STATEMENT_MS }
  }

  // Nor can they be kept from their locks, or held back.
  busyAfter(): void {}

  holdCommit(): null {
    return null
  }

  holdPull(): null {
    return null
  }

  calm(): void {
    this.#ends = null
  }

  /** A tablet's call goes to the server. */
  called(): void {
    const ends = this.#ends
    if (ends === null) return
    ends.calls -= 1
    if (ends.calls >= 0) return
    this.#ends = null
    this.#restarting = this.#dieAndComeBack(ends.afterMs)
    // Whoever needs the server next hears of it.
    this.#restarting.catch(() => undefined)
  }

  backUp(): Promise<void> {
    return Promise.resolve()
  }

  restore(): Promise<boolean> {
    return Promise.resolve(false)
  }

  /** What it printed since it was last started. */
  output(): string {
    return this.#running.output()
  }

  async #dieAndComeBack(afterMs: number): Promise<void> {
    await sleep(afterMs)
    this.deaths += 1
    const { child, dataDir } = this.#running
    await crash(child)
    this.#running = await startServer({
      adminPassword: ADMIN_PASSWORD,
      dataDir,
      port: this.port,
      env: { LOG_LEVEL: 'error' },
    })
  }
}
