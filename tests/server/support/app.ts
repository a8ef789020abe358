import { randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { ACCESS_COOKIE, DEVICE_COOKIE, headers, OWN_CLIENT } from '#core/api/headers.ts'
import type { ApiError } from '#core/api/errors.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import { buildApp } from '#server/app.ts'
import type { AppOptions } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { accountKey } from '#server/areas/auth/attempts.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { insertUser } from '#server/areas/auth/store.ts'
import { withConnection } from '#server/database/transaction.ts'
import { Health } from '#server/health/health.ts'
import type { HealthOptions } from '#server/health/health.ts'
import { createLog } from '#server/log.ts'
import { ensureSecrets } from '#server/secrets.ts'
import type { Services } from '#server/services.ts'
import { openFileStore } from '#server/storage/open.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'

/** A server of a test's own: the real app on a real database, without a socket. Its clock can be moved. */
export interface TestServer {
  readonly app: FastifyInstance
  readonly services: Services
  readonly health: Health
  readonly database: TestDatabase
  /** Lines of the log. */
  readonly log: readonly string[]
  /** Moves the clock that the server goes by. */
  pass(milliseconds: number): void
  /** Makes an account whose password is `PASSWORD`. */
  makeUser(
    account: string,
    more?: { readonly isAdmin?: boolean; readonly isDemo?: boolean; readonly mustChange?: boolean },
  ): Promise<string>
  /** A client nobody has signed in on. */
  visitor(client?: keyof typeof CLIENTS): Client
  signIn(account: string, client?: keyof typeof CLIENTS): Promise<Client>
  /** Makes the platform's administrator and signs them in. */
  signInAdmin(): Promise<Client>
  close(): Promise<void>
}

export const PASSWORD = 'Correct-Horse-7'

const CLIENTS = { [OWN_CLIENT.id]: OWN_CLIENT.secret, saber: 'saber_secret' } as const

/** An answer, taken apart. */
export interface Answer {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly json: unknown
  /** Of an envelope. */
  readonly code: number | undefined
  readonly success: boolean | undefined
  readonly data: unknown
  readonly error: ApiError | undefined
}

export interface Input {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Idempotency key; a fresh one unless given; null sends none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Somebody's browser. */
export class Client {
  readonly server: Pick<TestServer, 'app'>
  readonly client: keyof typeof CLIENTS
  token: string | null = null
  refreshToken: string | null = null
  /** The device that it says it is; none unless given. */
  deviceId: string | null = null
  deviceCookie: string | null = null

  constructor(server: Pick<TestServer, 'app'>, client: keyof typeof CLIENTS) {
    this.server = server
    this.client = client
  }

  async call(id: CallId, input: Input = {}): Promise<Answer> {
    const { method, path, write } = callOf(id)
    const url = `/api${path.replaceAll(/:(\w+)/g, (_whole, name: string) => input.params?.[name] ?? '')}`
    const key = input.key === undefined ? newId() : input.key
    const answer = toAnswer(
      await this.server.app.inject({
        method,
        url,
        query: Object.fromEntries(Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)])),
        ...(input.body === undefined ? {} : { payload: input.body as NonNullable<InjectOptions['payload']> }),
        headers: {
          ...this.headers(),
          ...(write && key !== null ? { [headers.idempotencyKey]: key } : {}),
          ...input.headers,
        },
      }),
    )
    this.deviceCookie =
      new RegExp(`${DEVICE_COOKIE}=([^;,]+)`).exec(String(answer.headers['set-cookie'] ?? ''))?.[1] ?? this.deviceCookie
    return answer
  }

  /** The data of a call that must succeed. */
  async get<Data = unknown>(id: CallId, input: Input = {}): Promise<Data> {
    const answer = await this.call(id, input)
    if (answer.success !== true) throw new Error(`${id}: ${answer.status} ${JSON.stringify(answer.json)}`)
    return answer.data as Data
  }

  async enter(
    account: string,
    password: string,
    captcha?: { readonly key: string; readonly code: string },
  ): Promise<Answer> {
    const answer = await this.call('auth.token', {
      body: { grant_type: 'password', username: account, password },
      headers: captcha === undefined ? {} : { [headers.captchaKey]: captcha.key, [headers.captchaCode]: captcha.code },
    })
    return this.keep(answer)
  }

  /** Renews by what this client holds: our own by its cookie, others by the token in the body. */
  async refresh(token: string | null = this.refreshToken): Promise<Answer> {
    const own = this.client === OWN_CLIENT.id
    return this.keep(
      await this.call('auth.token', {
        body: { grant_type: 'refresh_token', ...(own ? {} : { refresh_token: token }) },
        headers: own ? { cookie: `edc-refresh-token=${token ?? ''}; ${ACCESS_COOKIE}=worthless` } : {},
      }),
    )
  }

  headers(): Record<string, string> {
    const basic = Buffer.from(`${this.client}:${CLIENTS[this.client]}`).toString('base64')
    return {
      [headers.client]: `Basic ${basic}`,
      ...(this.token === null ? {} : { [headers.token]: `bearer ${this.token}` }),
      ...(this.deviceId === null ? {} : { [headers.deviceId]: this.deviceId }),
      ...(this.deviceCookie === null ? {} : { cookie: `${DEVICE_COOKIE}=${this.deviceCookie}` }),
    }
  }

  private keep(answer: Answer): Answer {
    const { access_token: access, refresh_token: refresh } = answer.json as {
      access_token?: string
      refresh_token?: string
    }
    if (access === undefined) return answer
    this.token = access
    this.refreshToken = /edc-refresh-token=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? refresh ?? null
    return answer
  }
}

function toAnswer(response: LightMyRequestResponse): Answer {
  const type = response.headers['content-type']
  const json: unknown = String(type).startsWith('application/json') ? response.json() : null
  const { code, success, data, error } = (json ?? {}) as Partial<Pick<Answer, 'code' | 'success' | 'data' | 'error'>>
  return { status: response.statusCode, headers: response.headers, json, code, success, data, error }
}

/** Starts a test server. Close it in `afterAll` or `afterEach`. */
export async function createTestServer({
  freeBytes,
  env = {},
  ...options
}: AppOptions &
  Pick<HealthOptions, 'freeBytes'> & { readonly env?: Readonly<Record<string, string>> } = {}): Promise<TestServer> {
  const database = await createTestDatabase()
  const log: string[] = []
  let shift = 0
  // A way to patients is set up; nothing goes it, for nobody sends here.
  const gateway = { ZHENGLU_SMS_URL: 'http://127.0.0.1:9/', ZHENGLU_SMS_TOKEN: 'nobody' }
  const config = readConfig({
    DATA_DIR: '/nonexistent',
    DEMO: '1',
    DEMO_PASSWORD: PASSWORD,
    ADMIN_PASSWORD: PASSWORD,
    ADMIN_PASSWORD_KEEP: '1',
    ...gateway,
    ...env,
  })
  const logger = createLog({ level: 'debug', write: (line) => log.push(line) })
  const health = new Health({
    pool: database.pool,
    config,
    log: logger,
    ...(freeBytes === undefined ? {} : { freeBytes }),
  })
  const services: Services = {
    config,
    health,
    files: openFileStore(config),
    pool: database.pool,
    log: logger,
    secrets: await ensureSecrets(database.pool),
    now: () => new Date(Date.now() + shift).toISOString(),
  }
  // Whether somebody has built the app must not change what a test of the server sees.
  const app = await buildApp(services, {
    webRoot: '/nonexistent',
    checkAnswers: true,
    limits: { all: 100_000, signIn: 100_000 },
    ...options,
  })
  const visitor = (client: keyof typeof CLIENTS = OWN_CLIENT.id): Client => new Client({ app }, client)
  const server: TestServer = {
    app,
    services,
    health,
    database,
    log,
    pass: (milliseconds) => {
      shift += milliseconds
    },
    makeUser: async (account, more = {}) => {
      const id = newId()
      const passwordHash = await commonHash()
      await withConnection(database.pool, (connection) =>
        insertUser(connection, {
          id,
          account,
          accountKey: accountKey(account),
          realName: `${account} name`,
          phone: null,
          email: null,
          passwordHash,
          mustChangePassword: more.mustChange ?? false,
          isAdmin: more.isAdmin ?? false,
          isDemo: more.isDemo ?? false,
        }),
      )
      return id
    },
    visitor,
    signIn: async (account, client) => {
      const person = visitor(client)
      await person.enter(account, PASSWORD)
      if (person.token === null) throw new Error(`${account} could not sign in`)
      return person
    },
    signInAdmin: async () => {
      await server.makeUser('root', { isAdmin: true })
      return server.signIn('root')
    },
    close: async () => {
      await app.close()
      await database.drop()
    },
  }
  return server
}

let hashed: Promise<string> | undefined

async function commonHash(): Promise<string> {
  hashed ??= hashPassword(PASSWORD)
  return hashed
}

/** An id that stands for nothing. */
export function strangeId(): string {
  return randomUUID()
}
