import type { JsonValue } from '#core/json.ts'

import type { Field } from './page.ts'
import type { Issue } from './issue.ts'
import type { Missing } from './value.ts'

/** What a screen draws of one field. Immutable: a change makes a new object, so that identity tells whether to draw again. */
export interface Cell {
  readonly field: Field
  /** The canonical value; null when empty. Kept while the field is hidden. */
  readonly value: JsonValue | null
  /** The text as typed, where it says more than the value ("1.10"); null otherwise. */
  readonly text: string | null
  readonly missing: Missing | null
  readonly visible: boolean
  readonly required: boolean
  readonly readOnly: boolean
  readonly calculated: boolean
  /** The value is what the definition lets a new entry begin with: nobody has entered it, and it is not saved yet. */
  readonly initial: boolean
  readonly issues: readonly Issue[]
  /** What the server said about this value when it was last sent; gone with the next edit. */
  readonly serverMessage: string | null
  /** The conflict of this field that waits for a person's decision: two people gave it different values. Null without one. */
  readonly conflict: string | null
  /** Whether a person has left the field since the form opened, or asked for all errors. Errors are shown from then on. */
  readonly left: boolean
}

/** One item that differs from the base, as it is saved. Null values mean empty. */
export interface ItemChange {
  readonly prop: string
  readonly value: JsonValue | null
  readonly base: JsonValue | null
  readonly missing: Missing | null
  readonly baseMissing: Missing | null
  /** The text as typed, for the journal; null where it is the value itself. */
  readonly text: string | null
  readonly calculated: boolean
}

/** A rule that failed although all its inputs were there. Reported to the data manager. */
export interface RuleFault {
  readonly prop: string
  readonly role: 'show' | 'require' | 'readOnlyWhen' | 'calculate' | 'check'
  readonly source: string
  readonly code: string
}

/** How far a page is. Hidden and calculated fields do not count. */
export interface Completeness {
  /** Visible fields that a person can answer, and how many of them have a value or a reason. */
  readonly total: number
  readonly answered: number
  readonly required: number
  readonly requiredAnswered: number
  /** Required fields without an answer, in reading order. */
  readonly missingRequired: readonly string[]
  /** Fields with at least one error (not warning), in reading order. */
  readonly withErrors: readonly string[]
}

export type SetResult = 'changed' | 'same' | 'read-only' | 'unknown-prop'
