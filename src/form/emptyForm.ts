import { addressOf } from '#core/form/definition/address.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isCollected } from '#core/form/definition/page.ts'

import type { FormActions } from './formActions.ts'
import { edit, tellRow } from './formActions.ts'

/** Emptying one field may open another that a rule kept read-only. */
const ROUNDS = 3

/** How many fields and rows of a page hold something that a person can empty. */
export function countFilled(state: FormState): number {
  return state
    .cells()
    .filter(
      (cell) =>
        canEmpty(cell) && (cell.missing !== null || (cell.rows === null ? cell.value !== null : cell.rows.length > 0)),
    ).length
}

/**
 * Empties all of a page that a person may edit: values, reasons why there is none, rows of tables. Each is told as an
 * edit of its own, as if a hand had gone from field to field. What is calculated follows; what a rule keeps read-only
 * stays.
 */
export function emptyForm(actions: Pick<FormActions, 'state' | 'onEdit'>): void {
  const { state } = actions
  for (let round = 0; round < ROUNDS && countFilled(state) > 0; round += 1) {
    for (const { key, rows } of state.cells().filter(canEmpty)) {
      for (const rid of rows ?? []) tellRow(actions, state.setRowDeleted(key, rid, true))
      edit(actions, key, (form) => (form.getCell(key)?.missing === null ? null : form.setMissing(key, null)))
      if (rows === null || rows.length === 0) edit(actions, key, (form) => form.setValue(key, null))
    }
  }
}

/**
 * Fields of the page itself that a person fills; those of a row go with their row. What a new page begins with nobody
 * has entered.
 */
function canEmpty({ key, field, readOnly, calculated, initial }: Cell): boolean {
  return !readOnly && !calculated && !initial && isCollected(field) && addressOf(key).table === null
}
