import { canonicalJson } from '#core/json.ts'
import type { ItemContent } from '#core/sync/entryChange.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { ReviewAct, ReviewMethod, ReviewTrack } from '#core/review/verification.ts'
import type { Answer, DeskName } from './study.ts'

/** What reviewers said of fields, and what the server answered: the oracle knows nothing else of it. */

export interface DeedItem extends ItemPlace {
  /** What was on the screen. */
  readonly seen: ItemContent
}

/** Something that a reviewer says of fields of a page, in one request. */
export interface SaidAtDesk {
  readonly key: string
  readonly desk: DeskName
  readonly entryId: string
  readonly track: ReviewTrack
  readonly act: ReviewAct
  readonly method: ReviewMethod | null
  readonly note: string | null
  readonly items: readonly DeedItem[]
}

/** Items that were left as they are, with the reason. */
type Refused = readonly (ItemPlace & { readonly why: string })[]

interface Confirmed {
  /** Place among all that the server confirmed to reviewers. */
  readonly n: number
  readonly refused: Refused
}

export class Deed {
  readonly said: SaidAtDesk
  /** What the server has confirmed and not forgotten; a request may go out several times. */
  confirmed: readonly Confirmed[] = []
  /** Whether it may have been done without a word: the server ended in it. */
  isUnknown = false

  constructor(said: SaidAtDesk) {
    this.said = said
  }

  /** What was left as it is; null where nothing is confirmed. */
  get refused(): Refused | null {
    return this.confirmed[0]?.refused ?? null
  }

  /** Whether every time the same was answered. */
  get isSteady(): boolean {
    return new Set(this.confirmed.map(({ refused }) => canonicalJson(refused.map((one) => ({ ...one }))))).size <= 1
  }
}

/** All deeds, and which of them a server that is put back has forgotten. */
export class DeskLog {
  readonly deeds: Deed[] = []
  #count = 0
  #inBackup = 0

  noteAnswer(deed: Deed, answer: Answer | null): void {
    this.#count += 1
    if (answer === null) deed.isUnknown = true
    if (answer?.success !== true) return
    const { refused } = answer.data as unknown as { readonly refused: Refused }
    deed.confirmed = [...deed.confirmed, { n: this.#count, refused }]
  }

  noteBackup(): void {
    this.#inBackup = this.#count
  }

  /** The server knows only of what was confirmed before its last backup. */
  forgetSinceBackup(): void {
    for (const deed of this.deeds) deed.confirmed = deed.confirmed.filter(({ n }) => n <= this.#inBackup)
  }
}
