import type { Raw } from './option.ts'
import { scalarText, text } from './option.ts'

/**
 * Fields whose values are taken from what is saved on another page of the same patient: `fkCrfPageId` names the page,
 * `fkCrfPageColumn` its field (`field`, or `table.field` for a field in the rows of a table). A field of type `table`
 * holds which record was picked; any other field holds the text taken from the record. Fields with the same
 * `groupPropId` belong to the field of that code, their head: they take their values from the record that is picked
 * there (docs/adr/0024-lists-and-look-ups.md).
 */
export interface LookUp {
  /** The page, by its id or its code, as the definition has it. */
  readonly page: string
  /** The field of that page or of its table's rows; null where the definition names none. */
  readonly column: string | null
  /** The table of that page whose rows are the records; null where the page's entries are. */
  readonly table: string | null
  /** The field that picks the record for this one; null where this field picks it itself. */
  readonly head: string | null
}

/** The look-up of a column as it is stored; null without one. */
export function readLookUp(raw: Raw): LookUp | null {
  const page = scalarText(raw.fkCrfPageId)
  if (page === null || page === '') return null
  const named = text(raw.fkCrfPageColumn) ?? ''
  // Field lists name a field with its page in front.
  const path = (named.startsWith(`${page}.`) ? named.slice(page.length + 1) : named)
    .split('.')
    .filter((part) => part !== '')
  const [column = null, table = null] = path.toReversed()
  return { page, column, table, head: text(raw.groupPropId) }
}
