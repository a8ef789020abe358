import type { EntryReview, ReviewDeed, ReviewItem, reviewRefusals } from '#core/api/calls/review/check.ts'
import type { ApiError } from '#core/api/errors.ts'
import { addressKey } from '#core/form/definition/address.ts'
import { err, ok } from '#core/result.ts'
import { countReview } from '#core/review/reviewPlan.ts'
import { markAfter, reviewTracks } from '#core/review/verification.ts'
import type { MarkState, ReviewTrack } from '#core/review/verification.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { Session } from '#src/session/types.ts'
import { closedSession } from '#tests/src/support/session.ts'

/** A server that knows the marks of one page, as far as a screen asks for them. */
export class ReviewServer {
  readonly #due: readonly ItemPlace[]
  readonly #marks = new Map<string, Pick<ReviewItem, 'state' | 'method' | 'note'>>()
  readonly entryId: string
  /** What was asked of it, in order. */
  readonly deeds: ReviewDeed[] = []
  /** What it will refuse next, by address. */
  readonly refuses = new Map<string, (typeof reviewRefusals)[number]>()
  /** Answers every act with this from now on. */
  failsWith: ApiError | null = null

  constructor(entryId: string, due: readonly ItemPlace[]) {
    this.entryId = entryId
    this.#due = due
  }

  mark(track: ReviewTrack, address: string, state: MarkState): void {
    this.#marks.set(`${track} ${address}`, { state, method: null, note: null })
  }

  stateOf(track: ReviewTrack, address: string): MarkState | null {
    return this.#marks.get(`${track} ${address}`)?.state ?? null
  }

  review(): EntryReview {
    const of = (track: ReviewTrack) => ({
      ...countReview(this.#due, (place) => this.stateOf(track, addressKey(place))),
      items: this.#due.map((place): ReviewItem => ({
        ...place,
        due: true,
        ...(this.#marks.get(`${track} ${addressKey(place)}`) ?? { state: null, method: null, note: null }),
        by: null,
        byName: '王监查',
        at: null,
      })),
    })
    const [sdv, dmr] = reviewTracks.map(of)
    if (sdv === undefined || dmr === undefined) throw new Error('a track has no marks')
    return { entryId: this.entryId, ready: true, sdv, dmr }
  }

  /** A session at this server; `reachable` says whether the network is there. */
  session(reachable = true): Session {
    const call = async (id: string, input: { readonly body?: unknown } = {}) => {
      if (!reachable) return err({ code: 'offline' })
      if (id === 'review.entry') return ok(this.review())
      if (id === 'review.act') return this.#act(input.body as ReviewDeed)
      if (id === 'review.next') return ok(null)
      return err({ code: 'offline' })
    }
    return { ...closedSession(), reachable, call: call as unknown as Session['call'] }
  }

  #act(deed: ReviewDeed) {
    this.deeds.push(deed)
    if (this.failsWith !== null) return err(this.failsWith)
    const refused = []
    for (const { table, rid, code } of deed.items) {
      const place = { table, rid, code }
      const address = addressKey(place)
      const why = this.refuses.get(address)
      const after = markAfter(this.stateOf(deed.track, address), deed.act, deed.track, ALL)
      if (why !== undefined) refused.push({ ...place, why })
      else if (!after.ok) refused.push({ ...place, why: 'state' as const })
      else this.#marks.set(`${deed.track} ${address}`, { state: after.state, method: deed.method, note: deed.note })
    }
    return ok({ review: this.review(), refused })
  }
}

const ALL = { verifies: true, manages: true }
