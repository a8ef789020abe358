import type { JsonValue } from '#core/json.ts'
import { addressOf } from '#core/form/definition/address.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { RowEdit } from '#core/form/engine/tableRows.ts'
import type { Missing } from '#core/form/definition/value.ts'

/** What can be done to a form, and what is told of it. */

/**
 * One edit of a value by a person, for the journal: old → new, and the text as typed where it says more than the value.
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

/** A question that needs more room than a row: the form's one sheet asks it. */
export interface SheetRequest {
  readonly kind: 'missing' | 'calendar' | 'choose' | 'confirm'
  /** Address of the field. */
  readonly address: string
  /** Which end of a range is meant; null for all of a value. */
  readonly end: 0 | 1 | null
  /** Of `confirm`: the name of the warning. */
  readonly warning?: string
}

export interface FormActions {
  readonly state: FormState
  /** The moment now, on the form's calendar: `yyyy-MM-dd HH:mm:ss`. */
  readonly clock: () => string
  readonly onEdit: (edit: FormEdit) => void
  readonly openSheet: (request: SheetRequest) => void
  readonly openRow: (row: OpenRow) => void
  /** Whether a sheet is open that belongs to a field: who answers there has not left it. */
  readonly isOpen: (address: string) => boolean
  /** Runs what may move the page now, or after the click that is under way. */
  readonly afterPress: (task: () => void) => void
}

type Change = (state: FormState) => unknown

/** Runs a change of one cell and tells of it if it was one. */
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
 * Tells of a row that was added, moved, deleted or brought back, and of the reason that its table had none, which that
 * took back.
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
