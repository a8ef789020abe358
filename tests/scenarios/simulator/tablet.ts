import { Dexie } from 'dexie'
import { newId } from '#core/ids.ts'
import { BEGINNING } from './clock.ts'
import { Disk } from './diskFaults.ts'
import { Hands } from './hands.ts'
import type { ShownQuery } from './answerHand.ts'
import type { AtWork } from './atWork.ts'
import { Network } from './network.ts'
import type { OpenPage } from './openPage.ts'
import type { Random } from './random.ts'
import { outboxText, remainsOf, whoLeftWork } from './remains.ts'
import type { Remains, ShownPage } from './remains.ts'
import { RunningApp } from './runningApp.ts'
import type { Hardware } from './runningApp.ts'
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
} from './simTablet.ts'
import type { Study } from './study.ts'
import type { WardServer } from './wardServer.ts'
import type { WardTablet } from './wards.ts'

/** A tablet made of the app's own parts, in this process. Only its clock, its network and its disk are made up. */
export class Tablet implements WardTablet {
  readonly name: string
  readonly #study: Study
  readonly #hardware: Hardware
  readonly network: Network
  readonly #disk = new Disk()
  #clockOffset = 0
  #now = BEGINNING
  #app: RunningApp
  readonly #hands: Hands

  private constructor(name: string, study: Study, hardware: Hardware, app: RunningApp) {
    this.name = name
    this.#study = study
    this.#hardware = hardware
    this.network = hardware.network
    this.#disk = hardware.disk
    this.#app = app
    this.#hands = new Hands(
      () => study.placesOf(this.person),
      () => new Date(this.now).toISOString(),
    )
  }

  static async unpacked(name: string, server: WardServer, study: Study, random: Random): Promise<Tablet> {
    let tablet: Tablet | null = null
    const hardware: Hardware = {
      prefix: `sim-${newId()}`,
      disk: new Disk(),
      network: new Network(server.door),
      study,
      server,
      now: () => tablet?.now ?? BEGINNING,
      random: () => random.next(),
      savePage: async () => tablet?.page?.flush(),
      isTypedOn: () => (tablet?.page ?? null) !== null,
      runtimes: new Set(),
    }
    tablet = new Tablet(name, study, hardware, await RunningApp.start(hardware))
    return tablet
  }

  /** The tablet's own clock, ms since the epoch. */
  get now(): number {
    return this.#now + this.#clockOffset
  }

  get deviceId(): string {
    return this.#app.deviceId
  }

  get page(): OpenPage | null {
    return this.#hands.page
  }

  get app(): RunningApp {
    return this.#app
  }

  get person(): PersonName | null {
    return this.#app.session?.person ?? null
  }

  signIn(person: PersonName): Promise<boolean> {
    return this.#shift(() => this.#app.signIn(person))
  }

  unlock(person: PersonName): Promise<boolean> {
    return this.#shift(() => this.#app.unlock(person))
  }

  async lock(): Promise<void> {
    await this.#shift(async () => {
      await this.#app.lock()
      return true
    })
  }

  /** Whoever comes next, the page of whoever was there is saved as far as it goes, and closed. */
  #shift(work: () => Promise<boolean>): Promise<boolean> {
    return this.#within(async () => {
      await this.#hands.drop()?.close()
      return work()
    })
  }

  patients(): Promise<readonly SeenPatient[]> {
    return this.#atWork([], (work) => this.#hands.patients(work))
  }

  enrol(patient: NewPatient): Promise<SeenPatient | null> {
    return this.#atWork(null, (work) => this.#hands.enrol(work, patient))
  }

  changePatient(patientId: string, field: PatientField, to: string): Promise<{ readonly base: Plain } | null> {
    return this.#atWork(null, (work) => this.#hands.changePatient(work, patientId, field, to))
  }

  repeats(patientId: string): Promise<readonly string[]> {
    return this.#atWork([], (work) => this.#hands.repeats(work, patientId))
  }

  open(page: PageOf): Promise<SeenPage | null> {
    return this.#atWork(null, (work) => this.#hands.open(work, page))
  }

  enter(field: string, entered: Entered): Promise<Edit | null> {
    return this.#atWork(null, (work) => this.#hands.enter(work, field, entered))
  }

  row(intent: RowIntent): Promise<RowDone | null> {
    return this.#atWork(null, (work) => this.#hands.row(work, intent))
  }

  photo(figure: number, bytes: number): Promise<Photo | null> {
    return this.#atWork(null, (work) => this.#hands.photo(work, figure, bytes))
  }

  visit(patientId: string, intent: VisitIntent): Promise<VisitDone | null> {
    return this.#atWork(null, (work) => this.#hands.visit(work, patientId, intent))
  }

  ask(patientId: string, question: QuestionIntent): Promise<boolean> {
    return this.#atWork(false, (work) => this.#hands.ask(work, patientId, question))
  }

  answer(intent: AnswerIntent): Promise<AnswerDone | null> {
    return this.#atWork(null, (work) => this.#hands.answer(work, intent))
  }

  rest(): Promise<boolean> {
    return this.#atWork(false, (work) => this.#hands.rest(work))
  }

  save(): Promise<boolean> {
    return this.#within(() => this.#hands.save())
  }

  submit(): Promise<boolean> {
    return this.#within(() => this.#hands.submit())
  }

  leave(): Promise<boolean> {
    return this.#within(() => this.#hands.leave())
  }

  refresh(): Promise<SeenPage | null> {
    return this.#within(() => this.#hands.refresh())
  }

  repeat(patientId: string, term: string): Promise<{ readonly repeat: string } | null> {
    return this.#atWork(null, (work) => this.#hands.repeat(work, patientId, term))
  }

  removeEntry(page: PageOf): Promise<boolean> {
    return this.#atWork(false, (work) => this.#hands.removeEntry(work, page))
  }

  decide(nth: number, choice: Choice, figure: number): Promise<Decided | null> {
    return this.#atWork(null, (work) => this.#hands.decide(work, nth, choice, figure))
  }

  poison(patientId: string): Promise<PageOf | null> {
    return this.#atWork(null, (work) => this.#hands.poison(work, patientId))
  }

  setAsideRefused(): Promise<boolean> {
    return this.#atWork(false, (work) => this.#hands.setAsideRefused(work))
  }

  async sync(asks: 'person' | 'app' = 'person'): Promise<void> {
    // Who sends by hand has been asked for reasons before.
    if (asks === 'person') await this.#atWork(false, (work) => this.#hands.explain(work))
    await this.#within(() => this.#app.sync(asks))
  }

  async connect(connection: 'online' | 'offline'): Promise<void> {
    this.network.online = connection === 'online'
  }

  expectFaults(faults: readonly RequestFault[]): void {
    this.network.expectFaults(faults)
  }

  async fillDisk(room: Room): Promise<void> {
    this.#disk.room = room
  }

  async closeDatabase(when: 'now' | 'after_commit'): Promise<void> {
    if (when === 'now') this.#app.closeDatabase()
    else this.#disk.closesAfterCommit = true
  }

  async setClock(offsetMs: number): Promise<void> {
    this.#clockOffset = offsetMs
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms
    this.#app.pass(ms)
    await this.#hands.page?.settled()
  }

  async die({ of, after, counts }: Death, during: () => Promise<unknown>): Promise<void> {
    if (of === 'worker') {
      this.#app.worker.dieAfter(after, counts)
      await this.#untilDead(during)
      this.#app.killWorker()
      return
    }
    this.#app.page.dieAfter(after)
    this.#app.worker.dieAfter(after)
    await this.#untilDead(during)
    this.#hands.drop()
    this.#app.kill()
    this.#app = await RunningApp.start(this.#hardware)
  }

  /** What a dead thread would still have said, nobody hears. */
  async #untilDead(during: () => Promise<unknown>): Promise<void> {
    try {
      await during()
    } catch (thrown) {
      if (!this.#app.page.dead && !this.#app.worker.dead) throw thrown
    }
  }

  async heal(): Promise<void> {
    this.network.heal()
    this.#disk.room = 'enough'
    this.#disk.closesAfterCommit = false
  }

  async deliverLate(): Promise<void> {
    await this.network.deliverLate()
  }

  async hasKeys(): Promise<boolean> {
    return (this.#app.ring.get(this.#study.placesOf(this.person).scope)?.sensitive ?? null) !== null
  }

  whoLeftWork(): Promise<readonly string[]> {
    return whoLeftWork(this.#app.storage)
  }

  outbox(): Promise<string> {
    return outboxText(this.#app.storage)
  }

  remains(): Promise<Remains> {
    const { session, storage, ring } = this.#app
    const userId = session?.context.user.userId ?? ''
    return this.#within(() =>
      remainsOf(storage, { work: this.#work(), ring, userId, scope: this.#study.placesOf(this.person).scope }),
    )
  }

  shown(page: PageOf): Promise<ShownPage | null> {
    return this.#atWork(null, (work) => this.#hands.shown(work, page))
  }

  shownQueries(patientId: string): Promise<readonly ShownQuery[] | null> {
    return this.#atWork(null, (work) => this.#hands.shownQueries(work, patientId))
  }

  async discard(): Promise<void> {
    this.#app.kill()
    for (const part of ['work', 'cache']) await Dexie.delete(`${this.#hardware.prefix}-${part}`)
  }

  #work(): AtWork | null {
    const { session, storage, author } = this.#app
    return session === null
      ? null
      : { device: session.device, storage, author, ended: (scope) => this.#app.hasEnded(scope) }
  }

  #within<Value>(run: () => Promise<Value>): Promise<Value> {
    return this.#app.within(run)
  }

  #atWork<Value>(otherwise: Value, run: (work: AtWork) => Promise<Value>): Promise<Value> {
    const work = this.#work()
    return work === null ? Promise.resolve(otherwise) : this.#within(() => run(work))
  }
}
