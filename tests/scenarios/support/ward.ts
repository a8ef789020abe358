import { dirname } from 'node:path'
import { addRow, edit, tellRow } from '#src/form/formActions.ts'
import type { FastifyInstance } from 'fastify'
import { addressOf } from '#core/form/definition/address.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import type { Missing } from '#core/form/definition/value.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, EntryTarget } from '#core/sync/entryChange.ts'
import type { EntryRow } from '#core/api/sync/rows.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { deviceIdOf } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import type { Storage } from '#offline/db/open.ts'
import { Journal } from '#offline/draft/journal.ts'
import type { Author } from '#offline/outbox/outbox.ts'
import { freeWaiting } from '#offline/outbox/setAside.ts'
import type { SyncContext } from '#offline/sync/context.ts'
import { resetWaits, runCycle } from '#offline/sync/cycle.ts'
import type { CycleEnd } from '#offline/sync/cycle.ts'
import { Vault } from '#offline/vault/vault.ts'
import { buildApp } from '#server/app.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { ensureSecrets } from '#server/secrets.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { createDevice } from '#src/data/device/device.ts'
import { recoverDrafts } from '#src/data/writes/recovery.ts'
import { Remote } from '#src/data/rows/remote.ts'
import { renewKeys } from '#src/data/writes/scopes.ts'
import type { Device } from '#src/data/device/device.ts'
import type { EntryView, UnexplainedChange } from '#src/data/shapes/types.ts'
import { Autosave } from '#src/screens/ecrf/page/autosave.ts'
import type { SaveStatus } from '#src/screens/ecrf/page/autosave.ts'
import { createApi } from '#src/session/calls/createApi.ts'
import type { Api } from '#src/session/api.ts'
import { enrolDevice } from '#src/session/device/enrolDevice.ts'
import { FEW_ROUNDS, authorOf, valueOf } from '#tests/offline/support/tablet.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import type { World } from '#tests/server/support/world.ts'
import { enrol, makeWorld, vitals } from '#tests/server/support/world.ts'

/**
 * A ward: the real server on a real database, and tablets with the app's own memory and sync. Only the network between
 * them is made up.
 */

/** Everybody's. */
export const PASSWORD = 'Correct-Horse-7'
const ANYWHERE = 'http://ward.test'

/** Where a tablet's server is, and the study that it is used for. */
export interface Site {
  readonly address: string
  readonly world: Pick<World, 'study'>
}

/** The server, listening. It can be restarted; what it knew in memory only is gone then. */
export class Server implements Site {
  #running: { readonly world: World; readonly app: FastifyInstance; readonly address: string } | null = null
  /** Databases that a restore left behind. */
  readonly #former: TestDatabase[] = []

  static async start(): Promise<Server> {
    const server = new Server()
    await server.begin()
    return server
  }

  /** The first start, with a world of its own. */
  async begin(): Promise<void> {
    const world = await makeWorld()
    await world.services.pool.query('UPDATE app_user SET password_hash = $1', [await hashPassword(PASSWORD)])
    this.#running = { world, ...(await listening(world)) }
  }

  get world(): World {
    return this.#now.world
  }

  get address(): string {
    return this.#now.address
  }

  get #now() {
    if (this.#running === null) throw new Error('the server has not been started')
    return this.#running
  }

  /** Starts again; on another database where it was restored from a backup. */
  async restart(world: World = this.world): Promise<void> {
    await this.#now.app.close()
    this.#running = { world, ...(await listening(world)) }
  }

  /** Writes a backup, as an operator does, while everybody goes on working. Gives its file. */
  async backUp(folder: string): Promise<string> {
    // A backup brings the server's secrets back, and so they have to be where the server keeps them.
    await storeSecrets(this.world)
    return (await writeBackup(this.world.database.ownerPool, { folder, passphrase: null })).file
  }

  /** The server's database is lost. Another one takes its place, with what a backup holds. */
  async restoreFrom(file: string): Promise<void> {
    const database = await createEmptyDatabase()
    await restore({
      file,
      passphrase: null,
      databaseUrl: database.url,
      appDatabaseUrl: database.appUrl,
      dataDir: dirname(file),
      replace: false,
    })
    const { database: former, services } = this.world
    this.#former.push(former)
    const secrets = await ensureSecrets(database.pool)
    await this.restart({
      ...this.world,
      database,
      services: { ...services, pool: database.pool, secrets },
      close: () => database.drop(),
    })
  }

  async close(): Promise<void> {
    await this.#now.app.close()
    await this.world.close()
    for (const database of this.#former) await database.drop()
  }

  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.world.database.ownerPool.query<Row>(text, [...values])).rows
  }
}

/** The secrets that the world was made with, stored as the server's first start stores them. */
async function storeSecrets({ services }: World): Promise<void> {
  const { root, rescuePublicKey, rescuePrivateKey, epoch } = services.secrets
  await services.pool.query(
    `INSERT INTO server_secret (name, value) VALUES ('root', $1), ('rescue_public', $2), ('rescue_private', $3) ON CONFLICT DO NOTHING`,
    [Buffer.from(root).toString('base64url'), rescuePublicKey, rescuePrivateKey],
  )
  await services.pool.query(`INSERT INTO setting (key, value) VALUES ('epoch', $1) ON CONFLICT DO NOTHING`, [
    JSON.stringify(epoch),
  ])
}

async function listening(world: World): Promise<{ readonly app: FastifyInstance; readonly address: string }> {
  const app = await buildApp(world.services, { checkAnswers: true, limits: { all: 100_000, signIn: 100_000 } })
  return { app, address: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Apps that run: what they are typing is theirs, and nobody else recovers it. */
const running = new Set<string>()

type Connection = 'online' | 'offline' | 'answers_lost'

/** A tablet of the ward, or one of its tabs: the app's memory over the device's storage. */
export class Tablet {
  /** Prefix of the device's databases. */
  readonly name: string
  readonly deviceId: string
  readonly storage: Storage
  readonly #server: Site
  readonly #vault: Vault
  #connection: Connection = 'online'
  #token: string | null = null
  #context: DataContext | null = null
  #device: Device | null = null
  #clockShift = 0
  #network: (request: Request, arrive: (request: Request) => Promise<Response>) => Promise<Response> = (
    request,
    arrive,
  ) => arrive(request)

  private constructor(server: Site, name: string, storage: Storage, deviceId: string) {
    this.#server = server
    this.name = name
    this.storage = storage
    this.#vault = new Vault(storage.work, FEW_ROUNDS)
    this.deviceId = deviceId
  }

  static async unpacked(server: Site): Promise<Tablet> {
    const name = `ward-${newId()}`
    const storage = openStorage({ prefix: name })
    return new Tablet(server, name, storage, await deviceIdOf(storage.work))
  }

  /** One more tab of the same tablet, locked. The token is the browser's, and so known to every tab. */
  openTab(): Tablet {
    const tab = new Tablet(this.#server, this.name, openStorage({ prefix: this.name }), this.deviceId)
    tab.#connection = this.#connection
    tab.#token = this.#token
    tab.#clockShift = this.#clockShift
    return tab
  }

  /** The browser dies and is opened again: what was in memory only is gone, with whoever was at work. */
  crash(): Tablet {
    const again = this.openTab()
    this.lock()
    this.storage.close()
    again.#token = null
    return again
  }

  /** From now on the tablet's clock is off by so many milliseconds. */
  setClock(shiftMs: number): void {
    this.#clockShift = shiftMs
  }

  /** Puts something between the tablet and the server; `arrive` lets a request through. */
  interpose(network: (request: Request, arrive: (request: Request) => Promise<Response>) => Promise<Response>): void {
    this.#network = network
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

  /**
   * Signs in online and keeps a center, the northern one where no other is named, in the entry pass of whoever signs
   * in. Without `sync` the network is gone again before anything is sent.
   */
  async signIn(
    account: string,
    {
      sync = true,
      pass = 1,
      centerId = this.#server.world.study.north,
    }: { readonly sync?: boolean; readonly pass?: 1 | 2; readonly centerId?: string } = {},
  ): Promise<void> {
    await this.signInToLook(account)
    const { projectId } = this.#server.world.study
    valueOf(await this.device.keepScope(scopeText({ kind: 'center', projectId, centerId, pass })))
    if (sync) await this.sync()
  }

  /** Signs in online and keeps nothing: what is shown is read from the server. */
  async signInToLook(account: string): Promise<void> {
    await this.takeToken(account)
    const { userId, realName, isAdmin } = valueOf(await this.api.call('auth.userInfo'))
    const user = { userId, account, realName, isAdmin }
    valueOf(
      await enrolDevice(
        { api: this.api, storage: this.storage, vault: this.#vault, deviceId: this.deviceId },
        user,
        PASSWORD,
      ),
    )
    await this.#begin(user)
  }

  /** Opens a patient without keeping their center, as the screen of somebody does who may enter data. */
  async bring(
    patientId: string,
    { centerId = this.#server.world.study.north, pass = 1 }: { readonly centerId?: string; readonly pass?: 1 | 2 } = {},
  ): Promise<void> {
    const opened = valueOf(
      await this.device.openHere(this.#server.world.study.projectId, { id: patientId, centerId, pass }),
    )
    if (opened !== 'here') throw new Error(opened)
  }

  /** Signs in for a token only, as an app does that was unlocked without a network. */
  async takeToken(account: string): Promise<void> {
    const body = {
      tenantId: '000000',
      username: account,
      password: PASSWORD,
      grant_type: 'password',
      scope: 'all',
      type: 'account',
    }
    this.#token = valueOf(await this.api.call('auth.token', { body })).access_token
  }

  /**
   * Opens the tablet's memory with a password, without a network. What was being typed when the app died is recovered.
   */
  async unlock(account: string): Promise<void> {
    await this.#begin(valueOf(await this.#vault.unlock(account, PASSWORD)))
  }

  /** The shift ends: keys and token are forgotten, what is unsent stays sealed. */
  lock(): void {
    this.#vault.lock()
    if (this.#context !== null) running.delete(this.#context.journal.runtime)
    this.#device = null
    this.#context = null
    this.#token = null
  }

  /** One cycle of sending and fetching, at once. */
  async sync(): Promise<CycleEnd> {
    valueOf(await resetWaits(this.storage))
    const end = valueOf(await runCycle(this.syncContext()))
    if (end.rekeyed.length === 0 || this.#context === null) return end
    return valueOf(await renewKeys(this.#context, this.#vault, end.rekeyed)) ? this.sync() : end
  }

  /** What a cycle of this tablet works with. */
  syncContext(): SyncContext {
    if (this.#vault.state.state === 'locked') throw new Error('the tablet is locked')
    const { owner, keys } = this.#vault.state
    return {
      storage: this.storage,
      wire: this.#wire(),
      ring: keys.ring,
      userId: owner.userId,
      deviceId: this.deviceId,
      appVersion: 'test',
      now: this.#now,
      random: () => 0.5,
    }
  }

  /** Opens a page of a patient, as the screen does: the vital signs, unless another is named. */
  async open(patientId: string, target?: EntryTarget): Promise<OpenPage> {
    const view = await this.see(patientId, target)
    return new OpenPage(this.device, this.#server.world, view, () => new Date(this.#now()).toISOString())
  }

  /** Opens the page, types into one field, and leaves. */
  async enter(patientId: string, field: string, text: string): Promise<void> {
    const page = await this.open(patientId)
    page.type(field, text)
    await page.leave()
  }

  /** Gives every change of the page that waits for this person's reason one and the same. */
  async giveReasons(patientId: string, reason: ChangeReason, target?: EntryTarget): Promise<void> {
    const { target: page, unexplained } = await this.see(patientId, target)
    await this.explain(
      page,
      unexplained.filter(({ mine }) => mine),
      reason,
    )
  }

  /** Gives changes a reason as they were shown. */
  async explain(page: EntryTarget, changes: readonly UnexplainedChange[], reason: ChangeReason): Promise<void> {
    const done = await this.device.giveReasons(
      this.#server.world.study.projectId,
      page,
      changes.map((change) => ({ change, reason })),
    )
    if (!done.ok) throw new Error(done.error.code)
  }

  /** The page as a person at this tablet sees it. */
  async see(patientId: string, target?: EntryTarget): Promise<EntryView> {
    const { world } = this.#server
    return valueOf(await this.device.entry(world.study.projectId, target ?? vitals(world, patientId)))
  }

  get device(): Device {
    if (this.#device === null) throw new Error('nobody is at the tablet')
    return this.#device
  }

  async unsent(): Promise<number> {
    return valueOf(await this.device.outbox()).length
  }

  /** Whoever is at work, as their operations are made. */
  get author(): Author {
    const author = this.#context?.author() ?? null
    if (author === null) throw new Error('nobody is at the tablet')
    return author
  }

  /** Makes what is being typed durable, and nothing more: no save is made of it. */
  async flushTyping(): Promise<void> {
    const flushed = await this.device.flushJournal()
    if (!flushed.ok) throw new Error(flushed.error.code)
  }

  /** The server asked directly, past the outbox. */
  get api(): Api {
    return createApi(this.#wire(), () => Promise.resolve('lost' as const))
  }

  readonly #now = (): number => Date.now() + this.#clockShift

  async #begin(user: DataContext['user']): Promise<void> {
    const recovered = new Map<string, number>()
    const context = this.#contextOf(user, recovered)
    this.#context = context
    running.add(context.journal.runtime)
    valueOf(await freeWaiting(this.storage, this.author))
    for (const [entry, steps] of valueOf(
      await recoverDrafts(context, (runtime) => Promise.resolve(running.has(runtime))),
    ))
      recovered.set(entry, steps)
    this.#device = createDevice({
      context,
      keeper: this.#vault,
      syncNow: async () => {
        const { error } = await this.sync()
        return error === null ? ok(true) : err(error)
      },
      onOther: () => () => undefined,
    })
  }

  #wire() {
    return {
      fetch: this.#fetch,
      base: ANYWHERE,
      token: () => this.#token,
      deviceId: this.deviceId,
      appVersion: 'test',
      language: () => 'zh',
    }
  }

  /** The network: to wherever the server listens now. */
  readonly #fetch: typeof fetch = async (input, init) => {
    if (this.#connection === 'offline') throw new TypeError('fetch failed')
    const answer = await this.#network(new Request(input, init), this.#arrive)
    if (this.#connection === 'online') return answer
    await answer.arrayBuffer()
    throw new TypeError('connection reset')
  }

  readonly #arrive = async (request: Request): Promise<Response> => {
    const body = await request.arrayBuffer()
    return fetch(request.url.replace(ANYWHERE, this.#server.address), {
      method: request.method,
      headers: request.headers,
      signal: request.signal,
      ...(body.byteLength === 0 ? {} : { body }),
    })
  }

  #contextOf(user: DataContext['user'], recovered: ReadonlyMap<string, number>): DataContext {
    const author = authorOf(this.#vault)
    const ring = () => (this.#vault.state.state === 'open' ? this.#vault.state.keys.ring : new Map())
    return {
      storage: this.storage,
      api: this.api,
      remote: new Remote(() => undefined),
      user,
      deviceId: this.deviceId,
      appVersion: 'test',
      vault: () => this.#vault.state,
      ring,
      author: () => ({ ...author, deviceId: this.deviceId, ring: ring(), now: () => new Date(this.#now()) }),
      journal: new Journal(this.storage, ring, user.userId, newId()),
      reachable: () => this.#connection !== 'offline',
      signedIn: () => this.#token !== null,
      online: () => this.#connection !== 'offline',
      recovered,
      kickSync: () => undefined,
    }
  }
}

/** A page on a tablet's screen, with its form and what brings its values to the device. */
export class OpenPage {
  readonly #form
  readonly #autosave: Autosave
  readonly #device: Device
  readonly #projectId: string
  readonly #target: EntryTarget

  constructor(device: Device, { study }: Site['world'], view: EntryView, now: () => string) {
    const { compiled, otherPages, masked } = view
    if (compiled === null) throw new Error('the page cannot be read')
    const moment = { today: '2026-11-21', now: '2026-11-21 09:00:00' }
    this.#form = createFormState(compiled, view.data, { moment, readOnly: false, otherPages, masked })
    const { target, versionId } = view
    this.#device = device
    this.#projectId = study.projectId
    this.#target = target
    this.#autosave = new Autosave(
      this.#form,
      { target, versionId },
      {
        journal: (step, opening) => device.journalEdit(study.projectId, versionId, target, step, opening),
        journalAnswer: (answer, opening) => device.journalAnswer(study.projectId, versionId, target, answer, opening),
        letGo: (opening) => device.letGoTyping(target, opening),
        discard: (opening) => device.discardTyping(target, opening),
        prepare: (save) => device.prepareSave(study.projectId, save),
        save: (save) => device.saveEntry(study.projectId, save),
        submit: (save) => device.submitEntry(study.projectId, save),
      },
      now,
    )
    this.#autosave.offerSubmittedOnce(view.submittedOnce)
  }

  type(field: string, text: string): void {
    edit({ state: this.#form, onEdit: (one) => this.#autosave.edited(one) }, field, (form) => form.setText(field, text))
  }

  /** Adds a row to a table. Gives its `_rid`. */
  addRow(table: string): string {
    let added: string | null = null
    addRow(
      { state: this.#form, onEdit: (one) => this.#autosave.edited(one), openRow: ({ rid }) => (added = rid) },
      table,
      null,
      null,
    )
    if (added === null) throw new Error(`no row can be added to ${table}`)
    return added
  }

  /** Deletes a row, or brings it back. */
  setRowDeleted(table: string, rid: string, deleted: boolean): void {
    tellRow({ onEdit: (one) => this.#autosave.edited(one) }, this.#form.setRowDeleted(table, rid, deleted))
  }

  /** Says why a field has no value. */
  miss(field: string, missing: Missing | null): void {
    edit({ state: this.#form, onEdit: (one) => this.#autosave.edited(one) }, field, (form) =>
      form.setMissing(field, missing),
    )
  }

  /**
   * Takes a file into a field, of the page or of a row, as the screen does: on the disk first, then in the value. Gives
   * its id.
   */
  async attach(field: string, name: string, type: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
    const taken = valueOf(
      await this.#device.takeFile(this.#projectId, this.#target, addressOf(field), {
        name,
        type,
        content: new Blob([content]),
        thumb: null,
      }),
    )
    const now = this.shown(field)
    this.set(field, [...(Array.isArray(now) ? (now as readonly JsonValue[]) : []), { ...taken }])
    return taken.id
  }

  /** Gives a field a value that is not typed. */
  set(field: string, value: JsonValue | null): void {
    edit({ state: this.#form, onEdit: (one) => this.#autosave.edited(one) }, field, (form) =>
      form.setValue(field, value),
    )
  }

  /** What a field on the screen holds. */
  shown(field: string): JsonValue {
    return this.#form.getCell(field)?.value ?? null
  }

  /** Everything that the screen shows of its fields, rows included. */
  get cells(): readonly Cell[] {
    return this.#form.cells()
  }

  /** Whether a field is on the screen. */
  isVisible(field: string): boolean {
    return this.#form.getCell(field)?.visible ?? false
  }

  /** Fields that the page would save now. */
  get changed(): readonly string[] {
    return this.#form.changes().map(({ code }) => code)
  }

  /** What the page says of its own values. */
  get status(): SaveStatus {
    return this.#autosave.getStatus()
  }

  /** A newer reading reaches the screen. */
  shows(view: EntryView): void {
    this.#autosave.offerOtherPages(view.otherPages)
    this.#autosave.offer(view.data, view.order, view.masked)
  }

  async submit(): Promise<void> {
    const submitted = await this.#autosave.submit()
    if (!submitted.ok) throw new Error(`the page could not be submitted: ${submitted.error.code}`)
    await this.#autosave.close()
  }

  /** Leaves the page by what the dialog of a full disk offers: without what is not saved. */
  async discard(): Promise<void> {
    this.#autosave.discard()
    await this.#autosave.close()
  }

  /** Saves what is on the screen, now; the page stays open. */
  async flush(): Promise<void> {
    if (!(await this.#autosave.flush())) throw new Error('the page could not be saved')
  }

  async leave(): Promise<void> {
    if (!(await this.#autosave.flush())) throw new Error('the page could not be saved')
    await this.#autosave.close()
  }
}

/** A patient whom two coordinators look after, each at a tablet of their own: lin at the first, wu at the second. */
export async function sharedPatient(
  server: Server,
): Promise<{ readonly patient: string; readonly one: Tablet; readonly two: Tablet }> {
  const patient = await enrol(server.world)
  const [one, two] = [await Tablet.unpacked(server), await Tablet.unpacked(server)]
  await one.signIn('lin')
  await two.signIn('wu')
  return { patient, one, two }
}

/** What the server holds of the patient's vital signs. */
export async function onServer(server: Server, patientId: string): Promise<Pick<EntryRow, 'values'>['values']> {
  const [row] = await server.rows<{ values: EntryRow['values'] }>('SELECT "values" FROM entry WHERE patient_id = $1', [
    patientId,
  ])
  return row?.values ?? {}
}
