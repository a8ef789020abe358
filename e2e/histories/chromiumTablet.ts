import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { ShownQuery } from '#tests/scenarios/simulator/answerHand.ts'
import type { Remains, ShownPage } from '#tests/scenarios/simulator/remains.ts'
import type {
  AnswerDone,
  AnswerIntent,
  Choice,
  Death,
  Decided,
  Edit,
  Entered,
  NewPatient,
  PageOf,
  PatientField,
  PersonName,
  Photo,
  Plain,
  QuestionIntent,
  RequestFault,
  Room,
  RowDone,
  RowIntent,
  SeenPage,
  SeenPatient,
  VisitDone,
  VisitIntent,
} from '#tests/scenarios/simulator/simTablet.ts'
import type { Study } from '#tests/scenarios/simulator/study.ts'
import type { WardTablet } from '#tests/scenarios/simulator/wards.ts'
import { FaultProxy } from '../support/faultProxy.ts'
import { Quota } from '../support/quota.ts'
import type { PageAct, WorkAct } from './page/main.ts'
import type { ServerProcess } from './serverProcess.ts'

/** How long one step of a dying thread takes, about: deaths are counted in steps. */
const STEP_MS = 8
/** What has not come back after so long hangs on a page that is gone. */
const LONGEST_MS = 60_000
const HOUR_MS = 3_600_000

/** What tablets of one ward have in common. */
export interface Surroundings {
  readonly browser: Browser
  readonly server: ServerProcess
  readonly study: Study
  /** Folder of the built page. */
  readonly harness: string
}

/** A tablet in a real Chromium, with a network of its own to the real server. */
export class ChromiumTablet implements WardTablet {
  readonly name: string
  readonly #surroundings: Surroundings
  readonly #proxy: FaultProxy
  readonly #context: BrowserContext
  #page: Page
  #deviceId = ''
  #person: PersonName | null = null
  #online = true
  #clockOffset = 0
  #room: Room = 'enough'
  #quota: Quota | null = null
  /** Errors that nothing in the page has caught. */
  readonly complaints: string[] = []

  private constructor(
    name: string,
    surroundings: Surroundings,
    proxy: FaultProxy,
    context: BrowserContext,
    page: Page,
  ) {
    this.name = name
    this.#surroundings = surroundings
    this.#proxy = proxy
    this.#context = context
    this.#page = page
  }

  static async unpacked(name: string, surroundings: Surroundings): Promise<ChromiumTablet> {
    const { browser, server, harness } = surroundings
    const proxy = await FaultProxy.start({ serverPort: server.port, harness, onCall: () => server.called() })
    const context = await browser.newContext({ locale: 'zh-CN' })
    const tablet = new ChromiumTablet(name, surroundings, proxy, context, await context.newPage())
    await tablet.#load()
    return tablet
  }

  get deviceId(): string {
    return this.#deviceId
  }

  get person(): PersonName | null {
    return this.#person
  }

  /** Faults of the network that happened, by kind. */
  get happened(): ReadonlyMap<string, number> {
    return this.#proxy.happened
  }

  async signIn(person: PersonName): Promise<boolean> {
    if (!this.#online) return false
    const token = await this.#token(person)
    // If the page dies meanwhile, nobody is at work.
    this.#person = null
    const came = await this.#run(([user, given]) => window.tablet.signIn(user, given), [
      this.#staff[person],
      token,
    ] as const)
    this.#person = came ? person : null
    return came
  }

  async unlock(person: PersonName): Promise<boolean> {
    this.#person = null
    const came = await this.#run((user) => window.tablet.unlock(user), this.#staff[person])
    this.#person = came ? person : null
    return came
  }

  async lock(): Promise<void> {
    await this.#run(() => window.tablet.lock(), null)
    this.#person = null
  }

  async patients(): Promise<readonly SeenPatient[]> {
    return (await this.#hand<readonly SeenPatient[]>('patients')) ?? []
  }

  enrol(patient: NewPatient): Promise<SeenPatient | null> {
    return this.#hand('enrol', patient)
  }

  changePatient(patientId: string, field: PatientField, to: string): Promise<{ readonly base: Plain } | null> {
    return this.#hand('changePatient', patientId, field, to)
  }

  async repeats(patientId: string): Promise<readonly string[]> {
    return (await this.#hand<readonly string[]>('repeats', patientId)) ?? []
  }

  open(page: PageOf): Promise<SeenPage | null> {
    return this.#hand('open', page)
  }

  enter(field: string, entered: Entered): Promise<Edit | null> {
    return this.#hand('enter', field, entered)
  }

  row(intent: RowIntent): Promise<RowDone | null> {
    return this.#hand('row', intent)
  }

  photo(figure: number, bytes: number): Promise<Photo | null> {
    return this.#hand('photo', figure, bytes)
  }

  visit(patientId: string, intent: VisitIntent): Promise<VisitDone | null> {
    return this.#hand('visit', patientId, intent)
  }

  async ask(patientId: string, question: QuestionIntent): Promise<boolean> {
    return (await this.#hand<boolean>('ask', patientId, question)) ?? false
  }

  answer(intent: AnswerIntent): Promise<AnswerDone | null> {
    return this.#hand('answer', intent)
  }

  async rest(): Promise<boolean> {
    return (await this.#hand<boolean>('rest')) ?? false
  }

  save(): Promise<boolean> {
    return this.#onPage('save')
  }

  submit(): Promise<boolean> {
    return this.#onPage('submit')
  }

  leave(): Promise<boolean> {
    return this.#onPage('leave')
  }

  refresh(): Promise<SeenPage | null> {
    return this.#onPage('refresh')
  }

  repeat(patientId: string, term: string): Promise<{ readonly repeat: string } | null> {
    return this.#hand('repeat', patientId, term)
  }

  async removeEntry(page: PageOf): Promise<boolean> {
    return (await this.#hand<boolean>('removeEntry', page)) ?? false
  }

  decide(nth: number, choice: Choice, figure: number): Promise<Decided | null> {
    return this.#hand('decide', nth, choice, figure)
  }

  poison(patientId: string): Promise<PageOf | null> {
    return this.#hand('poison', patientId)
  }

  async setAsideRefused(): Promise<boolean> {
    return (await this.#hand<boolean>('setAsideRefused')) ?? false
  }

  /** A session that is over is renewed over the network first. */
  async sync(): Promise<void> {
    const signedIn = await this.#run(() => window.tablet.sync(), null)
    if (signedIn || !this.#online || this.#person === null) return
    await this.#run((token) => window.tablet.renew(token), await this.#token(this.#person))
    await this.#run(() => window.tablet.sync(), null)
  }

  async connect(connection: 'online' | 'offline'): Promise<void> {
    this.#online = connection === 'online'
    await (this.#online ? this.#proxy.restore() : this.#proxy.cut())
  }

  expectFaults(faults: readonly RequestFault[]): void {
    this.#proxy.expectFaults(faults)
  }

  /** A real disk that is full may still take what is small. */
  async fillDisk(room: Room): Promise<void> {
    const [before, full] = [this.#room !== 'enough', room !== 'enough']
    this.#room = room
    if (full !== before) await (full ? this.#quota?.fill() : this.#quota?.free())
  }

  async closeDatabase(when: 'now' | 'after_commit'): Promise<void> {
    await this.#run((given) => window.tablet.closeDatabase(given), when)
  }

  async setClock(offsetMs: number): Promise<void> {
    this.#clockOffset = offsetMs
    await this.#run((given) => window.tablet.setClock(given), offsetMs)
  }

  /** Time is real here: what the app does by its own clocks, it does while the history goes on. */
  async pass(): Promise<void> {
    await Promise.resolve()
  }

  async die({ of, after }: Death, during: () => Promise<unknown>): Promise<void> {
    let dead = false
    const dying = during().catch((error: unknown) => {
      // What a dead thread would still have said, nobody hears.
      if (!dead) throw error
    })
    dying.catch(() => undefined)
    await sleep(after * STEP_MS)
    dead = true
    if (of === 'worker') {
      await this.#run(() => window.tablet.killThreads(), null)
      await dying
      return
    }
    await this.#crash()
    await dying
    this.#person = null
    this.#page = await this.#context.newPage()
    await this.#load()
  }

  async heal(): Promise<void> {
    this.#online = true
    await this.fillDisk('enough')
    await this.#run(() => window.tablet.heal(), null)
    // What gave way on a full disk comes back by itself only after a while.
    await this.setClock(this.#clockOffset + HOUR_MS)
    await this.#proxy.heal()
  }

  deliverLate(): Promise<void> {
    return this.#proxy.deliverLate()
  }

  hasKeys(): Promise<boolean> {
    return this.#run(() => window.tablet.hasKeys(), null)
  }

  whoLeftWork(): Promise<readonly string[]> {
    return this.#run(() => window.tablet.whoLeftWork(), null)
  }

  outbox(): Promise<string> {
    return this.#run(() => window.tablet.outbox(), null)
  }

  remains(): Promise<Remains> {
    return this.#run(() => window.tablet.remains(), null)
  }

  shown(page: PageOf): Promise<ShownPage | null> {
    return this.#hand('shown', page)
  }

  shownQueries(patientId: string): Promise<readonly ShownQuery[] | null> {
    return this.#hand('shownQueries', patientId)
  }

  async discard(): Promise<void> {
    await this.#context.close()
    await this.#proxy.close()
  }

  get #staff(): Study['staff'] {
    return this.#surroundings.study.staff
  }

  #token(person: PersonName): Promise<string> {
    return this.#surroundings.server.token(this.#staff[person], this.#deviceId)
  }

  async #load(): Promise<void> {
    this.#page.on('pageerror', (error) => this.complaints.push(String(error)))
    this.#quota = await Quota.of(this.#page, this.#proxy.address, this.#room !== 'enough')
    // The app's own files come from the service worker where it is in use; here the network lets them through.
    if (!this.#online) await this.#proxy.restore()
    await this.#page.goto(`${this.#proxy.address}/harness/index.html`)
    if (!this.#online) await this.#proxy.cut()
    const places = this.#surroundings.study.placesOf(null)
    this.#deviceId = await this.#run(([given, offsetMs]) => window.unpack(given, offsetMs), [
      places,
      this.#clockOffset,
    ] as const)
  }

  /** The renderer dies at once: nothing of the page runs any more, and nothing that it says is heard. */
  async #crash(): Promise<void> {
    const page = this.#page
    const gone = new Promise<void>((resolve) => {
      page.once('crash', () => resolve())
    })
    const session = await this.#context.newCDPSession(page)
    // It never answers.
    session.send('Page.crash').catch(() => undefined)
    await gone
    await page.close()
  }

  #hand<Answer>(act: WorkAct, ...given: readonly unknown[]): Promise<Answer | null> {
    return this.#run(([name, values]) => window.tablet.hand(name, values), [
      act,
      given,
    ] as const) as Promise<Answer | null>
  }

  #onPage<Answer>(act: PageAct, ...given: readonly unknown[]): Promise<Answer> {
    return this.#run(([name, values]) => window.tablet.onPage(name, values), [act, given] as const) as Promise<Answer>
  }

  async #run<Given, Answer>(work: (given: Given) => Promise<Answer> | Answer, given: Given): Promise<Answer> {
    const ended = Promise.withResolvers<never>()
    const limit = setTimeout(
      () =>
        ended.reject(
          new Error(`${this.name}: no answer to ${JSON.stringify(given)} within ${LONGEST_MS} ms, of ${String(work)}`),
        ),
      LONGEST_MS,
    )
    try {
      // Playwright takes functions of plain data; that these are plain the interface says.
      return await Promise.race([this.#page.evaluate(work as never, given) as Promise<Answer>, ended.promise])
    } finally {
      clearTimeout(limit)
    }
  }
}
