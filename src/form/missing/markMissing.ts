import { isCollected } from '#core/form/definition/page.ts'
import type { Missing } from '#core/form/definition/value.ts'
import type { Cell } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'

import { isBlank } from './blank.ts'
import type { FormActions } from '../formActions.ts'
import { edit } from '../formActions.ts'

/** Marks many fields as missing in one act: a group that was not examined, or a whole page. */

/** Codes of the fields that are asked for now and have neither a value nor a reason. */
export function listUnanswered(state: FormState, codes: readonly string[]): readonly string[] {
  return codes.filter((code) => {
    const cell = state.getCell(code)
    return cell !== undefined && isAsked(cell) && isOpen(cell)
  })
}

function isAsked({ visible, readOnly, calculated, field }: Cell): boolean {
  return visible && !readOnly && !calculated && isCollected(field)
}

function isOpen(cell: Cell): boolean {
  return cell.missing === null && isBlank(cell)
}

/** How many fields are asked for now, and how many of them have neither a value nor a reason. */
export function countOf(state: FormState, codes: readonly string[]): { readonly asked: number; readonly open: number } {
  let asked = 0
  let open = 0
  for (const code of codes) {
    const cell = state.getCell(code)
    if (cell === undefined || !isAsked(cell)) continue
    asked += 1
    if (isOpen(cell)) open += 1
  }
  return { asked, open }
}

/** Gives every unanswered field the same reason. What has a value keeps it. */
export function markMissing(
  actions: Pick<FormActions, 'state' | 'onEdit'>,
  codes: readonly string[],
  missing: Missing,
): void {
  for (const code of codes) {
    // Asked anew for each: a reason may hide the fields after it.
    if (listUnanswered(actions.state, [code]).length === 0) continue
    edit(actions, code, (state) => state.setMissing(code, missing))
  }
}
