import type { Field, PageModel } from '#core/form/definition/page.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import { checkValueShape } from '#core/form/definition/shape.ts'
import { readValue } from '#core/form/definition/value.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { rowsOf } from '#core/sync/merge.ts'

import { definitionIssue } from './issue.ts'
import { isMaskIn } from './slot.ts'

/** Parts of stored data that a form cannot show (specification §8): they are kept as they are and reported. */
export interface NotEchoed {
  /** Codes that the definition does not have. */
  readonly notFound: readonly string[]
  /**
   * Codes of fields whose value their control cannot show: a choice that is not in the list, a text where rows should
   * be.
   */
  readonly notShown: readonly string[]
}

/**
 * Finds the data of a page that its form will not show.
 *
 * @param masked whether the data came masked for this reader
 */
export function notEchoed(page: PageModel, data: EntryData, masked: boolean): NotEchoed {
  const codes = Object.keys(data.values).filter((code) => data.values[code] !== null && data.values[code] !== '')
  const fields = page.fields.filter((field) => holdsData(field) && codes.includes(field.code))
  return {
    notFound: codes.filter((code) => !page.byCode.has(code)),
    notShown: fields.filter((field) => !isShown(field, data, masked)).map(({ code }) => code),
  }
}

function isShown(field: Field, data: EntryData, masked: boolean): boolean {
  const value = readValue(field, data)
  if (value === null || isMaskIn(value, masked)) return true
  if (checkValueShape(field, value) !== null) return false
  if (isTable(field)) return rowsOf(value) !== null
  return definitionIssue(field, value)?.code !== 'not-choice'
}
