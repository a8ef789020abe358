import { addressOf } from '#core/form/definition/address.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import { isCollected } from '#core/form/definition/page.ts'

import { hasRows, isBlank } from './missing/blank.ts'
import type { FormActions } from './formActions.ts'
import { edit, tellRow } from './formActions.ts'

/** How many rounds to make: emptying one field may unlock another that a rule kept read-only. */
const ROUNDS = 3

/** How many fields and rows of a page hold something that a person can clear. */
export function countFilled(state: FormState): number {
  return state.cells().filter((cell) => canEmpty(cell) && (cell.missing !== null || !isBlank(cell))).length
}

/**
 * Clears everything on a page that a person may edit: values, missing reasons, table rows. Each is reported as a
 * separate edit, as if the user had gone from field to field. Calculated fields follow; fields that a rule keeps
 * read-only stay.
 */
export function emptyForm(actions: Pick<FormActions, 'state' | 'onEdit'>): void {
  const { state } = actions
  for (let round = 0; round < ROUNDS && countFilled(state) > 0; round += 1) {
    for (const cell of state.cells().filter(canEmpty)) {
      const { key, rows } = cell
      for (const rid of rows ?? []) tellRow(actions, state.setRowDeleted(key, rid, true))
      edit(actions, key, (form) => (form.getCell(key)?.missing === null ? null : form.setMissing(key, null)))
      if (!hasRows(cell)) edit(actions, key, (form) => form.setValue(key, null))
    }
  }
}

/**
 * Fields of the page itself that a person fills in; fields of a row go with their row. Initial values do not count,
 * because nobody has entered them.
 */
function canEmpty({ key, field, readOnly, calculated, initial }: Cell): boolean {
  return !readOnly && !calculated && !initial && isCollected(field) && addressOf(key).table === null
}
