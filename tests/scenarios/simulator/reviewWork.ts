import { reviewTracks } from '#core/review/verification.ts'
import type { ReviewAct, ReviewTrack } from '#core/review/verification.ts'
import type { Random } from './random.ts'
import type { RowIntent } from './simTablet.ts'
import type { Act, CheckIntent, PersonAct, PlanIntent, Step } from './steps.ts'

/** What a monitor verifies and a data manager reviews at their desks, by plans that change, as steps of a history. */

/** How often something about marks comes after what a person does. */
const SHARE_REVIEWS = 0.6
/** How often a reviewer waits for what somebody enters. */
const SHARE_WAITING = 0.06
/** How often a plan holds from the beginning. */
const SHARE_PLANNED = 0.75
const METHODS = ['onSite', 'remote', 'photo'] as const
const CRITICAL = ['weight', 'height', 'note', 'smokes', 'packs', 'drugs.dose'] as const
/** People enter at these; each of them begins with somebody who carries what others left. */
const COLLEAGUE = 'wu'

/** What is entered, and what becomes of it once it is marked. */
interface Twice {
  readonly first: readonly PersonAct[]
  readonly then: readonly PersonAct[]
}

/** Writes what happens about marks, each note once only. */
export class ReviewWork {
  readonly #random: Random
  readonly #tablets: number
  #count = 0

  /** @param tablets how many tablets people enter at */
  constructor(random: Random, tablets: number) {
    this.#random = random
    this.#tablets = tablets
  }

  /** Plans are switched on, mostly worked out at once; at times one of them, or none. */
  begin(): readonly Step[] {
    return this.#spread(
      reviewTracks.flatMap((track) =>
        this.#perhaps(SHARE_PLANNED, [this.#plan(track), ...this.#perhaps(0.7, [this.#works()])]),
      ),
    )
  }

  /** What comes next, mostly nothing; and the tablet that somebody has used for it, whose page is left. */
  write(): { readonly steps: readonly Step[]; readonly tablet: number | null } {
    if (this.#random.chance(SHARE_WAITING)) {
      const tablet = this.#tablet()
      return { steps: this.#comeBack(tablet), tablet }
    }
    return { steps: this.#random.chance(SHARE_REVIEWS) ? this.#spread(this.#next()) : [], tablet: null }
  }

  /**
   * Somebody enters something on a page, a reviewer marks it, and it becomes something else, nothing, or the same
   * again: the page is left to them meanwhile.
   */
  #comeBack(tablet: number): readonly Step[] {
    const { first, then } = this.#twice(tablet)
    const patient = this.#random.whole(0, 2)
    const [track, other] = this.#random.several(reviewTracks, 2)
    const check = this.#check(track ?? 'sdv', { fields: 'all', does: 'verify', isBlind: false })
    return this.#spread([
      { act: 'network', tablet, connection: 'online' },
      { act: 'signIn', tablet, person: COLLEAGUE },
      { act: 'sync', tablet },
      { act: 'open', tablet, patient, page: 'vitals', repeat: 0 },
      ...first,
      { act: 'save', tablet },
      ...this.#perhaps(0.5, [{ act: 'submit', tablet }]),
      { act: 'sync', tablet },
      this.#look(track ?? 'sdv', 0),
      check,
      ...this.#perhaps(0.4, [this.#look(other ?? 'dmr', 0), this.#check(other ?? 'dmr', { fields: 'all' })]),
      ...then,
      { act: 'leave', tablet },
      { act: 'sync', tablet },
      // What is on the screen may be what was there before.
      ...this.#perhaps(0.5, [this.#check(track ?? 'sdv')]),
    ])
  }

  #spread(acts: readonly Act[]): readonly Step[] {
    return acts.map((what) => ({ after: this.#random.whole(50, 2000), what }))
  }

  #next(): readonly Act[] {
    const track = this.#random.pick(reviewTracks)
    const kind = this.#random.weighted([
      [6, 'fresh'],
      [2, 'look'],
      [3, 'stale'],
      [2, 'overtaken'],
      [1.5, 'again'],
      [1, 'plan'],
      [0.7, 'works'],
    ])
    switch (kind) {
      case 'fresh':
        return [this.#look(track), this.#check(track)]
      case 'look':
        return [this.#look(track)]
      case 'stale':
        return [this.#check(track)]
      case 'overtaken':
        return [this.#look(track), { act: 'sync', tablet: this.#tablet() }, this.#check(track)]
      case 'again':
        return [...this.#perhaps(0.5, [this.#check(track, { sends: 'unheard' })]), { act: 'checkAgain', track }]
      case 'plan':
        return [this.#plan(track), ...this.#perhaps(0.6, [this.#works()])]
      case 'works':
        return [this.#works()]
    }
  }

  /** Something that is entered on the page, and what becomes of it. */
  #twice(tablet: number): Twice {
    // Sent by itself: what waits is joined with what is saved next.
    const send: readonly PersonAct[] = [
      { act: 'save', tablet },
      { act: 'sync', tablet },
    ]
    const text = (field: string, figure: string): PersonAct => ({
      act: 'enter',
      tablet,
      field,
      entered: { how: 'text', text: figure },
    })
    const reason = (field: string): PersonAct => ({
      act: 'enter',
      tablet,
      field,
      entered: { how: 'missing', m: this.#random.pick(['ND', 'UNK', 'NA']), reason: `缘由核${this.#nextNumber()}` },
    })
    const smokes = (value: string): PersonAct => ({
      act: 'enter',
      tablet,
      field: 'smokes',
      entered: { how: 'choice', value },
    })
    const field = this.#random.pick(['height', 'weight'])
    const figure = (): string => `${70 + this.#nextNumber() / 1000}`
    switch (this.#random.pick(['reason', 'figure', 'hidden', 'row', 'back'])) {
      case 'reason':
        return { first: [reason(field)], then: [this.#random.chance(0.7) ? reason(field) : text(field, '')] }
      case 'figure':
        return {
          first: [text(field, figure()), text('note', `核${this.#nextNumber()}`)],
          then: [text(field, figure())],
        }
      case 'back': {
        const [one, other] = [figure(), figure()]
        return { first: [text(field, one)], then: [text(field, other), ...send, text(field, one)] }
      }
      case 'hidden': {
        const again = this.#random.pick<readonly PersonAct[]>([
          [],
          [smokes('1')],
          [smokes('1'), text('packs', figure())],
        ])
        return {
          first: [smokes('1'), text('packs', figure())],
          then: [smokes('0'), ...(again.length > 0 ? [...send, ...again] : [])],
        }
      }
      case 'row':
        return this.#rowTwice(tablet)
    }
  }

  /** Two rows, and what becomes of one. */
  #rowTwice(tablet: number): Twice {
    const row = this.#random.whole(0, 1)
    const drug = (): string => `药核${this.#nextNumber()}`
    const did = (what: RowIntent): PersonAct => ({ act: 'row', tablet, row: what })
    const edit = did({ change: 'edit', row, field: 'drug', text: drug() })
    const gone = did({ change: 'delete', row })
    return {
      first: ['m50', 'm60'].map((order) => did({ change: 'insert', order, drug: drug() })),
      then: this.#random.pick([[edit], [gone], [gone, edit]]),
    }
  }

  #look(
    track: ReviewTrack,
    entry = this.#random.weighted([
      [3, 0],
      [2, 1],
      [1, this.#random.whole(2, 8)],
    ]),
  ): Act {
    return { act: 'look', track, entry }
  }

  #check(track: ReviewTrack, wanted: Partial<CheckIntent> = {}): Act {
    const does = wanted.does ?? this.#does()
    const isVerified = track === 'sdv' && does === 'verify'
    const check: CheckIntent = {
      track,
      does,
      fields:
        does === 'verify' && this.#random.chance(0.6)
          ? 'all'
          : Array.from({ length: this.#random.whole(1, 3) }, () => this.#random.whole(0, 11)),
      isBlind: this.#random.chance(0.15),
      misreads: this.#random.chance(0.08),
      sends: this.#random.weighted([
        [7, 'once'],
        [1, 'twice'],
        [1, 'twins'],
        [1.5, 'unheard'],
      ]),
      method: isVerified && this.#random.chance(0.5) ? this.#random.pick(METHODS) : null,
      note: does === 'verify' && this.#random.chance(0.7) ? null : `核查${this.#nextNumber()}`,
      meanwhile: this.#random.chance(0.2) ? this.#tablet() : null,
      ...wanted,
    }
    return { act: 'check', check }
  }

  #does(): ReviewAct {
    return this.#random.weighted([
      [7, 'verify'],
      [2, 'unverify'],
      [2, 'exempt'],
    ])
  }

  #plan(track: ReviewTrack): Act {
    const plan: PlanIntent = {
      track,
      critical: this.#random.several(CRITICAL, this.#random.whole(0, 4)),
      sharePercent: this.#random.pick([0, 30, 60, 100]),
      firstOfCenter: this.#random.whole(0, 3),
      inVisit: this.#random.chance(0.8),
      ownShare: this.#random.chance(0.3) ? this.#random.pick([0, 50, 100]) : null,
      note: `计划${this.#nextNumber()}`,
    }
    return { act: 'plan', plan }
  }

  #works(): Act {
    return { act: 'serverWorks', meanwhile: this.#random.chance(0.4) ? this.#tablet() : null }
  }

  #tablet(): number {
    return this.#random.whole(0, this.#tablets - 1)
  }

  #perhaps(share: number, acts: readonly Act[]): readonly Act[] {
    return this.#random.chance(share) ? acts : []
  }

  #nextNumber(): number {
    this.#count += 1
    return this.#count
  }
}
