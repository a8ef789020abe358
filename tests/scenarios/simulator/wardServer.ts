import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { newId } from '#core/ids.ts'
import { buildApp } from '#server/app.ts'
import { applyAllHeld } from '#server/areas/entry/held.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { readConfig } from '#server/config.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { withClient } from '#server/database/health.ts'
import { APP_LIMITS, OWNER_LIMITS, createPool } from '#server/database/pool.ts'
import { APP_ROLE, OWNER_ROLE } from '#server/database/roles.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { leaveOutForgotten } from '#server/areas/patient/numbers.ts'
import { beginNewTime } from '#server/backup/newTime.ts'
import { createLog } from '#server/log.ts'
import { runReviewPlans } from '#server/jobs/reviewPlan.ts'
import { keepHouse } from '#server/jobs/housekeeping.ts'
import type { Services } from '#server/services.ts'
import { databaseUrl } from '#tests/server/support/urls.ts'
import { BEGINNING } from './clock.ts'
import type { Sent } from './network.ts'
import { Statements } from './statements.ts'
import type { Account, SimServer } from './wards.ts'
import { testFiles } from '#tests/server/support/files.ts'

/**
 * The real server on a real database, in this process: it can end in the middle of its work, and be put back to a copy.
 */

interface Running {
  readonly pool: Pool
  readonly app: FastifyInstance
  readonly statements: Statements
  readonly services: Services
}

const NOBODY_CALLS = (): void => undefined

export class WardServer implements SimServer {
  readonly #database: string
  /** Role of the migrations, for setting the scene and for looking behind it. */
  #owner: Pool
  #running: Running | null = null
  #starting: Promise<Running> | null = null
  #epoch = 'first'
  #backup: string | null = null
  readonly #root = randomBytes(32)
  readonly #files = testFiles().files
  /** The server's clock, in ms since the epoch. */
  now = BEGINNING
  /** What the server's log says went wrong. */
  readonly complaints: string[] = []

  private constructor(database: string) {
    this.#database = database
    this.#owner = this.#ownerPool()
  }

  static async open(): Promise<WardServer> {
    const { adminUrl, template } = inject('testPostgres')
    const name = `zhenglu_ward_${randomBytes(6).toString('hex')}`
    await withClient(adminUrl, async (client) => {
      await client.query(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE} TEMPLATE ${template} ENCODING 'UTF8'`)
      // The machine itself is not switched off in these histories, and waiting for its disk is most of a commit.
      await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
    })
    return new WardServer(name)
  }

  async close(): Promise<void> {
    await this.#stop()
    await this.#owner.end()
    await withClient(inject('testPostgres').adminUrl, async (client) => {
      for (const name of [this.#database, this.#backup])
        if (name !== null) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    })
  }

  get owner(): Pool {
    return this.#owner
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.#owner.query<Row>(text, [...values])).rows
  }

  async chain(projectId: string): Promise<{ readonly holds: boolean; readonly firstBroken: number | null }> {
    return verifyChain((await this.#up()).services.pool, projectId)
  }

  begin(): void {
    this.now = BEGINNING
  }

  async pass(ms: number): Promise<void> {
    this.now += ms
  }

  /**
   * The rounds that a server makes by itself: what was held and could not be applied is taken up, and plans are worked
   * out. Whoever held a job and ended is long known to be gone: leases run by the database's clock, which stands still
   * beside the ward's.
   */
  async keepHouse(): Promise<void> {
    const { services, statements } = await this.#up()
    await this.#owner.query(`UPDATE job SET leased_until = NULL, due_at = least(due_at, now()) WHERE state = 'open'`)
    await Promise.race([keepHouse(services), statements.died])
    await Promise.race([runReviewPlans(services), statements.died])
  }

  /** Where the server can be made to end, or to wait. */
  async statements(): Promise<Statements> {
    return (await this.#up()).statements
  }

  /** A request arrives. Rejects where the server ends before it has answered. */
  readonly door = async (sent: Sent): Promise<Response> => {
    const { app, statements } = await this.#up()
    const answer = app.inject({
      method: sent.method as 'GET',
      url: sent.path,
      headers: { ...sent.headers },
      ...(sent.body === null ? {} : { payload: Buffer.from(sent.body) }),
      payloadAsStream: true,
    })
    answer.catch(() => undefined)
    const { statusCode, headers, stream } = await Promise.race([answer, statements.died])
    const source = stream()
    // Whoever has stopped reading does not hear of it any more.
    source.on('error', () => undefined)
    statements.died.catch(() => source.destroy(new Error('the server is gone')))
    const type = String(headers['content-type'] ?? '')
    const body = statusCode === 204 ? null : (Readable.toWeb(source) as ReadableStream<Uint8Array>)
    return new Response(body, { status: statusCode, headers: { 'content-type': type } })
  }

  /** A session as a sign-in makes it. Gives its token. */
  async token({ userId }: Account, deviceId: string | null): Promise<string> {
    const [access, refresh] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
    const until = new Date(this.now + 365 * 86_400_000).toISOString()
    await this.#owner.query(
      `INSERT INTO session (id, family, user_id, client_id, device_id, access_hash, access_expires_at, refresh_hash, refresh_expires_at)
       VALUES ($1, $1, $2, 'zhenglu', $3, $4, $6, $5, $6)`,
      [newId(), userId, deviceId, sha256(access), sha256(refresh), until],
    )
    return access
  }

  /** A copy of the database as it is now. */
  async backUp(): Promise<void> {
    await this.#stop()
    await this.#owner.end()
    const name = `${this.#database}_copy`
    await withClient(inject('testPostgres').adminUrl, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await client.query(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE} TEMPLATE ${this.#database}`)
    })
    this.#backup = name
    this.#owner = this.#ownerPool()
  }

  /** The copy takes the place of the database, and gets what a restored one gets: no sessions, and another epoch. */
  async restore(): Promise<boolean> {
    const copy = this.#backup
    if (copy === null) return false
    await this.#stop()
    await this.#owner.end()
    await withClient(inject('testPostgres').adminUrl, async (client) => {
      await client.query(`DROP DATABASE ${this.#database} WITH (FORCE)`)
      await client.query(`CREATE DATABASE ${this.#database} OWNER ${OWNER_ROLE} TEMPLATE ${copy}`)
      await client.query(`ALTER DATABASE ${this.#database} SET synchronous_commit = off`)
    })
    this.#owner = this.#ownerPool()
    const begun = await withTransaction(this.#owner, (transaction) => beginNewTime(transaction, 'backup.restore', null))
    await withTransaction(this.#owner, leaveOutForgotten)
    this.#epoch = begun.epoch
    return true
  }

  #ownerPool(): Pool {
    return createPool(
      databaseUrl(inject('testPostgres').adminUrl, this.#database, OWNER_ROLE),
      OWNER_LIMITS,
      NOBODY_CALLS,
    )
  }

  async #up(): Promise<Running> {
    const running = this.#running
    if (running !== null && !running.statements.dead) return running
    this.#running = null
    // Its connections are cut already; whoever still holds one gives it back as broken.
    void running?.pool.end()
    this.#starting ??= this.#start().finally(() => {
      this.#starting = null
    })
    return this.#starting
  }

  /** As a server starts: what a pause had held back, and a dead server left, is taken up. */
  async #start(): Promise<Running> {
    const pool = createPool(
      databaseUrl(inject('testPostgres').adminUrl, this.#database, APP_ROLE),
      APP_LIMITS,
      NOBODY_CALLS,
    )
    const statements = new Statements(pool)
    const services: Services = {
      config: readConfig({}),
      pool,
      log: createLog({ level: 'error', write: (line) => this.complaints.push(line) }),
      files: this.#files,
      secrets: { root: this.#root, rescuePublicKey: 'public', rescuePrivateKey: 'private', epoch: this.#epoch },
      now: () => new Date(this.now).toISOString(),
    }
    await applyAllHeld(services)
    const limits = { all: 10_000_000, signIn: 10_000_000 }
    const app = await buildApp(services, { checkAnswers: true, limits })
    const running = { pool, app, statements, services }
    this.#running = running
    return running
  }

  async #stop(): Promise<void> {
    const running = this.#running
    this.#running = null
    if (running === null) return
    if (!running.statements.dead) await running.app.close()
    await running.pool.end()
  }
}
