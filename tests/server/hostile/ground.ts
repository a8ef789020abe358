import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { ApiError } from '#core/api/errors.ts'
import { headers } from '#core/api/headers.ts'
import { callOf } from '#core/api/table.ts'
import type { CallId } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { QueueableCall } from '#core/sync/protocol/operation.ts'
import { buildApp } from '#server/app.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { createLog } from '#server/log.ts'
import { Client, PASSWORD } from '#tests/server/support/app.ts'
import { testFiles } from '#tests/server/support/files.ts'
import type { Person, Study, World } from '#tests/server/support/world.ts'
import {
  addMember,
  addVersion,
  announce,
  makeStudy,
  makeWorld,
  operationOf,
  VITALS,
} from '#tests/server/support/world.ts'

/**
 * Ground for bad input: the whole server, a study whose pages have what can be attacked, and another study that is none
 * of the attacker's.
 */
export interface Ground {
  readonly world: World
  readonly app: FastifyInstance
  /** A released version whose vital signs have photographs and a value that must be unique. */
  readonly versionId: string
  readonly draftId: string
  /** Another project's study, with a coordinator of its own. */
  readonly foreign: World
  readonly foreigner: Person
  /** Where contents of attachments are kept. */
  readonly folder: string
  /** What the server logged as its own fault. */
  readonly lines: readonly string[]
  clientOf(who: Person): Promise<Client>
  close(): Promise<void>
}

const MORE_FIELDS = [
  { prop: 'photos', label: '舌象', type: 'upload' },
  { prop: 'card', label: '就诊卡号', type: 'input', unique: true },
  { prop: 'born', label: '出生日期', type: 'date' },
]

/** The vital signs with what can be attacked besides. */
export function wideVitals(): string {
  const { column } = JSON.parse(VITALS) as { column: readonly object[] }
  return JSON.stringify({ column: [...column, ...MORE_FIELDS] })
}

export async function makeGround(): Promise<Ground> {
  const made = await makeWorld()
  const kept = testFiles()
  const lines: string[] = []
  const log = createLog({ level: 'error', write: (line) => lines.push(line) })
  const config = {
    ...made.services.config,
    messages: { email: null, note: { url: 'http://127.0.0.1:9/', token: 'nobody' } },
  }
  const world: World = { ...made, services: { ...made.services, config, files: kept.files, log } }
  const { services, study, people } = world
  const [versionId, draftId] = [newId(), newId()]
  await addVersion(services.pool, study, people.admin, { id: versionId, no: 2, vitals: wideVitals() })
  await addVersion(services.pool, study, people.admin, { id: draftId, no: 3, vitals: wideVitals() })
  await services.pool.query(`UPDATE crf_version SET profile = 'draft' WHERE id = $1`, [draftId])
  await announce(services.pool, study, people.admin, [{ kind: 'version', rowId: versionId }])
  const other: Study = {
    projectId: newId(),
    versionId: newId(),
    folderId: newId(),
    vitalsId: newId(),
    eventId: newId(),
    north: newId(),
    south: newId(),
  }
  await makeStudy(services, other, people.admin)
  const foreigner = await addMember(services, other, 'foreigner', 'CRC', [other.north])
  await services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    foreigner.deviceId,
    foreigner.userId,
  ])
  await services.pool.query('INSERT INTO device_user (device_id, user_id) VALUES ($1, $2)', [
    foreigner.deviceId,
    foreigner.userId,
  ])
  await services.pool.query('UPDATE app_user SET password_hash = $1', [await hashPassword(PASSWORD)])
  const app = await buildApp(services, {
    webRoot: '/nonexistent',
    checkAnswers: true,
    limits: { all: 1_000_000, signIn: 100_000 },
  })
  const clients = new Map<string, Promise<Client>>()
  const clientOf = (who: Person): Promise<Client> => {
    const known = clients.get(who.userId) ?? signedIn(app, who)
    clients.set(who.userId, known)
    return known
  }
  // Signing in is booked: it is done before anything is compared.
  for (const who of [...Object.values(people), foreigner]) await clientOf(who)
  return {
    world,
    app,
    versionId,
    draftId,
    foreign: { ...world, study: other },
    foreigner,
    lines,
    folder: kept.folder,
    clientOf,
    close: async () => {
      await app.close()
      await made.close()
    },
  }
}

async function signedIn(app: FastifyInstance, who: Person): Promise<Client> {
  const client = new Client({ app }, 'zhenglu')
  client.deviceId = who.deviceId
  await client.enter(who.account, PASSWORD)
  if (client.token === null) throw new Error(`${who.account} could not sign in`)
  return client
}

/**
 * What a refusal may leave: that somebody was there. Everything else of the database must be as it was.
 *
 * - session: that a token was used. device: what it says of itself with every push, and when. device_key: keys are
 *   made before they are asked for.
 * - captcha, login_failure: of signing in.
 */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'session',
  'device',
  'device_user',
  'device_key',
  'device_key_user',
  'captcha',
  'login_failure',
])

/**
 * A figure of each table that a refusal must not change, and of the files that are kept. Idempotency keys are among
 * them: a refusal keeps none.
 */
export async function stateOf(ground: Ground): Promise<Readonly<Record<string, string>>> {
  const figures = await figuresOf(
    ground,
    (table) => `md5(coalesce(string_agg(md5(${table}::text), '' ORDER BY md5(${table}::text)), ''))`,
  )
  const files = await readdir(ground.folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const kept = files.filter((file) => file.isFile()).map((file) => file.name)
  return { ...figures, files: createHash('sha256').update(kept.toSorted().join()).digest('hex') }
}

/** The same at a glance, after each of many requests: how many rows there are and which was written last. */
export function glanceAt(ground: Ground): Promise<Readonly<Record<string, string>>> {
  return figuresOf(ground, (table) => `count(*) || '/' || coalesce(max(${table}.xmin::text::bigint), 0)`)
}

async function figuresOf(
  { world }: Ground,
  figure: (table: string) => string,
): Promise<Readonly<Record<string, string>>> {
  const pool = world.database.ownerPool
  const tables = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const names = tables.rows.map(({ name }) => name).filter((name) => !BOOKKEEPING.has(name))
  const { rows } = await pool.query<{ name: string; figure: string }>(
    names.map((name) => `SELECT '${name}' AS name, ${figure(name)} AS figure FROM ${name}`).join(' UNION ALL '),
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.figure]))
}

/** Tables of which the figures differ. */
export function changedIn(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.keys(after).filter((table) => before[table] !== after[table])
}

/** One request as somebody makes it, by whichever road. */
export interface Attempt {
  readonly who: Person
  readonly call: CallId
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonValue
  /** JSON text in the place of the body, for what no JSON value can be made of. */
  readonly text?: string
  readonly projectId?: string | null
  readonly crfId?: string | null
  readonly pass?: 1 | 2
  readonly key?: string
}

/** How an attempt ended: taken, or refused with an error of the contract. */
export type Ending =
  | { readonly taken: true; readonly result: unknown }
  | { readonly taken: false; readonly error: ApiError; readonly status: number }

/** Makes a request by itself. */
export async function direct(ground: Ground, attempt: Attempt): Promise<Ending> {
  const { who, call, params, query, body, text } = attempt
  const row = callOf(call)
  const client = await ground.clientOf(who)
  const url = `/api${row.path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params?.[name] ?? newId()))}`
  const response = await ground.app.inject({
    method: row.method,
    url,
    query: { ...query },
    ...(text === undefined && body === undefined ? {} : { payload: text ?? JSON.stringify(body) }),
    headers: {
      ...client.headers(),
      ...contextOf(ground, attempt),
      ...(text === undefined && body === undefined ? {} : { 'content-type': 'application/json' }),
      [headers.idempotencyKey]: attempt.key ?? newId(),
      [headers.deviceId]: who.deviceId,
    },
  })
  const isEnvelope = String(response.headers['content-type']).startsWith('application/json')
  if (!isEnvelope && response.statusCode === 200) return { taken: true, result: null }
  return endingOf(response.statusCode, response.json<{ success?: boolean; data?: unknown; error?: ApiError }>())
}

function contextOf({ world, versionId }: Ground, { projectId, crfId, pass }: Attempt): Record<string, string> {
  const project = projectId === undefined ? world.study.projectId : projectId
  const crf = crfId === undefined ? versionId : crfId
  return {
    ...(project === null ? {} : { [headers.projectId]: project }),
    ...(crf === null ? {} : { [headers.crfId]: crf }),
    [headers.doubleSeqNo]: String(pass ?? 1),
  }
}

function endingOf(
  status: number,
  { success, data, error }: { success?: boolean; data?: unknown; error?: ApiError },
): Ending {
  if (success === true) return { taken: true, result: data }
  if (error === undefined) throw new Error(`an answer that says neither: ${status}`)
  return { taken: false, error, status }
}

/** Makes the same request as a tablet does: proven by its author, in an envelope. */
export async function pushed(
  ground: Ground,
  attempt: Attempt & { readonly call: QueueableCall; readonly entityId: string },
): Promise<Ending> {
  const { who, call, entityId, body, text, projectId, crfId, pass } = attempt
  const { world, versionId } = ground
  const shared = {
    call,
    entityId,
    key: attempt.key ?? newId(),
    projectId: projectId ?? world.study.projectId,
    crfVersionId: crfId === undefined ? versionId : crfId,
    pass: pass ?? 1,
  }
  const hostile = text === undefined ? body : readable(text)
  const op = operationOf(world, who, { ...shared, body: hostile ?? null })
  // What cannot be read cannot be proven either; the server refuses it before it asks.
  const inBody = text === undefined ? JSON.stringify(body) : text
  const sent = JSON.stringify({ ...op, body: MARK }).replace(JSON.stringify(MARK), () => inBody)
  return pushedText(ground, who, sent)
}

const MARK = '@@body@@'

/** What a text says as JSON; null where it says what JSON values cannot hold. */
function readable(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  return /[eE]\d{3,}/.test(text) ? null : value
}

/** Sends one operation as text in an envelope. */
export async function pushedText(ground: Ground, who: Person, operation: string): Promise<Ending> {
  const client = await ground.clientOf(who)
  const report = { unsent: [], clockDriftMs: 0, appVersion: '1.0.0', sentAt: new Date().toISOString() }
  const response = await ground.app.inject({
    method: 'POST',
    url: `/api${callOf('sync.push').path}`,
    payload: JSON.stringify({ deviceId: who.deviceId, report, ops: [MARK] }).replace(
      JSON.stringify(MARK),
      () => operation,
    ),
    headers: { ...client.headers(), 'content-type': 'application/json', [headers.deviceId]: who.deviceId },
  })
  if (response.statusCode !== 200 || String(response.headers['content-type']).startsWith('application/json')) {
    return endingOf(response.statusCode, response.json<{ success?: boolean; error?: ApiError }>())
  }
  const [line] = response.body
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { t: string; error?: ApiError; result?: unknown; receipt?: unknown })
  if (line?.t === 'taken') return { taken: true, result: line }
  if (line?.error === undefined) throw new Error('an operation without an answer')
  return { taken: false, error: line.error, status: response.statusCode }
}
