import type { FastifyInstance } from 'fastify'
import { compilePage } from '#core/form/compile.ts'
import { createFormState } from '#core/form/engine.ts'
import { parsePage } from '#core/form/page.ts'
import { newId } from '#core/ids.ts'
import type { EntryRow } from '#core/sync/rows.ts'
import { scopeText } from '#core/sync/scope.ts'
import { deviceIdOf } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import type { Storage } from '#offline/db/open.ts'
import { Journal } from '#offline/draft/journal.ts'
import { resetWaits, runCycle } from '#offline/sync/cycle.ts'
import type { CycleEnd } from '#offline/sync/cycle.ts'
import { Vault } from '#offline/vault/vault.ts'
import { buildApp } from '#server/app.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import type { DataContext } from '#src/data/context.ts'
import { createDevice } from '#src/data/device.ts'
import { Remote } from '#src/data/remote.ts'
import type { Device } from '#src/data/source.ts'
import type { EntryView } from '#src/data/types.ts'
import { Autosave } from '#src/screens/ecrf/autosave.ts'
import { createApi } from '#src/session/api.ts'
import type { Api } from '#src/session/api.ts'
import { enrolDevice } from '#src/session/enrolDevice.ts'
import { FEW_ROUNDS, authorOf, valueOf } from '#tests/offline/support/tablet.ts'
import type { World } from '#tests/server/support/world.ts'
import { makeWorld, vitals } from '#tests/server/support/world.ts'

/** A ward: the real server on a real database, and tablets with the app's own memory and sync. Only the network between them is made up. */

const PASSWORD = 'Correct-Horse-7'
const ANYWHERE = 'http://ward.test'

/** The server, listening. It can be restarted; what it knew in memory only is gone then. */
export class Server {
  readonly world: World
  #app: FastifyInstance
  #address: string

  private constructor(world: World, app: FastifyInstance, address: string) {
    this.world = world
    this.#app = app
    this.#address = address
  }

  static async start(): Promise<Server> {
    const world = await makeWorld()
    await world.services.pool.query('UPDATE app_user SET password_hash = $1', [await hashPassword(PASSWORD)])
    const { app, address } = await listening(world)
    return new Server(world, app, address)
  }

  get address(): string {
    return this.#address
  }

  async restart(): Promise<void> {
    await this.#app.close()
    const { app, address } = await listening(this.world)
    this.#app = app
    this.#address = address
  }

  async close(): Promise<void> {
    await this.#app.close()
    await this.world.close()
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.world.database.ownerPool.query<Row>(text, [...values])).rows
  }
}

async function listening(world: World): Promise<{ readonly app: FastifyInstance; readonly address: string }> {
  const app = await buildApp(world.services, { checkAnswers: true, limits: { all: 100_000, signIn: 100_000 } })
  return { app, address: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

type Connection = 'online' | 'offline' | 'answers_lost'

/** A tablet of the ward. */
export class Tablet {
  readonly #server: Server
  readonly #storage: Storage
  readonly #vault: Vault
  readonly #deviceId: string
  #connection: Connection = 'online'
  #token: string | null = null
  #device: Device | null = null

  private constructor(server: Server, storage: Storage, deviceId: string) {
    this.#server = server
    this.#storage = storage
    this.#vault = new Vault(storage.work, FEW_ROUNDS)
    this.#deviceId = deviceId
  }

  static async unpacked(server: Server): Promise<Tablet> {
    const storage = openStorage({ prefix: `ward-${newId()}` })
    return new Tablet(server, storage, await deviceIdOf(storage.work))
  }

  goOffline(): void {
    this.#connection = 'offline'
  }

  comeBack(): void {
    this.#connection = 'online'
  }

  /** From now on everything arrives at the server, and none of its answers comes back. */
  loseAnswers(): void {
    this.#connection = 'answers_lost'
  }

  /** Signs in online and keeps the northern center. */
  async signIn(account: string): Promise<void> {
    const api = this.#api()
    const body = { tenantId: '000000', username: account, password: PASSWORD, grant_type: 'password', scope: 'all', type: 'account' }
    this.#token = valueOf(await api.call('auth.token', { body })).access_token
    const { userId, realName, isAdmin } = valueOf(await api.call('auth.userInfo'))
    const user = { userId, account, realName, isAdmin }
    valueOf(await enrolDevice({ api, storage: this.#storage, vault: this.#vault, deviceId: this.#deviceId }, user, PASSWORD))
    this.#device = createDevice({
      context: this.#context(api, user),
      keeper: this.#vault,
      syncNow: () => Promise.resolve({ ok: true, value: true }),
      onOther: () => () => undefined,
    })
    valueOf(await this.#device.keepScope(this.#scope))
    await this.sync()
  }

  /** The shift ends: keys and token are forgotten, what is unsent stays sealed. */
  lock(): void {
    this.#vault.lock()
    this.#device = null
    this.#token = null
  }

  /** One cycle of sending and fetching, at once. */
  async sync(): Promise<CycleEnd> {
    if (this.#vault.state.state === 'locked') throw new Error('the tablet is locked')
    const { owner, keys } = this.#vault.state
    valueOf(await resetWaits(this.#storage))
    return valueOf(
      await runCycle({
        storage: this.#storage,
        wire: this.#wire(),
        ring: keys.ring,
        userId: owner.userId,
        deviceId: this.#deviceId,
        appVersion: 'test',
        now: () => Date.now(),
        random: () => 0.5,
      }),
    )
  }

  /** Opens the vital signs of a patient, as the screen does. */
  async open(patientId: string): Promise<OpenPage> {
    const view = await this.see(patientId)
    return new OpenPage(this.device, this.#server.world, view)
  }

  /** Opens the page, types into one field, and leaves. */
  async enter(patientId: string, field: string, text: string): Promise<void> {
    const page = await this.open(patientId)
    page.type(field, text)
    await page.leave()
  }

  /** The page as a person at this tablet sees it. */
  async see(patientId: string): Promise<EntryView> {
    const { world } = this.#server
    return valueOf(await this.device.entry(world.study.projectId, vitals(world, patientId)))
  }

  get device(): Device {
    if (this.#device === null) throw new Error('nobody is at the tablet')
    return this.#device
  }

  async unsent(): Promise<number> {
    return valueOf(await this.device.outbox()).length
  }

  get #scope(): string {
    const { projectId, north } = this.#server.world.study
    return scopeText({ kind: 'center', projectId, centerId: north, pass: 1 })
  }

  #api(): Api {
    return createApi(this.#wire(), () => Promise.resolve(false))
  }

  #wire() {
    return {
      fetch: this.#fetch,
      base: ANYWHERE,
      token: () => this.#token,
      deviceId: this.#deviceId,
      appVersion: 'test',
      language: () => 'zh',
    }
  }

  /** The network: to wherever the server listens now. */
  readonly #fetch: typeof fetch = async (input, init) => {
    if (this.#connection === 'offline') throw new TypeError('fetch failed')
    const request = new Request(input, init)
    const body = await request.arrayBuffer()
    const answer = await fetch(request.url.replace(ANYWHERE, this.#server.address), {
      method: request.method,
      headers: request.headers,
      ...(body.byteLength === 0 ? {} : { body }),
    })
    if (this.#connection === 'online') return answer
    await answer.arrayBuffer()
    throw new TypeError('connection reset')
  }

  #context(api: Api, user: DataContext['user']): DataContext {
    const author = authorOf(this.#vault)
    const ring = () => (this.#vault.state.state === 'open' ? this.#vault.state.keys.ring : new Map())
    return {
      storage: this.#storage,
      api,
      remote: new Remote(() => undefined),
      user,
      deviceId: this.#deviceId,
      appVersion: 'test',
      vault: () => this.#vault.state,
      ring,
      author: () => ({ ...author, deviceId: this.#deviceId, ring: ring() }),
      journal: new Journal(this.#storage, ring, user.userId, newId()),
      reachable: () => this.#connection !== 'offline',
      signedIn: () => this.#token !== null,
      online: () => this.#connection !== 'offline',
      recovered: new Map(),
      kickSync: () => undefined,
    }
  }
}

/** A page on a tablet's screen, with its form and what brings its values to the device. */
export class OpenPage {
  readonly #form
  readonly #autosave: Autosave

  constructor(device: Device, { study }: World, view: EntryView) {
    const page = parsePage(view.page.option)
    const compiled = page.ok ? compilePage(page.page) : null
    if (compiled?.ok !== true) throw new Error('the page cannot be read')
    const moment = { today: '2026-11-21', now: '2026-11-21 09:00:00' }
    this.#form = createFormState(compiled.compiled, view.data, { moment, readOnly: false })
    const { target, versionId } = view
    this.#autosave = new Autosave(this.#form, { target, versionId }, {
      journal: (step) => device.journalEdit(study.projectId, versionId, target, step),
      save: (save) => device.saveEntry(study.projectId, save),
      submit: (save) => device.submitEntry(study.projectId, save),
    })
  }

  type(field: string, text: string): void {
    const before = this.#form.getCell(field)
    this.#form.setText(field, text)
    const after = this.#form.getCell(field)
    if (before === undefined || after === undefined) throw new Error(field)
    const { value, missing, text: typed } = after
    this.#autosave.edited({ prop: field, old: before.value, value, oldMissing: before.missing, missing, text: typed })
  }

  /** A newer reading reaches the screen. */
  shows(view: EntryView): void {
    this.#autosave.offer(view.data, view.order)
  }

  async submit(): Promise<void> {
    const submitted = await this.#autosave.submit()
    if (!submitted.ok) throw new Error(`the page could not be submitted: ${submitted.error.code}`)
    await this.#autosave.close()
  }

  async leave(): Promise<void> {
    if (!(await this.#autosave.flush())) throw new Error('the page could not be saved')
    await this.#autosave.close()
  }
}

/** What the server holds of the patient's vital signs. */
export async function onServer(server: Server, patientId: string): Promise<Pick<EntryRow, 'values'>['values']> {
  const [row] = await server.rows<{ values: EntryRow['values'] }>('SELECT "values" FROM entry WHERE patient_id = $1', [patientId])
  return row?.values ?? {}
}
