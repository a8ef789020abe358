import type { MarkState, ReviewTrack } from '#core/review/verification.ts'

/** What is said of one field in one track. */
export interface TrackMark {
  readonly state: MarkState | null
  /** Whether the plan asks for the field. */
  readonly due: boolean
  /** Whether the server has yet to say that it has it. */
  readonly busy: boolean
}

export type FieldMarks = Readonly<Record<ReviewTrack, TrackMark>>

/** What the fields of a form show of being checked, and what a press on a mark does. */
export interface ReviewPort {
  /** The tracks in which who looks checks: their marks are buttons. */
  readonly own: readonly ReviewTrack[]
  /** The marks of a field, by its address; null while they are not known. */
  readonly at: (address: string) => FieldMarks | null
  /** Calls back when the marks of a field change; for null, those of any. */
  readonly subscribe: (address: string | null, changed: () => void) => () => void
  /** Another number after each change of any mark. */
  readonly version: () => number
  /** A mark was pressed: that of a field by its address, that of a row by `rowKey`. */
  readonly press: (key: string, track: ReviewTrack) => void
}

/** Names a row of a table among the marks of a page. */
export function rowKey(table: string, rid: string): string {
  return `${table}.${rid}`
}

const NOBODY: TrackMark = { state: null, due: false, busy: false }
const UNSEEN: FieldMarks = { sdv: NOBODY, dmr: NOBODY }

type Press = (key: string, track: ReviewTrack) => void

/**
 * The marks of a page. Fields follow it one by one, so that a mark draws its own field and no other: a page has
 * hundreds, and one is verified with each key.
 */
export class ReviewMarks {
  #marks: ReadonlyMap<string, FieldMarks> | null = null
  #onPress: Press | null = null
  #version = 0
  readonly #listeners = new Map<string | null, Set<() => void>>()

  /** Takes what is known now; null where it is not known. */
  show(next: ReadonlyMap<string, FieldMarks> | null): void {
    const before = this.#marks
    if (before === next) return
    this.#marks = next
    this.#version += 1
    const told =
      before === null || next === null
        ? [...this.#listeners.keys()]
        : [...this.#listeners.keys()].filter((at) => at !== null && !same(before.get(at), next.get(at)))
    for (const at of new Set([null, ...told])) for (const listener of this.#listeners.get(at) ?? []) listener()
  }

  /** Says what a press does from now on. */
  answer(press: Press): void {
    this.#onPress = press
  }

  readonly at = (address: string): FieldMarks | null =>
    this.#marks === null ? null : (this.#marks.get(address) ?? UNSEEN)

  readonly version = (): number => this.#version

  readonly press: Press = (key, track) => this.#onPress?.(key, track)

  readonly subscribe = (address: string | null, changed: () => void): (() => void) => {
    const listeners = this.#listeners.get(address) ?? new Set()
    this.#listeners.set(address, listeners.add(changed))
    return () => {
      listeners.delete(changed)
      if (listeners.size === 0 && this.#listeners.get(address) === listeners) this.#listeners.delete(address)
    }
  }
}

function same(one: FieldMarks = UNSEEN, other: FieldMarks = UNSEEN): boolean {
  return sameMark(one.sdv, other.sdv) && sameMark(one.dmr, other.dmr)
}

function sameMark(one: TrackMark, other: TrackMark): boolean {
  return one.state === other.state && one.due === other.due && one.busy === other.busy
}
