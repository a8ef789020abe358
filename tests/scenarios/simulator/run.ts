import { entryId } from '#core/derivedIds.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { askAtDesk, reviewAtDesk } from './monitorDesk.ts'
import { targetOf } from './places.ts'
import { Random } from './random.ts'
import { ReviewDesk } from './reviewDesk.ts'
import { Log } from './said.ts'
import type { SaidItem } from './said.ts'
import type { DeskLog } from './saidAtDesk.ts'
import type { AnswerIntent, PageOf, PersonName, QuestionIntent, SeenPatient } from './simTablet.ts'
import { isPersonAct } from './steps.ts'
import type { Act, History, PersonAct } from './steps.ts'
import { CARRIER, Study } from './study.ts'
import type { Staff } from './study.ts'
import type { SimServer, WardTablet } from './wards.ts'

/** Runs a history on a ward, and writes down what people meant. */

/** A ward after its history: what the oracle judges. */
export interface Ward {
  readonly history: History
  readonly server: SimServer
  readonly study: Study
  readonly tablets: readonly WardTablet[]
  readonly log: Log
  /** What reviewers said of fields. */
  readonly desk: DeskLog
  /** Who was ever at work at each tablet. */
  readonly seen: ReadonlyMap<string, ReadonlySet<PersonName>>
  /** What was done, step by step, and whether it could be done. */
  readonly diary: readonly string[]
  readonly restored: boolean
  readonly closed: boolean
}

/** Takes a new tablet out of its box; `random` is for whatever the app leaves to chance. */
export type Unpack = (name: string, study: Study, random: Random) => Promise<WardTablet>

/** Runs the steps, or the first of them (`length`). */
export async function runHistory(
  history: History,
  server: SimServer,
  staff: Staff,
  unpack: Unpack,
  length = history.steps.length,
): Promise<Ward> {
  server.begin()
  const runner = new Runner(history, server, await Study.begin(server, staff, history), unpack)
  await runner.begin()
  for (const { after, what } of history.steps.slice(0, length)) await runner.step(after, what)
  return runner.end()
}

class Runner {
  readonly #history: History
  readonly #server: SimServer
  readonly #study: Study
  readonly #unpack: Unpack
  readonly #tablets: WardTablet[] = []
  readonly #log = new Log()
  readonly #seen = new Map<string, Set<PersonName>>()
  readonly #diary: string[] = []
  /** Patients of the ward, in the order in which they came. */
  readonly #patients: string[] = []
  /** The page that is open at each tablet. */
  readonly #open = new Map<WardTablet, PageOf>()
  /** Patients as each tablet last listed them. */
  readonly #lists = new Map<WardTablet, readonly SeenPatient[]>()
  /** The query to which somebody said something last at a tablet. */
  #lastAnswered: string | null = null
  readonly #desk: ReviewDesk
  #restored = false
  #closed = false

  constructor(history: History, server: SimServer, study: Study, unpack: Unpack) {
    this.#history = history
    this.#server = server
    this.#study = study
    this.#unpack = unpack
    this.#desk = new ReviewDesk(study, server)
  }

  async begin(): Promise<void> {
    for (let count = 0; count < this.#history.patients; count += 1) this.#patients.push(await this.#study.enrol(count))
    if (this.#history.earlyBackup) await this.#server.backUp()
    const random = new Random(this.#history.seed ^ 0x5bd1e995)
    for (const [at, person] of this.#history.tablets.entries()) {
      const tablet = await this.#unpack(`tablet${at}`, this.#study, random)
      this.#tablets.push(tablet)
      await tablet.signIn(person)
      this.#at(tablet, person)
      await tablet.sync()
    }
  }

  end(): Ward {
    return {
      history: this.#history,
      server: this.#server,
      study: this.#study,
      tablets: this.#tablets,
      log: this.#log,
      desk: this.#desk.log,
      seen: this.#seen,
      diary: this.#diary,
      restored: this.#restored,
      closed: this.#closed,
    }
  }

  async step(after: number, what: Act): Promise<void> {
    await this.#server.pass(after)
    for (const tablet of this.#tablets) await tablet.pass(after)
    const came = await this.#act(what)
    this.#diary.push(`${came === false || came === null ? '·' : '✓'} ${JSON.stringify(what)}`)
  }

  /** Does it. Gives false or null where it could not be done. */
  async #act(what: Act): Promise<unknown> {
    if (isPersonAct(what)) return this.#person(what)
    switch (what.act) {
      case 'network':
        return this.#tablet(what.tablet).connect(what.connection)
      case 'requests':
        return this.#tablet(what.tablet).expectFaults(what.faults)
      case 'lateArrivals':
        for (const tablet of this.#tablets) await tablet.deliverLate()
        return true
      case 'die': {
        const tablet = this.#tablet(what.tablet)
        await tablet.die(what.death, async () => {
          for (const act of what.during) await this.#act(act)
        })
        if (what.death.of === 'page') this.#forgetPage(tablet)
        return true
      }
      case 'disk':
        return this.#tablet(what.tablet).fillDisk(what.room)
      case 'closeDatabase':
        return this.#tablet(what.tablet).closeDatabase(what.when)
      case 'clock':
        return this.#tablet(what.tablet).setClock(what.offsetMs)
      case 'poison': {
        const patientId = await this.#patientAt(this.#tablet(what.tablet), what.patient)
        return patientId === null ? null : this.#poison(this.#tablet(what.tablet), patientId)
      }
      case 'serverDies':
        return (await this.#server.statements()).endAfter(what.statements, what.how)
      case 'serverBusy':
        return (await this.#server.statements()).busyAfter(what.statements)
      case 'databaseDies':
        return false
      case 'backup':
        this.#desk.log.noteBackup()
        return this.#server.backUp()
      case 'restore':
        return this.#restore()
      case 'project': {
        // Once it is closed nobody's rights change any more: who carries what is left at the end has theirs.
        if (what.status === 'close') await this.#study.member(CARRIER, 'back')
        const changed = await this.#study.status(what.status)
        this.#closed ||= changed && what.status === 'close'
        return changed
      }
      case 'control': {
        const patientId = this.#patients[what.patient % this.#patients.length]
        if (patientId === undefined) return false
        return this.#study.control(
          entryId(this.#study.target({ patientId, page: 'vitals', repeat: '0' })),
          what.control,
        )
      }
      case 'member':
        return this.#study.member(what.person, what.change)
      case 'ask':
      case 'review':
        return this.#askOrReview(what)
      case 'look':
        return this.#desk.look(what.track, what.entry)
      case 'check':
        return this.#desk.check(what.check, () => this.#sendBeside(what.check.meanwhile))
      case 'checkAgain':
        return this.#desk.checkAgain(what.track)
      case 'plan':
        return this.#desk.switchPlan(what.plan)
      case 'serverWorks':
        return this.#serverWorks(what.meanwhile)
      case 'release':
        return this.#study.release()
      case 'device':
        return this.#study.block(this.#tablet(what.tablet).deviceId, what.blocked)
      case 'sessions':
        return this.#study.endSessions(what.person)
      case 'account':
        return this.#study.account(what.person, what.status)
      case 'together':
        return this.#together(what.acts, what.holdCommit ? 'commit' : what.holdPull === true ? 'pull' : null)
    }
  }

  async #restore(): Promise<boolean> {
    this.#study.signOutDesks()
    const came = await this.#server.restore()
    if (came) this.#desk.log.forgetSinceBackup()
    this.#restored ||= came
    return true
  }

  /** A tablet sends while something else is going on. */
  async #sendBeside(tablet: number | null): Promise<unknown> {
    return tablet === null ? null : this.#person({ act: 'sync', tablet })
  }

  async #serverWorks(meanwhile: number | null): Promise<boolean> {
    const works = async (): Promise<boolean> => {
      try {
        await this.#server.keepHouse()
        return true
      } catch {
        // The server ended in it.
        return false
      }
    }
    const [done] = await Promise.all([works(), this.#sendBeside(meanwhile)])
    return done
  }

  /** A monitor asks about a patient whom the server knew from the beginning, or reviews what was asked. */
  async #askOrReview(what: Extract<Act, { readonly act: 'ask' | 'review' }>): Promise<unknown> {
    const n = this.#log.next()
    const patientId = what.act === 'ask' ? this.#patients[what.question.patient % this.#history.patients] : undefined
    const said =
      what.act === 'review'
        ? await reviewAtDesk(this.#study, this.#server, what.review, this.#lastAnswered)
        : patientId === undefined
          ? null
          : await askAtDesk(this.#study, patientId, what.question)
    if (said !== null)
      this.#log.durable({ kind: 'answer', n, tablet: 'desk', person: 'monitor', ...said, isAtDesk: true })
    return said
  }

  /** Only monitors ask: to others the app offers it nowhere. */
  async #askHere(tablet: WardTablet, question: QuestionIntent): Promise<unknown> {
    const { person } = tablet
    const patientId = person === 'monitor' ? await this.#patientAt(tablet, question.patient) : null
    if (person === null || patientId === null) return null
    const n = this.#log.next()
    const { text } = question
    const done = await tablet.ask(patientId, question)
    if (done)
      this.#log.durable({
        kind: 'answer',
        n,
        tablet: tablet.name,
        person,
        patientId,
        queryId: null,
        text,
        isAtDesk: false,
      })
    return done
  }

  async #answer(tablet: WardTablet, answer: AnswerIntent): Promise<unknown> {
    const { person } = tablet
    if (person === null) return null
    const n = this.#log.next()
    const done = await tablet.answer(answer)
    this.#lastAnswered = done?.queryId ?? this.#lastAnswered
    const { text } = answer
    if (done !== null)
      this.#log.durable({ kind: 'answer', n, tablet: tablet.name, person, ...done, text, isAtDesk: false })
    return done
  }

  /** The first begins; where it is held back, the others come while it waits. */
  async #together([first, ...others]: readonly PersonAct[], heldBack: 'commit' | 'pull' | null): Promise<void> {
    if (first === undefined) return
    const statements = heldBack === null ? null : await this.#server.statements()
    const hold = (heldBack === 'commit' ? statements?.holdCommit() : statements?.holdPull()) ?? null
    const one = this.#person(first)
    if (hold !== null) await Promise.race([hold.reached, one])
    const rest = this.#together(others, null)
    await rest
    hold?.release()
    await one
  }

  async #person(what: PersonAct): Promise<unknown> {
    const tablet = this.#tablet(what.tablet)
    switch (what.act) {
      case 'signIn':
      case 'unlock': {
        this.#forgetPage(tablet)
        return this.#begin(tablet, what.person, what.act === 'signIn')
      }
      case 'lock':
        this.#forgetPage(tablet)
        return tablet.lock()
      case 'sync':
        this.#lists.delete(tablet)
        return tablet.sync()
      case 'syncByItself':
        this.#lists.delete(tablet)
        return tablet.sync('app')
      case 'rest':
        return this.#confirm(tablet, await tablet.rest(), false)
      case 'save':
        return this.#confirm(tablet, await tablet.save(), true)
      case 'submit':
        return !this.#reads(tablet) && this.#confirm(tablet, await tablet.submit(), true)
      case 'leave': {
        const left = this.#confirm(tablet, await tablet.leave(), true)
        if (left) this.#open.delete(tablet)
        return left
      }
      case 'refresh':
        return tablet.refresh()
      case 'enter':
        return this.#enter(tablet, what)
      case 'row':
        return this.#row(tablet, what)
      case 'photo':
        return this.#photo(tablet, what)
      case 'answer':
        return this.#answer(tablet, what.answer)
      case 'askHere':
        return this.#askHere(tablet, what.question)
      case 'enrol':
      case 'changePatient':
      case 'open':
      case 'repeat':
      case 'removeEntry':
      case 'visit':
      case 'decide':
        return this.#aboutPatient(tablet, what)
    }
  }

  /** A monitor reads. The app offers nothing else to them, and the server would refuse it. */
  #reads(tablet: WardTablet): boolean {
    return tablet.person === 'monitor'
  }

  async #aboutPatient(
    tablet: WardTablet,
    what: Extract<
      PersonAct,
      { readonly act: 'enrol' | 'changePatient' | 'open' | 'repeat' | 'removeEntry' | 'visit' | 'decide' }
    >,
  ): Promise<unknown> {
    const { person } = tablet
    if (person === null || (this.#reads(tablet) && what.act !== 'open')) return null
    const n = this.#log.next()
    const by = { n, tablet: tablet.name, person }
    if (what.act === 'decide') {
      const decided = await tablet.decide(what.conflict, what.choice, what.figure)
      if (decided !== null) this.#log.durable({ kind: 'decision', ...by, ...decided })
      return decided
    }
    if (what.act === 'enrol') {
      const enrolled = await tablet.enrol(what.patient)
      if (enrolled === null) return null
      const { patientId, no } = enrolled
      this.#patients.push(patientId)
      this.#lists.delete(tablet)
      this.#log.numberShown(patientId, no)
      this.#log.durable({ kind: 'patient', ...by, patientId, no, fields: { ...what.patient } })
      return enrolled
    }
    const patientId = await this.#patientAt(tablet, what.patient)
    if (patientId === null) return null
    switch (what.act) {
      case 'changePatient': {
        const changed = await tablet.changePatient(patientId, what.field, what.to)
        if (changed !== null)
          this.#log.durable({ kind: 'field', ...by, patientId, field: what.field, base: changed.base, to: what.to })
        return changed
      }
      case 'open': {
        const page = {
          patientId,
          page: what.page,
          repeat: what.page === 'event' ? await this.#repeat(tablet, patientId, what.repeat) : '0',
        }
        const opened = await tablet.open(page)
        if (opened !== null) this.#open.set(tablet, page)
        return opened
      }
      case 'repeat': {
        const made = await tablet.repeat(patientId, what.term)
        if (made === null) return null
        const id = entryId(this.#target(tablet, { patientId, page: 'event', repeat: made.repeat }))
        const to = { value: what.term, missing: null }
        const item = {
          entryId: id,
          table: null,
          rid: null,
          code: 'term',
          base: { value: null, missing: null },
          to,
          typed: what.term,
        }
        this.#log.durable({ kind: 'item', ...by, patientId, ...item, continued: false })
        return made
      }
      case 'visit': {
        const said = await tablet.visit(patientId, what.visit)
        if (said !== null) this.#log.durable({ kind: 'visit', ...by, patientId, ...said })
        return said
      }
      case 'removeEntry': {
        const page: PageOf = { patientId, page: 'event', repeat: await this.#repeat(tablet, patientId, what.repeat) }
        const removed = await tablet.removeEntry(page)
        if (removed)
          this.#log.durable({ kind: 'removal', ...by, patientId, entryId: entryId(this.#target(tablet, page)) })
        return removed
      }
    }
  }

  async #enter(
    tablet: WardTablet,
    { field, entered }: Extract<PersonAct, { readonly act: 'enter' }>,
  ): Promise<unknown> {
    const page = this.#open.get(tablet)
    const { person } = tablet
    if (this.#reads(tablet)) return null
    const edit = await tablet.enter(field, entered)
    if (edit === null || page === undefined || person === null) return null
    const place = {
      patientId: page.patientId,
      entryId: entryId(this.#target(tablet, page)),
      table: null,
      rid: null,
      code: field,
    }
    const { sealable, ...typed } = edit
    const said: SaidItem = {
      kind: 'item',
      n: this.#log.next(),
      tablet: tablet.name,
      person,
      ...place,
      ...typed,
      continued: false,
    }
    if (sealable === false) this.#log.unsealable.push(said)
    this.#log.typed(said)
    return edit
  }

  async #photo(tablet: WardTablet, { figure, bytes }: Extract<PersonAct, { readonly act: 'photo' }>): Promise<unknown> {
    const page = this.#open.get(tablet)
    const { person } = tablet
    if (this.#reads(tablet)) return null
    const photo = await tablet.photo(figure, bytes)
    if (photo === null || page === undefined || person === null) return null
    this.#log.taken({
      kind: 'photo',
      n: this.#log.next(),
      tablet: tablet.name,
      person,
      patientId: page.patientId,
      entryId: entryId(this.#target(tablet, page)),
      ...photo,
    })
    return photo
  }

  async #poison(tablet: WardTablet, patientId: string): Promise<unknown> {
    const { person } = tablet
    const page = this.#reads(tablet) ? null : await tablet.poison(patientId)
    if (page === null || person === null) return null
    this.#log.durable({
      kind: 'poison',
      n: this.#log.next(),
      tablet: tablet.name,
      person,
      patientId,
      entryId: entryId(this.#target(tablet, page)),
    })
    return page
  }

  async #row(tablet: WardTablet, { row }: Extract<PersonAct, { readonly act: 'row' }>): Promise<unknown> {
    const page = this.#open.get(tablet)
    const { person } = tablet
    if (this.#reads(tablet)) return null
    const done = await tablet.row(row)
    if (done === null || page === undefined || person === null) return null
    const { rid, state, item } = done
    const common = {
      tablet: tablet.name,
      person,
      patientId: page.patientId,
      entryId: entryId(this.#target(tablet, page)),
      table: 'drugs',
      rid,
    }
    if (state !== null) this.#log.durable({ kind: 'row', n: this.#log.next(), ...common, ...state })
    if (item === null) return done
    const { field, base, to, typed } = item
    this.#log.durable({ kind: 'item', n: this.#log.next(), ...common, code: field, base, to, typed, continued: false })
    return done
  }

  #confirm(tablet: WardTablet, came: boolean, saved: boolean): boolean {
    if (came) this.#log.confirmed(tablet.name, saved)
    return came
  }

  #forgetPage(tablet: WardTablet): void {
    this.#lists.delete(tablet)
    this.#open.delete(tablet)
    this.#log.gone(tablet.name)
  }

  /** Without a network the vault opens; and where somebody has never been at a tablet, one of those begins who were. */
  async #begin(tablet: WardTablet, person: PersonName, online: boolean): Promise<boolean> {
    const came = (online && (await tablet.signIn(person))) || (await tablet.unlock(person))
    if (came) {
      this.#at(tablet, person)
      return true
    }
    const [known] = this.#seen.get(tablet.name) ?? []
    return known !== undefined && (await tablet.unlock(known))
  }

  #at(tablet: WardTablet, person: PersonName): void {
    const known = this.#seen.get(tablet.name) ?? new Set()
    this.#seen.set(tablet.name, known.add(person))
  }

  /** The nth patient that the tablet shows. The list is looked at anew when it may have changed. */
  async #patientAt(tablet: WardTablet, nth: number): Promise<string | null> {
    const shown = this.#lists.get(tablet) ?? (await tablet.patients())
    this.#lists.set(tablet, shown)
    for (const { patientId, no } of shown) this.#log.numberShown(patientId, no)
    const known = this.#patients.filter((id) => shown.some(({ patientId }) => patientId === id))
    return known[nth % Math.max(1, known.length)] ?? null
  }

  async #repeat(tablet: WardTablet, patientId: string, nth: number): Promise<string> {
    const repeats = await tablet.repeats(patientId)
    return repeats[nth % Math.max(1, repeats.length)] ?? '0'
  }

  #target({ person }: WardTablet, page: PageOf): EntryTarget {
    return targetOf(this.#study.placesOf(person), page)
  }

  #tablet(at: number): WardTablet {
    const tablet = this.#tablets[at]
    if (tablet === undefined) throw new RangeError(`there is no tablet ${at}`)
    return tablet
  }
}
