import type { Content, PersonName, Plain, RowSeen } from './simTablet.ts'

/** What people meant, as the history wrote it down when they did it: the oracle knows nothing else of it. */

interface Common {
  /** Place among all that was said. */
  readonly n: number
  readonly tablet: string
  readonly person: PersonName
  readonly patientId: string
}

/** A person entered something into an item, having seen `base`. */
export interface SaidItem extends Common {
  readonly kind: 'item'
  readonly entryId: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly base: Content
  readonly to: Content
  /** As the journal of typing holds it. */
  readonly typed: Plain
  /** Whether the next keystrokes in the same field went on from here, so that both are one step of typing. */
  continued: boolean
}

/** A person made, moved, deleted or brought back a row. */
export interface SaidRow extends Common {
  readonly kind: 'row'
  readonly entryId: string
  readonly table: string
  readonly rid: string
  readonly from: RowSeen | null
  readonly to: RowSeen
}

/** A person enrolled a patient; `no` was on the screen, and perhaps on a label, from then on. */
export interface SaidPatient extends Common {
  readonly kind: 'patient'
  readonly no: string | null
  readonly fields: Readonly<Record<string, Plain>>
}

export interface SaidField extends Common {
  readonly kind: 'field'
  readonly field: string
  readonly base: Plain
  readonly to: Plain
}

export interface SaidRemoval extends Common {
  readonly kind: 'removal'
  readonly entryId: string
}

/** A person decided a conflict, having seen `seen`. */
export interface SaidDecision extends Common {
  readonly kind: 'decision'
  readonly conflictId: string
  readonly entryId: string
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly seen: Content
  readonly to: Content
}

/** An operation that no server takes was queued: a person must find it on the tablet. */
export interface SaidPoison extends Common {
  readonly kind: 'poison'
  readonly entryId: string
}

/** A person took a photograph into a page. */
export interface SaidPhoto extends Common {
  readonly kind: 'photo'
  readonly entryId: string
  readonly fileId: string
  readonly hash: string
}

/** A person said something of a visit, or made it. */
export interface SaidVisit extends Common {
  readonly kind: 'visit'
  readonly visitId: string
  readonly made: boolean
  readonly fields: Readonly<Record<string, string | null>>
}

/** A person said something in a query: at a tablet, or at a desk online. */
export interface SaidAnswer extends Common {
  readonly kind: 'answer'
  /** Null for a question, whose id its tablet has made. */
  readonly queryId: string | null
  readonly text: string
  readonly isAtDesk: boolean
}

export type Said =
  | SaidItem
  | SaidRow
  | SaidPatient
  | SaidField
  | SaidRemoval
  | SaidDecision
  | SaidPoison
  | SaidPhoto
  | SaidVisit
  | SaidAnswer

/** All that was said and is durable: its save, or its journal, was confirmed to whoever said it. */
export class Log {
  readonly #durable: Said[] = []
  readonly #perhaps: Said[] = []
  /** Typed on an open page and not confirmed yet, by tablet. */
  readonly #typed = new Map<string, (SaidItem | SaidPhoto)[]>()
  /** The newest keystrokes since a page was last saved, by tablet. */
  readonly #last = new Map<string, SaidItem>()
  #count = 0
  /** Subject numbers that were ever on a screen. */
  readonly shown = new Map<string, Set<string>>()

  /** Typed on a page that took it, while there was no key to seal it under. */
  readonly unsealable: SaidItem[] = []

  /** What was confirmed: all of it must be somewhere. */
  get all(): readonly Said[] {
    return this.#durable
  }

  /** What was typed and never confirmed: it may be lost, or have come through all the same. */
  get perhaps(): readonly Said[] {
    return [...this.#perhaps, ...[...this.#typed.values()].flat()]
  }

  next(): number {
    this.#count += 1
    return this.#count
  }

  typed(said: SaidItem): void {
    const last = this.#last.get(said.tablet)
    if (last !== undefined && last.code === said.code && last.entryId === said.entryId) last.continued = true
    this.#last.set(said.tablet, said)
    this.#typed.set(said.tablet, [...(this.#typed.get(said.tablet) ?? []), said])
  }

  /**
   * A photograph is on the page: like what is typed there, it is safe once the page is. What is typed after it begins a
   * new step.
   */
  taken(said: SaidPhoto): void {
    this.#last.delete(said.tablet)
    this.#typed.set(said.tablet, [...(this.#typed.get(said.tablet) ?? []), said])
  }

  /**
   * The tablet has confirmed what was typed on it; `saved` where the page has, so that the next keystroke begins a new
   * step.
   */
  confirmed(tablet: string, saved: boolean): void {
    this.#durable.push(...(this.#typed.get(tablet) ?? []))
    this.#typed.delete(tablet)
    if (saved) this.#last.delete(tablet)
  }

  /** What was typed and not confirmed may be lost. */
  gone(tablet: string): void {
    this.#perhaps.push(...(this.#typed.get(tablet) ?? []))
    this.#typed.delete(tablet)
    this.#last.delete(tablet)
  }

  durable(said: Said): void {
    this.#durable.push(said)
  }

  numberShown(patientId: string, no: string | null): void {
    if (no === null) return
    const known = this.shown.get(patientId) ?? new Set()
    this.shown.set(patientId, known.add(no))
  }
}
