import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, MissingReason } from '#core/sync/entryChange.ts'

/** The data that somebody entered on a page of the demo. */

export type Values = Readonly<Record<string, JsonValue>>

export interface Entered {
  readonly values: Values
  /** The missing reasons, by field. */
  readonly missing?: Readonly<Record<string, MissingReason>>
  /** Rows of tables, by the table's code, in their order. */
  readonly rows?: Readonly<Record<string, readonly Values[]>>
}

/** Later changes of a page: an empty value is null. */
export interface Correction {
  readonly values: Values
  readonly reason: ChangeReason
  readonly submit: boolean
}

/** A page of a subject, from the first save to the last. */
export interface EnteredPage extends Entered {
  readonly folder: string
  /** 1, 2 … for a page of a visit that somebody made. */
  readonly visitRepeat?: number
  readonly page: string
  /** 0 for the page itself, 1, 2 … for its repeats. */
  readonly repeat: number
  readonly submit: boolean
  readonly corrections: readonly Correction[]
}
