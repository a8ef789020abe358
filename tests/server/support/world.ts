import { createHmac, generateKeyPair, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Language } from '#core/language.ts'
import type { BodyOf, DataOf, QueryOf } from '#core/api/call.ts'
import type { PatientEnrolment } from '#core/api/calls/patient.ts'
import type { QueryRaise } from '#core/api/calls/review/query.ts'
import type { ErrorCode } from '#core/api/errors.ts'
import { ApiFailure } from '#core/api/errors.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { entryId, visitId } from '#core/derivedIds.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { EntryChange, EntryTarget, ItemChange } from '#core/sync/entryChange.ts'
import { provenText } from '#core/sync/protocol/proof.ts'
import type { QueryPlace } from '#core/review/queryThread.ts'
import type { FolderSchedule } from '#core/study/visits/visitPlan.ts'
import type { Operation, QueueableCall } from '#core/sync/protocol/operation.ts'
import type { PullLine } from '#core/api/sync/pull.ts'
import type { PushAnswer } from '#core/api/sync/push.ts'
import { handlers as attachment } from '#server/areas/attachment/routes.ts'
import { handlers as audit } from '#server/areas/audit/routes.ts'
import { handlers as dataset } from '#server/areas/dataset/routes.ts'
import { handlers as database } from '#server/areas/database/routes.ts'
import { handlers as doubleEntry } from '#server/areas/doubleEntry/routes.ts'
import { handlers as entry } from '#server/areas/entry/routes.ts'
import { handlers as message } from '#server/areas/message/routes.ts'
import { handlers as notice } from '#server/areas/notice/routes.ts'
import { handlers as noticeWays } from '#server/areas/noticeWays/routes.ts'
import { handlers as patient } from '#server/areas/patient/routes.ts'
import { handlers as query } from '#server/areas/query/routes.ts'
import { deviceStamp } from '#server/areas/auth/device.ts'
import { proofKey } from '#server/operations/keys.ts'
import { handlers as statistics } from '#server/areas/statistics/routes.ts'
import { handlers as task } from '#server/areas/task/routes.ts'
import { handlers as uat } from '#server/areas/uat/routes.ts'
import { handlers as version } from '#server/areas/version/routes.ts'
import { handlers as visit } from '#server/areas/visit/routes.ts'
import { handlers as work } from '#server/areas/work/routes.ts'
import { handlers as project } from '#server/areas/project/routes.ts'
import { handlers as report } from '#server/areas/report/routes.ts'
import { handlers as reportMail } from '#server/areas/reportMail/routes.ts'
import { handlers as review } from '#server/areas/review/routes.ts'
import { handlers as search } from '#server/areas/search/routes.ts'
import { handlers as sync } from '#server/areas/sync/routes.ts'
import { commitProject } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Actor, AnswerOf, CallContext, Handlers } from '#server/http/handler.ts'
import { createLog } from '#server/log.ts'
import { readConfig } from '#server/config.ts'
import type { Services } from '#server/services.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { createTestDatabase } from '#tests/server/support/database.ts'
import { testFiles } from '#tests/server/support/files.ts'

/**
 * A study on a database of its own: one project in process with two centers, a released casebook of one visit, and
 * people with their tablets. Calls go straight to the handlers, as the HTTP layer would make them after its own checks.
 */
export interface World {
  readonly database: TestDatabase
  readonly services: Services
  readonly study: Study
  readonly people: Readonly<Record<PersonName, Person>>
  close(): Promise<void>
}

export interface Study {
  readonly projectId: string
  readonly versionId: string
  readonly folderId: string
  /** Height, weight, BMI by rule; a question by rule; drugs as a table; a name that identifies. */
  readonly vitalsId: string
  /** A page that may be repeated. */
  readonly eventId: string
  readonly north: string
  readonly south: string
}

/** What a tablet or a desktop is to the server. */
export interface Person extends Actor {
  readonly deviceId: string
}

type PersonName = 'lin' | 'wu' | 'south' | 'monitor' | 'manager' | 'admin' | 'stranger'

export const VITALS = JSON.stringify({
  column: [
    { prop: 'height', label: '身高', type: 'number', required: true, zl: { min: 30, max: 250 } },
    { prop: 'weight', label: '体重', type: 'number' },
    {
      prop: 'bmi',
      label: 'BMI',
      type: 'number',
      zl: { calculate: 'page.weight / (page.height / 100.0 * (page.height / 100.0))' },
    },
    {
      prop: 'smokes',
      label: '吸烟',
      type: 'radio',
      dicData: [
        { label: '是', value: '1' },
        { label: '否', value: '0' },
      ],
    },
    { prop: 'packs', label: '每日包数', type: 'number', zl: { show: "page.smokes == '1'" } },
    {
      prop: 'signs',
      label: '体征',
      type: 'checkbox',
      dicData: [
        { label: '甲', value: 'a' },
        { label: '乙', value: 'b' },
      ],
    },
    { prop: 'contact', label: '联系人', type: 'input', zl: { identifier: true } },
    { prop: 'note', label: '备注', type: 'textarea' },
    {
      prop: 'drugs',
      label: '用药',
      type: 'dynamic',
      children: {
        column: [
          { prop: 'drug', label: '药名', type: 'input' },
          { prop: 'dose', label: '剂量', type: 'number' },
        ],
      },
    },
  ],
})

const EVENT = JSON.stringify({ column: [{ prop: 'term', label: '不良事件', type: 'input' }] })

/** Made once for all worlds of a file: it takes a while. */
const rescuePair = promisify(generateKeyPair)('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
}).then(({ publicKey, privateKey }) => ({
  rescuePublicKey: publicKey.toString('base64'),
  rescuePrivateKey: privateKey.toString('base64'),
}))

export async function makeWorld(): Promise<World> {
  const database = await createTestDatabase()
  const kept = testFiles()
  const services: Services = {
    config: readConfig({}),
    pool: database.pool,
    log: createLog({ level: 'silent', write: () => undefined }),
    files: kept.files,
    secrets: { root: randomBytes(32), ...(await rescuePair), epoch: 'first' },
    now: () => new Date().toISOString(),
  }
  const study: Study = {
    projectId: newId(),
    versionId: newId(),
    folderId: newId(),
    vitalsId: newId(),
    eventId: newId(),
    north: newId(),
    south: newId(),
  }
  const admin = await addUser(services, 'admin', true)
  await makeStudy(services, study, admin)
  const people = {
    admin,
    lin: await addMember(services, study, 'lin', 'CRC', [study.north]),
    wu: await addMember(services, study, 'wu', 'CRC', [study.north]),
    south: await addMember(services, study, 'south', 'CRC', [study.south]),
    monitor: await addMember(services, study, 'monitor', 'CRA', [study.north]),
    manager: await addMember(services, study, 'manager', 'DBD', [study.north, study.south]),
    stranger: await addUser(services, 'stranger', false),
  }
  for (const person of Object.values(people)) await register(services, person)
  return {
    database,
    services,
    study,
    people,
    close: async () => {
      await database.drop()
      await rm(kept.folder, { recursive: true, force: true })
    },
  }
}

async function addUser(services: Services, name: string, isAdmin: boolean): Promise<Person> {
  const userId = newId()
  await services.pool.query(
    `INSERT INTO app_user (id, account, account_key, real_name, password_hash, is_admin) VALUES ($1, $2, $2, $3, 'none', $4)`,
    [userId, name, `${name} (测试)`, isAdmin],
  )
  return {
    userId,
    account: name,
    realName: `${name} (测试)`,
    isAdmin,
    isDemo: false,
    sessionId: newId(),
    deviceId: newId(),
  }
}

/** A new member of the project with a tablet. */
export async function addMember(
  services: Services,
  study: Study,
  name: string,
  role: ProjectRole,
  centers: readonly string[],
): Promise<Person> {
  const person = await addUser(services, name, false)
  const memberId = newId()
  await services.pool.query(`INSERT INTO member (id, project_id, user_id, role) VALUES ($1, $2, $3, $4)`, [
    memberId,
    study.projectId,
    person.userId,
    role,
  ])
  for (const center of centers) {
    await services.pool.query('INSERT INTO member_center (member_id, center_id) VALUES ($1, $2)', [memberId, center])
  }
  return person
}

/** A project in process with two centers and a released casebook. */
export async function makeStudy({ pool }: Services, study: Study, admin: Person): Promise<void> {
  const { projectId, versionId, north, south } = study
  await pool.query(
    `INSERT INTO project (id, name, status, scope_code, config, created_by) VALUES ($1, '心绞痛研究', 'process', 'areamultiple', $2, $3)`,
    [projectId, JSON.stringify({ isDouble: 0, isFilterPeriod: 'N', minTesters: 1 }), admin.userId],
  )
  for (const [id, name, code] of [
    [north, '北院', 'N01'],
    [south, '南院', 'S02'],
  ]) {
    await pool.query('INSERT INTO center (id, project_id, name, code) VALUES ($1, $2, $3, $4)', [
      id,
      projectId,
      name,
      code,
    ])
  }
  await addVersion(pool, study, admin, { id: versionId, no: 1, vitals: VITALS })
  await announce(pool, study, admin, [
    { kind: 'project', rowId: projectId },
    { kind: 'center', rowId: north },
    { kind: 'center', rowId: south },
    { kind: 'version', rowId: versionId },
  ])
}

/** A released version of the casebook. */
export async function addVersion(
  pool: Services['pool'],
  study: Study,
  admin: Person,
  version: { readonly id: string; readonly no: number; readonly vitals: string; readonly event?: string },
): Promise<void> {
  await pool.query(
    `INSERT INTO crf_version (id, project_id, version_no, profile, created_by) VALUES ($1, $2, $3, 'formal', $4)`,
    [version.id, study.projectId, version.no, admin.userId],
  )
  await pool.query(
    `INSERT INTO crf_folder (version_id, folder_id, name, code, sort) VALUES ($1, $2, '基线', 'V1', 1)`,
    [version.id, study.folderId],
  )
  const pages = [
    { id: study.vitalsId, name: '生命体征', code: 'VS', repeatable: false, option: version.vitals },
    { id: study.eventId, name: '不良事件', code: 'AE', repeatable: true, option: version.event ?? EVENT },
  ]
  for (const [sort, page] of pages.entries()) {
    await pool.query(
      `INSERT INTO crf_page (version_id, page_id, folder_id, name, code, repeatable, sort, option) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [version.id, page.id, study.folderId, page.name, page.code, page.repeatable, sort, page.option],
    )
  }
}

/** Plans the folder of the casebook; null for a folder without a plan. */
export async function planFolder(
  { services: { pool }, study }: Pick<World, 'services' | 'study'>,
  schedule: FolderSchedule | null,
): Promise<void> {
  await pool.query('UPDATE crf_folder SET schedule = $2 WHERE folder_id = $1', [
    study.folderId,
    schedule === null ? null : JSON.stringify(schedule),
  ])
}

/** Tells devices of rows that are common to the project. */
export async function announce(
  pool: Services['pool'],
  study: Study,
  admin: Person,
  rows: readonly { readonly kind: 'project' | 'center' | 'version' | 'member'; readonly rowId: string }[],
): Promise<void> {
  const now = new Date().toISOString()
  await withTransaction(pool, (transaction) =>
    commitProject(transaction, {
      projectId: study.projectId,
      statuses: ['process'],
      stamp: deviceStamp(
        admin,
        { at: now, offsetMinutes: null, driftMs: null, deviceId: null, appVersion: null },
        'project.save',
        '127.0.0.1',
        now,
        'ADMIN',
      ),
      audit: [{ action: 'project.create' }],
      changes: rows.map((row) => ({ ...row, centerId: null, pass: null })),
    }),
  )
}

async function register(services: Services, person: Person): Promise<void> {
  await services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [person.deviceId, person.userId])
  await services.pool.query('INSERT INTO device_user (device_id, user_id) VALUES ($1, $2)', [
    person.deviceId,
    person.userId,
  ])
}

const handlers: Handlers = {
  ...task,
  ...uat,
  ...version,
  ...attachment,
  ...database,
  ...entry,
  ...doubleEntry,
  ...message,
  ...notice,
  ...noticeWays,
  ...patient,
  ...project,
  ...query,
  ...report,
  ...reportMail,
  ...review,
  ...search,
  ...sync,
  ...audit,
  ...dataset,
  ...statistics,
  ...visit,
  ...work,
}

/** What a test says of a call; the rest is what the world's study and a fresh key make of it. */
export interface Said<Id extends CallId> {
  readonly body?: BodyOf<CallOf<Id>>
  readonly query?: QueryOf<CallOf<Id>>
  readonly id?: string
  /** Parts of the path, where they are not the one id. */
  readonly params?: Readonly<Record<string, string>>
  readonly key?: string
  readonly projectId?: string | null
  readonly crfId?: string | null
  readonly pass?: 1 | 2
  readonly notify?: boolean
  readonly deviceId?: string
  readonly language?: Language
  /** What their browser shows to be the device that it names. */
  readonly deviceCookie?: string
}

/** Calls a handler as somebody who is signed in. */
export async function call<Id extends CallId>(
  world: World,
  who: Person,
  id: Id,
  said: Said<Id> = {},
): Promise<AnswerOf<Id>> {
  const handler = handlers[id] as ((context: unknown) => Promise<AnswerOf<Id>>) | undefined
  if (handler === undefined) throw new Error(`nobody serves ${id}`)
  const context: Omit<CallContext<CallId>, 'params' | 'query' | 'body' | 'http'> & Readonly<Record<string, unknown>> = {
    call: id,
    services: world.services,
    actor: who,
    params: said.params ?? (said.id === undefined ? {} : { id: said.id }),
    query: said.query ?? {},
    body: said.body ?? {},
    acted: {
      at: world.services.now(),
      offsetMinutes: 480,
      driftMs: 12.5,
      deviceId: said.deviceId ?? who.deviceId,
      appVersion: '1.0.0',
    },
    language: said.language ?? 'zh',
    ip: '127.0.0.1',
    key: said.key ?? newId(),
    protocol: 1,
    projectId: said.projectId === undefined ? world.study.projectId : said.projectId,
    crfId: said.crfId === undefined ? world.study.versionId : said.crfId,
    pass: said.pass ?? 1,
    notify: said.notify ?? null,
    http: {
      client: 'zhenglu',
      captcha: null,
      refreshCookie: null,
      deviceCookie: said.deviceCookie ?? null,
      setDeviceCookie: () => undefined,
      setRefreshCookie: () => undefined,
    },
  }
  return handler(context)
}

/** The code with which something was refused; null when it was not. */
export async function refusal(attempt: Promise<unknown>): Promise<ErrorCode | null> {
  return attempt.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ApiFailure) return error.error.code
      throw error
    },
  )
}

/** A patient of the northern center under the server's next number. */
export async function enrol(
  world: World,
  who: Person = world.people.lin,
  centerId: string = world.study.north,
): Promise<string> {
  const id = newId()
  await call(world, who, 'patient.save', { body: enrolment(world, id, { centerId }) })
  return id
}

export function enrolment(world: World, id: string, changes: Partial<PatientEnrolment> = {}): PatientEnrolment {
  return {
    id,
    projectId: world.study.projectId,
    centerId: world.study.north,
    no: null,
    mark: '7F3A',
    initials: 'ZS',
    sex: 'F',
    enrolledOn: '2026-11-02',
    identity: { name: '张三', mobile: '13800000000', email: null, birthDate: '1960-02-29' },
    ...changes,
  }
}

/** A visit of a patient, as the calls name it: the one of the schedule, or one that a person makes. */
export function visitOf({ study }: Pick<World, 'study'>, patientId: string, folderRepeat = '0') {
  const key = { patientId, folderId: study.folderId, folderRepeat }
  return { id: visitId(key), projectId: study.projectId, ...key }
}

/** The vital signs page of a patient. */
export function vitals(world: Pick<World, 'study'>, patientId: string): EntryTarget {
  const { folderId, vitalsId } = world.study
  return { patientId, folderId, folderRepeat: '0', pageId: vitalsId, pageRepeat: '0', parentEntryId: null, pass: 1 }
}

/** What a query is about: the vital signs page of a patient, or part of it. */
export function queryPlace(world: Pick<World, 'study'>, patientId: string, part: Partial<QueryPlace> = {}): QueryPlace {
  return { ...vitals(world, patientId), table: null, rid: null, code: null, ...part }
}

/** A question about a field of the vital signs, as its asker's device makes it. */
export function questionOn(world: Pick<World, 'study'>, patientId: string, more: Partial<QueryRaise> = {}): QueryRaise {
  return {
    id: newId(),
    projectId: world.study.projectId,
    place: queryPlace(world, patientId, { code: 'weight' }),
    text: '请核对原始病历',
    isCandidate: false,
    isUrgent: false,
    dueOn: null,
    ...more,
  }
}

/** One more adverse event of a patient. */
export function event(world: Pick<World, 'study'>, patientId: string, repeat: string): EntryTarget {
  return { ...vitals(world, patientId), pageId: world.study.eventId, pageRepeat: repeat }
}

/** A change of items: a bare value was entered where there was nothing. */
export function change(
  target: EntryTarget,
  items: Readonly<Record<string, JsonValue | ItemChange>>,
  more: Partial<EntryChange> = {},
): EntryChange {
  return {
    target,
    items: Object.entries(items).map(([code, value]) =>
      isChange(value) ? value : item(code, null, value as JsonValue),
    ),
    rows: [],
    journal: [],
    seen: null,
    ...more,
  }
}

export function item(code: string, from: JsonValue, to: JsonValue, more: Partial<ItemChange> = {}): ItemChange {
  const base = { value: from, missing: null }
  return { table: null, rid: null, code, to: { value: to, missing: null }, base, isShow: 1, reason: null, ...more }
}

function isChange(value: unknown): value is ItemChange {
  return typeof value === 'object' && value !== null && 'base' in value && 'to' in value
}

type SaveCall = 'entry.save' | 'entry.smartSave' | 'entry.submit' | 'entry.insert' | 'entry.smartInsert'

/** Saves a change online, in the pass of its page. */
export async function save(
  world: World,
  who: Person,
  body: EntryChange,
  said: { readonly as?: SaveCall } & Pick<Said<'entry.save'>, 'key' | 'projectId' | 'crfId' | 'id' | 'pass'> = {},
): Promise<DataOf<CallOf<'entry.save'>>> {
  const { as = 'entry.save', ...rest } = said
  return call(world, who, as, { id: entryId(body.target), pass: body.target.pass, body, ...rest })
}

/** What a tablet queued, proven by its author on their device. */
export function operationOf(
  world: World,
  author: Person,
  what: { readonly call: QueueableCall; readonly entityId: string; readonly body: JsonValue } & Partial<Operation>,
): Operation {
  const { projectId, versionId, north } = world.study
  const unproven: Omit<Operation, 'proof'> = {
    key: newId(),
    author: author.userId,
    deviceId: author.deviceId,
    seq: 1,
    projectId,
    centerId: north,
    crfVersionId: versionId,
    pass: 1,
    after: [],
    acted: { at: '2026-11-02T01:02:03.004Z', offsetMinutes: 480, driftMs: -40 },
    appVersion: '1.0.0',
    protocol: 1,
    ...what,
  }
  return proven(world.services, unproven)
}

/** An operation with the proof that its author's key on its device makes. */
export function proven({ secrets }: Pick<Services, 'secrets'>, unproven: Omit<Operation, 'proof'>): Operation {
  const key = Buffer.from(proofKey(secrets, unproven.author, unproven.deviceId), 'base64url')
  return { ...unproven, proof: createHmac('sha256', key).update(provenText(unproven)).digest('base64url') }
}

/** Sends operations from a device in somebody's session; gives the answers by key. */
export async function push(
  world: World,
  who: Person,
  ops: readonly JsonValue[],
  deviceId: string = who.deviceId,
): Promise<ReadonlyMap<string, Exclude<PushAnswer, { t: 'end' }>>> {
  const report = { unsent: [], clockDriftMs: -40, appVersion: '1.0.0', sentAt: world.services.now() }
  const answers = new Map<string, Exclude<PushAnswer, { t: 'end' }>>()
  for await (const line of await call(world, { ...who, deviceId }, 'sync.push', {
    body: { deviceId, report, ops: [...ops] },
  })) {
    if (line.t !== 'end') answers.set(line.key, line)
  }
  return answers
}

/** Pulls a scope to its end. */
export async function pull(world: World, who: Person, scope: string, cursor = 0): Promise<readonly PullLine[]> {
  const lines: PullLine[] = []
  for await (const line of await call(world, who, 'sync.pull', { query: { scope, cursor, deviceId: who.deviceId } }))
    lines.push(line)
  return lines
}

/** Sets the project's status, as an administrator would. */
export async function setStatus(world: World, status: 'process' | 'stop' | 'close'): Promise<void> {
  await world.services.pool.query('UPDATE project SET status = $2 WHERE id = $1', [world.study.projectId, status])
}

/** How many rows a table holds. */
export async function countRows(
  world: World,
  table:
    | 'operation'
    | 'visit'
    | 'entry'
    | 'patient'
    | 'conflict'
    | 'query'
    | 'query_act'
    | 'inbox'
    | 'audit'
    | 'audit_link',
): Promise<number> {
  const { rows } = await world.database.ownerPool.query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)
  return rows[0]?.count ?? -1
}
