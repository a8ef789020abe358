import type { JsonValue } from '#core/json.ts'
import type { ChangeReason, MissingReason } from '#core/sync/entryChange.ts'
import type { DemoAccount } from '#server/demo/accounts.ts'

/** The data that somebody entered on a page of the demo. */

export type Values = Readonly<Record<string, JsonValue>>

export interface Entered {
  readonly values: Values
  /** The missing reasons, by field. */
  readonly missing?: Readonly<Record<string, MissingReason>>
  /** Rows of tables, by the table's code, in their order. */
  readonly rows?: Readonly<Record<string, readonly Values[]>>
  /** Values outside of their plausible range that a person stands by: why, by field. */
  readonly confirmed?: Readonly<Record<string, string>>
}

/** Later changes of a page: an empty value is null. */
export interface Correction {
  readonly values: Values
  /** Null where another person enters a page that they have not seen. */
  readonly reason: ChangeReason | null
  readonly submit: boolean
  /** Who makes it; absent for whoever entered the page. */
  readonly by?: DemoAccount
  /** The person has not seen what was entered: another value is a conflict. */
  readonly unseen?: true
}

/** A page of a subject, from the first save to the last. */
export interface EnteredPage extends Entered {
  readonly folder: string
  /** 1, 2 … for a page of a visit that somebody made. */
  readonly visitRepeat?: number
  readonly page: string
  /** The pass of double entry; absent for the first. */
  readonly pass?: 1 | 2
  /** 0 for the page itself, 1, 2 … for its repeats. */
  readonly repeat: number
  readonly submit: boolean
  readonly corrections: readonly Correction[]
}
