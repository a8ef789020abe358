import type { Random } from './random.ts'
import type { AnswerIntent, QuestionIntent, RequestFault } from './simTablet.ts'
import type { Act, ReviewIntent, Step } from './steps.ts'

/** What a monitor asks at a desk and people at tablets answer, as steps of a history. */

/** How often something about queries comes after what a person does. */
const SHARE_QUERIES = 0.45
const AT_ONCE_MS = 20
/** Of these the server knows the patients from the beginning. */
const LAST_PATIENT = 2
/** What comes with sending an answer. */
const SEND_FAULTS = ['lost', 'answer_lost', 'twice', 'twins', 'late', 'cut', 'gateway'] as const
/** The vital signs that are asked about; null asks about the patient. */
const FIELDS = ['weight', 'height', 'note', 'smokes', 'weight', null] as const

/** Writes what happens about queries, each text once only. */
export class QueryWork {
  readonly #random: Random
  readonly #tablets: number
  #count = 0

  /** @param tablets how many tablets people answer at */
  constructor(random: Random, tablets: number) {
    this.#random = random
    this.#tablets = tablets
  }

  /** Something is asked from the beginning, so that there is something to answer. */
  begin(): readonly Step[] {
    return this.#spread([this.#ask(), this.#ask(), this.#sync(this.#tablet()), this.#ask(), this.#sync(this.#tablet())])
  }

  /** What comes next; mostly nothing. */
  write(): readonly Step[] {
    return this.#random.chance(SHARE_QUERIES) ? this.#spread(this.#next()) : []
  }

  #spread(acts: readonly Act[]): readonly Step[] {
    // Sooner than what has failed is tried again, where the tablet fetches by itself.
    const isQuick = acts.some(({ act }) => act === 'syncByItself')
    return acts.map((what) => ({ after: isQuick ? AT_ONCE_MS : this.#random.whole(50, 2000), what }))
  }

  #next(): readonly Act[] {
    const tablet = this.#tablet()
    const kind = this.#random.weighted([
      [4, 'ask'],
      [5, 'answer'],
      [4, 'review'],
      [2, 'tooLate'],
      [1.5, 'both'],
      [2, 'monitorHere'],
    ])
    switch (kind) {
      case 'ask':
        return [this.#ask(), ...this.#perhaps(0.6, [this.#sync(tablet), ...this.#perhaps(0.5, [this.#answer(tablet)])])]
      case 'answer':
        return [this.#answer(tablet), ...this.#perhaps(0.6, this.#send(tablet))]
      case 'review':
        return [this.#review(), ...this.#perhaps(0.3, [this.#sync(tablet)])]
      case 'tooLate':
        return this.#answerTooLate(tablet)
      case 'both':
        return this.#answerTwice(tablet)
      case 'monitorHere':
        return this.#monitorHere()
    }
  }

  /** Somebody answers what is open on their tablet, and before that is sent the monitor goes on. */
  #answerTooLate(tablet: number): readonly Act[] {
    const query = this.#random.whole(0, 4)
    const kind = this.#random.pick(['lost', 'gateway'])
    const does = this.#random.pick(['close', 'close', 'close', 'cancel', 'comment'])
    return [
      this.#sync(tablet),
      this.#answer(tablet, query),
      ...this.#perhaps(0.4, [
        { act: 'requests', tablet, faults: [{ on: 'push', kind, lines: 0 }] },
        this.#sync(tablet),
      ]),
      this.#review(does, 'last'),
      // What has failed waits for its time, and is still there when the query comes.
      ...this.#perhaps(0.5, [{ act: 'syncByItself', tablet }]),
      ...this.#perhaps(0.3, [this.#answer(tablet, query)]),
      ...this.#send(tablet),
    ]
  }

  /** Two tablets answer the same, neither knowing of the other. */
  #answerTwice(tablet: number): readonly Act[] {
    const other = (tablet + 1) % this.#tablets
    const query = this.#random.whole(0, 4)
    return [
      this.#sync(tablet),
      this.#sync(other),
      this.#answer(tablet, query),
      this.#answer(other, query),
      ...this.#send(other),
      ...this.#perhaps(0.7, this.#send(tablet)),
    ]
  }

  /** The monitor asks at the tablet of the second pass, at times without a network, and leaves. */
  #monitorHere(): readonly Act[] {
    const tablet = this.#tablets - 1
    const ask = (): Act => ({ act: 'askHere', tablet, question: this.#question(0.5) })
    const goOn = (): Act => this.#say(tablet, this.#random.pick([this.#aside(), 'close', 'requery', 'promote']))
    const isOffline = this.#random.chance(0.4)
    return [
      { act: 'network', tablet, connection: 'online' },
      { act: 'signIn', tablet, person: 'monitor' },
      this.#sync(tablet),
      ...(isOffline ? [{ act: 'network', tablet, connection: 'offline' } as const] : []),
      ask(),
      ...this.#perhaps(0.4, [goOn()]),
      ...this.#perhaps(0.4, [ask()]),
      ...(isOffline ? [{ act: 'network', tablet, connection: 'online' } as const] : []),
      ...this.#perhaps(0.7, [...this.#send(tablet), ...this.#perhaps(0.6, [goOn()])]),
      { act: 'signIn', tablet, person: 'deng' },
      ...this.#perhaps(0.6, this.#send(tablet)),
    ]
  }

  /** Sends, at times over a network that fails. */
  #send(tablet: number): readonly Act[] {
    const fault = (): RequestFault => ({
      on: this.#random.pick(['push', 'push', 'push', 'pull']),
      kind: this.#random.pick(SEND_FAULTS),
      lines: this.#random.whole(0, 3),
    })
    return [...this.#perhaps(0.5, [{ act: 'requests', tablet, faults: [fault()] }]), this.#sync(tablet)]
  }

  #sync(tablet: number): Act {
    return { act: 'sync', tablet }
  }

  #ask(): Act {
    return { act: 'ask', question: this.#question(0.3) }
  }

  #question(shareOfCandidates: number): QuestionIntent {
    return {
      patient: this.#random.whole(0, LAST_PATIENT),
      field: this.#random.pick(FIELDS),
      isCandidate: this.#random.chance(shareOfCandidates),
      text: this.#text('问'),
    }
  }

  #answer(tablet: number, query = this.#random.whole(0, 9)): Act {
    return this.#say(tablet, this.#random.chance(0.75) ? 'answer' : this.#aside(), query)
  }

  #say(tablet: number, act: AnswerIntent['act'], query = this.#random.whole(0, 9)): Act {
    const answer: AnswerIntent = { query, act, text: this.#text(act === 'answer' ? '答' : '注') }
    return { act: 'answer', tablet, answer }
  }

  #review(does?: ReviewIntent['does'], query: ReviewIntent['query'] = this.#random.whole(0, 9)): Act {
    const review: ReviewIntent = {
      does:
        does ??
        this.#random.weighted([
          [4, 'close'],
          [3, 'requery'],
          [2, 'reopen'],
          [2, 'promote'],
          [1, 'reject'],
          [1, 'cancel'],
          [1.5, this.#aside()],
        ]),
      query,
      isBlind: this.#random.chance(0.15),
      text: this.#text('审'),
    }
    return { act: 'review', review }
  }

  /** What changes no state: a word, or to whom the query is given. */
  #aside(): 'comment' | 'assign' {
    return this.#count % 2 === 0 ? 'comment' : 'assign'
  }

  #tablet(): number {
    return this.#random.whole(0, this.#tablets - 1)
  }

  #perhaps(share: number, acts: readonly Act[]): readonly Act[] {
    return this.#random.chance(share) ? acts : []
  }

  #text(word: string): string {
    this.#count += 1
    return `${word}${this.#count}`
  }
}
