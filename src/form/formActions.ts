import type { JsonValue } from '#core/json.ts'
import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { RowEdit } from '#core/form/engine/tableRows.ts'
import type { Missing } from '#core/form/definition/value.ts'

/** The acts on a form, and the edits that it reports. */

/**
 * One edit of a value by a person, for the journal: from the old value to the new one, with the typed text where it
 * says more than the value.
 */
export interface ItemEdit {
  readonly kind: 'item'
  /** Code of the table and `_rid` of the row that the field is in; null for a field of the page. */
  readonly table: string | null
  readonly rid: string | null
  readonly code: string
  readonly old: JsonValue | null
  readonly value: JsonValue | null
  readonly oldMissing: Missing | null
  readonly missing: Missing | null
  readonly text: string | null
}

/** A row that a person added, moved, deleted or brought back. */
export type FormRowEdit = RowEdit & { readonly kind: 'row' }

export type FormEdit = ItemEdit | FormRowEdit

/** A row that is open in the form's sheet of rows. */
export interface OpenRow {
  readonly table: string
  readonly rid: string
  /** Code of the field to begin with; null for the first. */
  readonly code: string | null
}

/** A question that needs more room than a row; the form's one sheet asks it. */
export interface SheetRequest {
  readonly kind: 'missing' | 'calendar' | 'choose' | 'confirm' | 'group'
  /** Address of the field; of a group, of its first field. */
  readonly address: string
  /** The end of a range that is meant; null for a whole value. */
  readonly end: 0 | 1 | null
  /** Of `confirm`: the name of the warning. */
  readonly warning?: string
  /** Of `group`: the codes of its fields. */
  readonly codes?: readonly string[]
}

export interface FormActions {
  readonly state: FormState
  /** The moment now, on the form's calendar: `yyyy-MM-dd HH:mm:ss`. */
  readonly clock: () => string
  readonly onEdit: (edit: FormEdit) => void
  /** Shows the history of a field; null where there is none to show. */
  readonly history: ((address: string) => void) | null
  /** Shows what was asked about a field; null where who looks has nothing to do with queries. */
  readonly queries: ((address: string) => void) | null
  readonly openSheet: (request: SheetRequest) => void
  readonly openRow: (row: OpenRow) => void
  /** Whether a sheet of this field is open: a user who answers there has not left the field. */
  readonly isOpen: (address: string) => boolean
  /** Runs a task that may move the page, either now or after the click that is in progress. */
  readonly afterPress: (task: () => void) => void
}

type Change = (state: FormState) => unknown

/** Changes one cell, and reports the edit if there was one. */
export function edit({ state, onEdit }: Pick<FormActions, 'state' | 'onEdit'>, address: string, change: Change): void {
  const before = state.getCell(address)
  change(state)
  const after = state.getCell(address)
  if (before === undefined || after === undefined) return
  const { value, missing, text } = after
  if (before.value === value && before.missing === missing && before.text === text) return
  const { table, rid, code } = addressOf(address)
  onEdit({ kind: 'item', table, rid, code, old: before.value, value, oldMissing: before.missing, missing, text })
}

type RowActions = Pick<FormActions, 'state' | 'onEdit' | 'openRow'>

/** Adds a row and opens it. */
export function addRow(actions: RowActions, table: string, after: string | null, copied: string | null): void {
  const { state, onEdit, openRow } = actions
  const added = state.addRow(table, after, copied)
  if (added === null) return
  tellRow(actions, added)
  for (const address of added.filled) {
    const cell = state.getCell(address)
    if (cell === undefined) continue
    const { table: of, rid, code } = addressOf(address)
    onEdit({
      kind: 'item',
      table: of,
      rid,
      code,
      old: null,
      value: cell.value,
      oldMissing: null,
      missing: null,
      text: cell.text,
    })
  }
  openRow({ table, rid: added.rid, code: null })
}

/**
 * Reports that a row was added, moved, deleted or brought back. Also reports that this cleared the table's missing
 * reason.
 */
export function tellRow({ onEdit }: Pick<FormActions, 'onEdit'>, edit: RowEdit | null): void {
  if (edit === null) return
  onEdit({ kind: 'row', ...edit })
  const { table, saidNone } = edit
  if (saidNone !== null)
    onEdit({
      kind: 'item',
      table: null,
      rid: null,
      code: table,
      old: null,
      value: null,
      oldMissing: saidNone,
      missing: null,
      text: null,
    })
}
