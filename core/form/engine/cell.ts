import type { Choice } from '#core/form/definition/choiceLists.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { Limits } from '#core/form/definition/readLimits.ts'
import type { Missing } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { RowState } from '#core/sync/entryChange.ts'

import type { Issue } from './issue.ts'

/**
 * What a screen draws of one field. Immutable: a change makes a new object, so that identity tells whether to draw
 * again.
 */
export interface Cell {
  /** The cell's address (`addressKey`): the code for a field of the page, `table.rid.code` for a field in a row. */
  readonly key: string
  readonly field: Field
  /**
   * The existing rows of a table, by their `_rid`, in order; null for every other field. Each field of a row has its
   * own cell.
   */
  readonly rows: readonly string[] | null
  /** The canonical value; null when empty, and of a table with rows. Kept while the field is hidden. */
  readonly value: JsonValue | null
  /** The text as typed, where it differs from how the value is written ("1.10"); null otherwise. */
  readonly text: string | null
  readonly missing: Missing | null
  /** What may be chosen now: the field's choices, or those that follow the answer of another field. */
  readonly choices: readonly Choice[]
  readonly visible: boolean
  readonly required: boolean
  readonly readOnly: boolean
  readonly calculated: boolean
  /** The value is the initial value of a new entry: nobody has entered it, and it is not saved yet. */
  readonly initial: boolean
  /** The cell was left empty in a copied row, because this reader may not see the value in the original row. */
  readonly notCopied: boolean
  /** Of a calculated field without a value: a value that it is calculated from is missing. */
  readonly waits: boolean
  readonly issues: readonly Issue[]
  /** The reference range for this person; null where there is none. */
  readonly reference: Limits | null
  /** On which side of the reference range the value lies; null within the range, and without a value. */
  readonly flag: 'low' | 'high' | null
  /** What the server said about this value when it was last sent; removed with the next edit. */
  readonly serverMessage: string | null
  /**
   * The conflict of this field that waits for a person's decision: two people gave it different values. Null without
   * one.
   */
  readonly conflict: string | null
  /**
   * Whether a person has left the field since the form opened, or asked for all errors. Errors are shown from then on.
   */
  readonly left: boolean
}

/** What a screen draws of a row. Immutable, as a cell is. */
export interface RowView {
  readonly rid: string
  /** In the order of the definition. */
  readonly cells: readonly Cell[]
}

/** One item that differs from the base, as it is saved. Null values mean empty. */
export interface CellChange {
  /** The code of the table and the `_rid` of the row that the field is in; null for a field of the page. */
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly value: JsonValue | null
  readonly base: JsonValue | null
  readonly missing: Missing | null
  readonly baseMissing: Missing | null
  /** The text as typed, for the journal; null where it is the value itself. */
  readonly text: string | null
  readonly calculated: boolean
}

/** A row that was added, moved, deleted or brought back since the base. */
export interface RowStateChange {
  readonly table: string
  readonly rid: string
  readonly to: RowState
  /** Null for a row that is not in the base. */
  readonly base: RowState | null
  /**
   * Of a deleted row: its content as the person sees it, by field code. Null for others, and where a part of it is
   * masked.
   */
  readonly seen: Readonly<Record<string, JsonValue>> | null
}

/** A rule that failed although all its inputs were there. Reported to the data manager. */
export interface RuleFault {
  readonly code: string
  readonly role: 'show' | 'require' | 'readOnlyWhen' | 'calculate' | 'check' | 'reference'
  readonly source: string
  /** How it failed (`RuleOutcome`). */
  readonly failure: string
}

/** How complete a page is. Hidden and calculated fields do not count. */
export interface Completeness {
  /**
   * Visible fields of the page that a person can answer, and how many of them have a value or a reason. A table with a
   * row is answered.
   */
  readonly total: number
  readonly answered: number
  readonly required: number
  readonly requiredAnswered: number
  /** Addresses of required fields without an answer, in reading order; those in rows of tables among them. */
  readonly missingRequired: readonly string[]
  /** Addresses of fields with at least one error (not warning), in reading order. */
  readonly withErrors: readonly string[]
}

export type SetResult = 'changed' | 'same' | 'read-only' | 'unknown-field'
