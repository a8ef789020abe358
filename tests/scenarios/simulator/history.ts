import { QueryWork } from './queryWork.ts'
import { Random } from './random.ts'
import { ReviewWork } from './reviewWork.ts'
import type { PageName, PersonName, RequestFault, VisitIntent } from './simTablet.ts'
import { RARE_SITUATIONS, SITUATIONS, writeSituation } from './situations.ts'
import type { Situation } from './situations.ts'
import { isPersonAct } from './steps.ts'
import type { Act, Fault, History, PersonAct, Step, StudyAct } from './steps.ts'
import { Words } from './words.ts'

/** Makes histories: from a seed, the same one always. */

const TABLETS: readonly PersonName[] = ['lin', 'wu', 'chen']
const CRCS: readonly [PersonName, ...PersonName[]] = ['lin', 'wu', 'chen']
const FEWEST_ACTS = 50

/** After these nobody knows whether what was sent has arrived: each history has one or two of them. */
const DOUBTS = ['answerLost', 'duplicates', 'late', 'cuts', 'workerDeath', 'serverDeath'] as const
const OTHERS = [
  'lost',
  'offline',
  'pageDeath',
  'serverBusy',
  'clock',
  'fullDisk',
  'closedDatabase',
  'project',
  'control',
  'member',
  'release',
  'poison',
  'crossing',
  'shift',
] as const
type FaultKind = (typeof DOUBTS)[number] | (typeof OTHERS)[number] | 'restore' | 'databaseDeath'

/** Share of the histories that are brought to a situation (situations.ts). */
const WITH_SITUATION = 0.6
/** Share of the histories in whose study pages read each other, and of those that are brought to where that is hard. */
const WITH_CROSSING = 0.25
const AT_ONE_MOMENT = 0.5
const WITH_RIGHT_ENDING = 0.35

/**
 * How often a photograph or a visit comes after something that a person does, and what befalls the sending of files.
 */
const SHARE_BESIDES = 0.35
const SHARE_SECOND_PASS = 0.12
const FILE_FAULTS = ['lost', 'answer_lost', 'twice', 'twins', 'late', 'gateway'] as const

export interface HistoryOptions {
  /** Histories that a run can afford only a few of: the database is copied, or killed. */
  readonly rare?: 'restore' | 'databaseDeath'
  /** Whether rules of pages read others; by default in about every fourth history. */
  readonly crosses?: boolean
  /** Whether a right ends under an open page; by default in about every third history. */
  readonly rights?: boolean
  /**
   * Whether photographs are taken, things said of visits, queries asked and patients entered twice; by default not.
   */
  readonly casebook?: boolean
  /** Whether reviewers verify what is entered; by default not. */
  readonly reviews?: boolean
}

export function makeHistory(
  seed: number,
  { rare, crosses = isCrossing(seed), casebook = false, rights = false, reviews = false }: HistoryOptions = {},
): History {
  const random = new Random(seed)
  const faults: readonly FaultKind[] = [
    ...random.several(DOUBTS, random.whole(1, 2)),
    ...random.several(OTHERS, random.whole(2, 4)),
    ...(rare === undefined ? [] : [rare]),
  ]
  // By chances of their own: histories without one are as they would be if there were none.
  const ofSituations = new Random(seed ^ 0x2545f491)
  const usual = ofSituations.chance(WITH_SITUATION) ? [ofSituations.pick(SITUATIONS)] : []
  const common = seed % 8 === 7 ? [ofSituations.pick(RARE_SITUATIONS)] : usual
  const usualOnes: readonly Situation[] =
    crosses && ofSituations.chance(AT_ONE_MOMENT) ? [...common, 'readWhileSaved'] : common
  // By chances of their own as well.
  const situations: readonly Situation[] =
    rights || new Random(seed ^ 0x7f4a7c15).chance(WITH_RIGHT_ENDING) ? [...usualOnes, 'rightEnds'] : usualOnes
  const author = new HistoryAuthor(
    random,
    {
      faults,
      crosses,
      casebook: casebook ? new Random(seed ^ 0x1f83d9ab) : null,
      // The second pass has a tablet of its own.
      queries: casebook ? new QueryWork(new Random(seed ^ 0x3c6ef372), TABLETS.length + 1) : null,
      reviews: reviews ? new ReviewWork(new Random(seed ^ 0x5be0cd19), TABLETS.length) : null,
    },
    ofSituations,
    situations,
  )
  return {
    seed,
    tablets: casebook ? [...TABLETS, 'deng'] : TABLETS,
    patients: 3,
    faults: [...faults, ...situations],
    ownDatabase: rare !== undefined,
    earlyBackup: rare === 'restore' && seed % 2 === 1,
    crosses,
    casebook,
    reviews,
    steps: author.write(rare === 'restore' && seed % 2 === 1),
  }
}

/** By chances of their own as well. */
function isCrossing(seed: number): boolean {
  return new Random(seed ^ 0x68e31da4).chance(WITH_CROSSING)
}

/** What the author of a history knows of a tablet: enough to write what a person could do next. */
interface Draft {
  locked: boolean
  open: PageName | null
  edits: number
}

interface Kind {
  readonly faults: readonly FaultKind[]
  readonly crosses: boolean
  /** Chances of photographs and visits; null where there are none. */
  readonly casebook: Random | null
  /** What happens about queries; null where nothing does. */
  readonly queries: QueryWork | null
  /** What happens about marks; null where nothing does. */
  readonly reviews: ReviewWork | null
}

class HistoryAuthor {
  readonly #random: Random
  readonly #faults: ReadonlySet<FaultKind>
  readonly #crosses: boolean
  readonly #casebook: Random | null
  readonly #queries: QueryWork | null
  readonly #reviews: ReviewWork | null
  readonly #tablets: readonly Draft[] = TABLETS.map(() => ({ locked: false, open: null, edits: 0 }))
  readonly #steps: Step[] = []
  readonly #words: Words
  #acts = 0
  #hasBackup = false
  /** What ends by itself after so many acts: a dead spot is left, room is made on a disk. */
  #ends: readonly { readonly at: number; readonly what: Act }[] = []
  readonly #ofSituations: Random
  /** Situations to come, with the number of acts after which they do. */
  #situations: readonly { readonly at: number; readonly situation: Situation }[]

  constructor(
    random: Random,
    { faults, crosses, casebook, queries, reviews }: Kind,
    ofSituations: Random,
    situations: readonly Situation[],
  ) {
    this.#random = random
    this.#words = new Words(random, crosses)
    this.#faults = new Set(faults)
    this.#crosses = crosses
    this.#casebook = casebook
    this.#queries = queries
    this.#reviews = reviews
    this.#ofSituations = ofSituations
    this.#situations = situations.map((situation) => ({ at: ofSituations.whole(4, FEWEST_ACTS - 10), situation }))
  }

  /** @param hasBackup whether there is one from before */
  write(hasBackup: boolean): readonly Step[] {
    this.#hasBackup = hasBackup
    // Two patients are enrolled on the ward itself, one of them by a tablet that may have no numbers any more.
    this.#say(this.#enrolment(0))
    this.#say(this.#enrolment(1))
    this.#steps.push(...(this.#queries?.begin() ?? []), ...(this.#reviews?.begin() ?? []))
    if (this.#crosses) this.#fillAll(this.#random.whole(0, TABLETS.length - 1))
    const most = FEWEST_ACTS + this.#random.whole(2, 12)
    while (this.#acts < most) {
      for (const { what } of this.#ends.filter(({ at }) => at <= this.#acts)) this.#say(what)
      this.#ends = this.#ends.filter(({ at }) => at > this.#acts)
      for (const { situation } of this.#situations.filter(({ at }) => at <= this.#acts)) this.#come(situation)
      this.#situations = this.#situations.filter(({ at }) => at > this.#acts)
      if (this.#random.chance(0.2)) this.#befalls()
      else this.#person(this.#random.whole(0, TABLETS.length - 1))
      if (this.#casebook !== null) this.#besides(this.#casebook)
      this.#steps.push(...(this.#queries?.write() ?? []))
      if (this.#reviews !== null) this.#review(this.#reviews)
    }
    return this.#steps
  }

  /** Reviewers come between all else; now and then a tablet is left to somebody whose work they wait for. */
  #review(reviews: ReviewWork): void {
    const { steps, tablet } = reviews.write()
    this.#steps.push(...steps)
    if (tablet !== null) Object.assign(this.#draft(tablet), { locked: false, open: null, edits: 0 })
  }

  /**
   * Photographs and visits come between all else, by chances of their own: what else happens is as it would be without
   * them.
   */
  #besides(random: Random): void {
    if (random.chance(SHARE_SECOND_PASS)) this.#secondPass(random)
    if (!random.chance(SHARE_BESIDES)) return
    const tablet = random.whole(0, TABLETS.length - 1)
    const step = (what: Act): unknown => this.#steps.push({ after: random.whole(50, 2000), what })
    const onPage = this.#draft(tablet).open === 'vitals'
    if (onPage && random.chance(0.7)) {
      if (random.chance(0.5))
        step({
          act: 'requests',
          tablet,
          faults: random.several(FILE_FAULTS, random.whole(1, 3)).map((kind) => ({ on: 'files', kind, lines: 0 })),
        })
      step({ act: 'photo', tablet, figure: random.whole(1, 1_000_000), bytes: random.chance(0.3) ? 600_000 : 3000 })
      if (random.chance(0.6)) step({ act: 'save', tablet })
      if (random.chance(0.6)) step({ act: 'sync', tablet })
      return
    }
    step({ act: 'visit', tablet, patient: random.whole(0, 2), visit: this.#visit(random) })
    if (random.chance(0.3)) step({ act: 'sync', tablet })
  }

  /**
   * Deng, at a tablet of their own, enters a page for the second time; mostly what the others enter, at times without a
   * network.
   */
  #secondPass(random: Random): void {
    const tablet = TABLETS.length
    const step = (what: Act): unknown => this.#steps.push({ after: random.whole(50, 2000), what })
    const text = (field: string, figure: string): PersonAct => ({
      act: 'enter',
      tablet,
      field,
      entered: { how: 'text', text: figure },
    })
    step({ act: 'network', tablet, connection: random.chance(0.3) ? 'offline' : 'online' })
    if (random.chance(0.3))
      step({
        act: 'requests',
        tablet,
        faults: [
          {
            on: random.pick(['push', 'pull']),
            kind: random.pick(['lost', 'answer_lost', 'twins', 'late', 'cut']),
            lines: random.whole(0, 3),
          },
        ],
      })
    const entered: readonly PersonAct[] = [
      { act: 'open', tablet, patient: random.whole(0, 2), page: 'vitals', repeat: 0 },
      ...random.several(
        [
          text('weight', `${50 + random.whole(1, 9) / 100}`),
          text('height', `${150 + random.whole(1, 9) / 100}`),
          text('note', `note${random.whole(1, 30)}`),
          text('note', '无'),
        ],
        random.whole(1, 3),
      ),
      ...(random.chance(0.4)
        ? [{ act: 'photo', tablet, figure: random.whole(1, 1_000_000), bytes: 3000 } as const]
        : []),
      { act: 'leave', tablet },
    ]
    const dies = random.chance(0.15)
    if (dies) step({ act: 'die', tablet, death: { of: 'page', after: random.whole(0, 12) }, during: entered })
    else for (const what of entered) step(what)
    if (dies) step({ act: 'signIn', tablet, person: 'deng' })
    step({ act: 'sync', tablet })
  }

  #visit(random: Random): VisitIntent {
    const day = `2026-12-${String(random.whole(1, 28)).padStart(2, '0')}`
    const [how, visit] = [
      random.weighted([
        [4, 'date'],
        [2, 'make'],
        [2, 'skip'],
        [1, 'remove'],
        [1, 'restore'],
      ]),
      random.whole(0, 3),
    ]
    switch (how) {
      case 'make':
        return { how, day }
      case 'date':
        return { how, visit, day }
      case 'skip':
        return { how, visit, why: `缘由${random.whole(1, 1_000_000)}` }
      case 'remove':
      case 'restore':
        return { how, visit }
    }
  }

  /**
   * All pages of a patient have something on them from the beginning, in any order, so that what follows reaches from
   * each to the others.
   */
  #fillAll(tablet: number): void {
    const text = (field: string, figure: string): Act => ({
      act: 'enter',
      tablet,
      field,
      entered: { how: 'text', text: figure },
    })
    const filled: Readonly<Record<PageName, readonly Act[]>> = {
      vitals: [
        text('weight', `${50 + this.#words.next() / 100}`),
        { act: 'enter', tablet, field: 'smokes', entered: { how: 'choice', value: '1' } },
        text('packs', `${1.1 + this.#words.next() / 10}`),
      ],
      event: [text('term', `事件${this.#words.next()}`), text('lung', `肺${this.#words.next()}`)],
      therapy: [text('plan', `方案${this.#words.next()}`), text('cough', `咳${this.#words.next()}`)],
    }
    for (const page of this.#random.several(['vitals', 'event', 'therapy'] as const, 3)) {
      const acts: readonly Act[] = [
        { act: 'open', tablet, patient: 0, page, repeat: 0 },
        ...filled[page],
        { act: 'leave', tablet },
      ]
      for (const what of acts) this.#say(what)
      if (this.#random.chance(0.5)) this.#say({ act: 'sync', tablet })
    }
    this.#acts = 0
  }

  #say(what: Act): void {
    const after = this.#random.weighted([
      [6, this.#random.whole(50, 2000)],
      [2, this.#random.whole(2000, 60_000)],
      [1, this.#random.whole(60_000, 3_600_000)],
    ])
    this.#write({ after, what })
  }

  #write(step: Step): void {
    this.#steps.push(step)
    const { what } = step
    if (isPersonAct(what)) this.#acts += 1
    if ('acts' in what) this.#acts += what.acts.length
    if (what.act === 'die') this.#acts += what.during.length
  }

  /** Brings the history to a situation: its tablets are left to those who came for it. */
  #come(situation: Situation): void {
    const [one = 0, other = 1] = this.#ofSituations.several([0, 1, 2], 2)
    const { steps, locked } = writeSituation(situation, {
      random: this.#ofSituations,
      tablets: [one, other],
      nextValue: () => this.#words.next(),
    })
    for (const step of steps) this.#write(step)
    const used = new Set(steps.flatMap(({ what }) => ('tablet' in what ? [what.tablet] : [])))
    for (const tablet of used)
      Object.assign(this.#draft(tablet), { locked: locked.includes(tablet), open: null, edits: 0 })
  }

  // ── What people do ──

  #person(tablet: number): void {
    this.#say(this.#nextAct(tablet))
  }

  #nextAct(tablet: number): PersonAct {
    const draft = this.#draft(tablet)
    if (draft.locked) {
      draft.locked = false
      const person = this.#random.chance(0.15) ? 'monitor' : this.#random.pick(CRCS)
      return { act: this.#random.chance(0.6) ? 'signIn' : 'unlock', tablet, person }
    }
    return draft.open === null ? this.#betweenPages(tablet, draft) : this.#onPage(tablet, draft)
  }

  #betweenPages(tablet: number, draft: Draft): PersonAct {
    const patient = this.#patient()
    const kind = this.#random.weighted([
      [9, 'open'],
      [3, 'sync'],
      [2, 'enrol'],
      [2, 'changePatient'],
      [1.5, 'repeat'],
      [1, 'removeEntry'],
      [2.5, 'decide'],
      [this.#faults.has('shift') ? 4 : 0.7, 'lock'],
    ])
    switch (kind) {
      case 'open': {
        draft.open = this.#page()
        draft.edits = 0
        return { act: 'open', tablet, patient, page: draft.open, repeat: this.#random.whole(0, 2) }
      }
      case 'enrol':
        return this.#enrolment(tablet)
      case 'changePatient': {
        const field = this.#random.pick(['initials', 'sex', 'name', 'mobile'])
        const to = field === 'sex' ? this.#random.pick(['F', 'M']) : `${field}${this.#words.next()}`
        return { act: 'changePatient', tablet, patient, field, to }
      }
      case 'repeat':
        return { act: 'repeat', tablet, patient, term: `事件${this.#words.next()}` }
      case 'removeEntry':
        return { act: 'removeEntry', tablet, patient, repeat: this.#random.whole(0, 2) }
      case 'decide': {
        const choice = this.#random.pick(['server', 'mine', 'new'])
        return { act: 'decide', tablet, conflict: this.#random.whole(0, 4), choice, figure: this.#words.next() }
      }
      case 'lock':
        draft.locked = true
        return { act: 'lock', tablet }
      case 'sync':
        return { act: 'sync', tablet }
    }
  }

  #page(): PageName {
    if (this.#crosses)
      return this.#random.weighted([
        [5, 'vitals'],
        [3, 'event'],
        [3, 'therapy'],
      ])
    return this.#random.chance(0.8) ? 'vitals' : 'event'
  }

  #onPage(tablet: number, draft: Draft): PersonAct {
    if (draft.edits === 0 || this.#random.chance(0.65)) {
      draft.edits += 1
      return draft.open === 'vitals' && this.#random.chance(0.25)
        ? { act: 'row', tablet, row: this.#words.rowIntent() }
        : { act: 'enter', tablet, ...this.#words.entered(draft.open ?? 'vitals') }
    }
    const act = this.#random.weighted([
      [3, 'leave'],
      [2, 'save'],
      [1.5, 'submit'],
      [1, 'rest'],
      [1.5, 'sync'],
      [1.5, 'refresh'],
      [this.#faults.has('shift') ? 1 : 0.2, 'lock'],
    ])
    if (act === 'leave' || act === 'lock') draft.open = null
    if (act === 'lock') draft.locked = true
    return { act, tablet }
  }

  #enrolment(tablet: number): PersonAct {
    const count = this.#words.next()
    return {
      act: 'enrol',
      tablet,
      patient: { initials: `P${count}`, sex: this.#random.pick(['F', 'M']), name: `患者${count}` },
    }
  }

  /** Mostly one of the first: people meet where there is something to do. */
  #patient(): number {
    // Where pages read each other, there has to be something on all of them.
    if (this.#crosses && this.#random.chance(0.7)) return 0
    return this.#random.chance(0.6) ? this.#random.whole(0, 1) : this.#random.whole(0, 9)
  }

  // ── What befalls them ──

  #befalls(): void {
    const [kind] = this.#random.several([...this.#faults], 1)
    const tablet = this.#random.whole(0, TABLETS.length - 1)
    if (kind === undefined) return
    for (const what of this.#acting(kind, tablet)) this.#say(what)
  }

  #acting(kind: FaultKind, tablet: number): readonly Act[] {
    const requests = (faults: readonly RequestFault[]): Fault => ({ act: 'requests', tablet, faults })
    const on = this.#random.pick(['push', 'push', 'pull', 'any'])
    const sync: PersonAct = { act: 'sync', tablet }
    switch (kind) {
      case 'lost':
        return this.#around(tablet, requests([{ on, kind: this.#random.pick(['lost', 'gateway']), lines: 0 }]), sync)
      case 'answerLost':
        return this.#around(tablet, requests([{ on: 'push', kind: 'answer_lost', lines: 0 }]), sync)
      case 'duplicates':
        return this.#around(tablet, requests([{ on, kind: this.#random.pick(['twice', 'twins']), lines: 0 }]), sync)
      case 'late':
        if (this.#random.chance(0.5)) return [{ act: 'lateArrivals' }]
        return this.#around(tablet, requests([{ on: 'push', kind: 'late', lines: 0 }]), sync)
      case 'cuts':
        return this.#around(tablet, requests([{ on, kind: 'cut', lines: this.#random.whole(0, 4) }]), sync)
      case 'offline':
        this.#endAfter(this.#random.whole(6, 25), { act: 'network', tablet, connection: 'online' })
        return [{ act: 'network', tablet, connection: 'offline' }]
      case 'pageDeath':
        return [this.#death(tablet)]
      case 'workerDeath':
        return this.#around(tablet, ...this.#workerDeaths(tablet))
      case 'serverDeath':
        return this.#around(
          tablet,
          {
            act: 'serverDies',
            statements: this.#random.whole(1, 40),
            how: this.#random.pick(['at_once', 'after_commit', 'in_commit']),
          },
          sync,
        )
      case 'serverBusy':
        return this.#around(tablet, { act: 'serverBusy', statements: this.#random.whole(1, 40) }, sync)
      case 'databaseDeath':
        return [{ act: 'databaseDies' }]
      case 'clock':
        return [{ act: 'clock', tablet, offsetMs: this.#random.whole(-86_400_000, 86_400_000) }]
      case 'fullDisk':
        this.#endAfter(this.#random.whole(1, 6), { act: 'disk', tablet, room: 'enough' })
        return [
          { act: 'disk', tablet, room: this.#random.pick(['none', 'little']) },
          ...(this.#random.chance(0.5) ? [sync] : []),
        ]
      case 'closedDatabase':
        return [{ act: 'closeDatabase', tablet, when: this.#random.pick(['now', 'after_commit']) }]
      case 'poison':
        return this.#random.chance(0.4) ? [{ act: 'poison', tablet, patient: this.#patient() }] : []
      case 'crossing':
        return [this.#crossing(tablet)]
      case 'shift':
        return this.#change(tablet)
      case 'restore':
        return this.#restore()
      case 'project':
      case 'control':
      case 'member':
      case 'release':
        return [this.#study(kind)]
    }
  }

  /**
   * Faults meet somebody at work: something is saved before, and mostly more of the same after, at times where there is
   * no network.
   */
  #around(tablet: number, ...faults: readonly Act[]): readonly Act[] {
    return [...this.#work(tablet), ...faults, ...this.#after(tablet)]
  }

  #after(tablet: number): readonly Act[] {
    const how = this.#random.weighted([
      [2, 'nothing'],
      [3, 'work'],
      [3, 'deadSpot'],
    ])
    if (how === 'nothing') return []
    if (how === 'work') return this.#work(tablet)
    this.#endAfter(this.#random.whole(2, 8), { act: 'network', tablet, connection: 'online' })
    return [{ act: 'network', tablet, connection: 'offline' }, { act: 'sync', tablet }, ...this.#work(tablet)]
  }

  #work(tablet: number): readonly PersonAct[] {
    const draft = this.#draft(tablet)
    if (draft.locked) return []
    const open: PersonAct[] = []
    if (draft.open === null) {
      draft.open = this.#crosses ? this.#page() : 'vitals'
      open.push({ act: 'open', tablet, patient: this.#patient(), page: draft.open, repeat: 0 })
    }
    draft.edits += 1
    return [...open, { act: 'enter', tablet, ...this.#words.entered(draft.open) }, { act: 'save', tablet }]
  }

  #endAfter(acts: number, what: Act): void {
    this.#ends = [...this.#ends, { at: this.#acts + acts, what }]
  }

  /** A worker that dies while it sends or fetches, at times again as soon as it has begun anew. */
  #workerDeaths(tablet: number): readonly Act[] {
    const during = [{ act: 'sync', tablet }] as const
    const dies = (after: number): Fault => ({ act: 'die', tablet, death: { of: 'worker', after }, during })
    if (this.#random.chance(0.4)) {
      // Somebody else sends before, so that there is something to fetch.
      const other = (tablet + 1) % TABLETS.length
      const fetches: Fault = {
        act: 'die',
        tablet,
        death: { of: 'worker', after: this.#random.whole(1, 3), counts: 'fetched' },
        during,
      }
      return [...this.#work(other), { act: 'sync', tablet: other }, fetches]
    }
    // A cycle of little to do sends in its first steps and fetches in the next.
    const after = this.#random.weighted([
      [3, this.#random.whole(2, 7)],
      [3, this.#random.whole(8, 20)],
      [1, this.#random.whole(0, 40)],
    ])
    return [dies(after), ...(this.#random.chance(0.5) ? [dies(this.#random.whole(1, 4))] : [])]
  }

  /** A page that dies in the middle of what a person does, or of what is sent meanwhile. */
  #death(tablet: number): Fault {
    const draft = this.#draft(tablet)
    const sends = this.#random.chance(0.4)
    const last = (): PersonAct => (sends ? { act: 'sync', tablet } : this.#nextAct(tablet))
    const during = draft.locked ? [] : [...(sends || this.#random.chance(0.4) ? this.#work(tablet) : []), last()]
    Object.assign(draft, { locked: true, open: null, edits: 0 })
    return { act: 'die', tablet, death: { of: 'page', after: this.#random.whole(0, sends ? 25 : 6) }, during }
  }

  /** Tablets that send and fetch at the same moment; at times a person works on one of them meanwhile. */
  #crossing(tablet: number): Act {
    const [first, second, third] = this.#random.several([0, 1, 2], 3)
    const holdCommit = this.#random.chance(0.6)
    // Two hands on one tablet, or two tabs: both enrol.
    if (this.#random.chance(0.2))
      return { act: 'together', holdCommit: false, acts: [this.#enrolment(tablet), this.#enrolment(tablet)] }
    const acts: PersonAct[] = [first, second, third].flatMap((one): PersonAct[] =>
      one === undefined ? [] : [{ act: 'sync', tablet: one }],
    )
    const busy = this.#draft(tablet)
    if (!busy.locked && busy.open !== null && this.#random.chance(0.5)) {
      busy.edits += 1
      return {
        act: 'together',
        holdCommit,
        acts: [...acts, { act: 'enter', tablet, ...this.#words.entered(busy.open) }, { act: 'save', tablet }],
      }
    }
    return { act: 'together', holdCommit, acts }
  }

  #change(tablet: number): readonly Act[] {
    const draft = this.#draft(tablet)
    if (draft.locked) return []
    draft.open = null
    return [
      { act: 'lock', tablet },
      { act: 'signIn', tablet, person: this.#random.pick(CRCS) },
    ]
  }

  #restore(): readonly Act[] {
    const restores = this.#hasBackup && this.#random.chance(0.7)
    this.#hasBackup = true
    return [{ act: restores ? 'restore' : 'backup' }]
  }

  #study(kind: 'project' | 'control' | 'member' | 'release'): StudyAct {
    const patient = this.#patient()
    switch (kind) {
      case 'project':
        // A project that was closed stays closed: nearly always it is paused and goes on.
        return {
          act: 'project',
          status: this.#random.weighted([
            [5, 'stop'],
            [6, 'process'],
            [0.3, 'close'],
          ]),
        }
      case 'control':
        return { act: 'control', patient, control: this.#random.pick(['open', 'frozen', 'locked']) }
      case 'member':
        return {
          act: 'member',
          person: this.#random.pick(CRCS),
          change: this.#random.pick(['pause', 'role', 'center', 'self', 'back', 'back']),
        }
      case 'release':
        return { act: 'release' }
    }
  }

  #draft(tablet: number): Draft {
    const draft = this.#tablets[tablet]
    if (draft === undefined) throw new RangeError('there is no such tablet')
    return draft
  }
}
