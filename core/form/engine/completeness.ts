import { isCollected } from '#core/form/definition/page.ts'

import type { Completeness } from './cell.ts'
import { isError, nonConformity } from './issue.ts'
import type { Slot } from './slot.ts'
import { isEmpty } from './slot.ts'

/**
 * How complete a page is, from its cells in reading order. Required cells of rows count; the table itself counts as one
 * field, whatever it holds.
 */
export function completenessOf(slots: Iterable<Slot>): Completeness {
  const missingRequired: string[] = []
  const withErrors: string[] = []
  let [total, answered, required] = [0, 0, 0]
  for (const slot of slots) {
    if (!slot.visible) continue
    if (slot.issues.some(isError)) withErrors.push(slot.key)
    if (!isCollected(slot.cell.field)) continue
    const done = isAnswered(slot) || slot.missing !== null
    if (slot.row === null) {
      total += 1
      if (done) answered += 1
    }
    if (!slot.required) continue
    required += 1
    if (!done) missingRequired.push(slot.key)
  }
  return { total, answered, required, requiredAnswered: required - missingRequired.length, missingRequired, withErrors }
}

/** Text that could not be read as a value of its field is kept, but does not count as an answer. */
function isAnswered(slot: Slot): boolean {
  const { value, issues, cell } = slot
  return !isEmpty(slot) && !(value !== null && issues.some(isError) && nonConformity(cell.field, value) !== null)
}
