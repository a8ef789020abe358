import type { Report } from '#core/exchange/definition.ts'
import type { FormField } from '#core/exchange/xpath/form.ts'
import { keep } from '#core/exchange/xpath/form.ts'
import type { StoredList } from '#core/form/definition/lists.ts'
import { listKey } from '#core/form/definition/lists.ts'

import type { ChoiceList } from './choices.ts'
import { uniqueChoices } from './choices.ts'
import { cellText } from './table.ts'

/**
 * Choices that follow the answer of another field (`choice_filter`): where the filter compares one column of the list
 * with one field, the list is kept with the page, by the answers of that field.
 */

export interface FilteredField {
  readonly field: FormField
  readonly list: ChoiceList
  readonly filter: string
  readonly report: Report
  /** Fields of the same page or of the same rows. */
  readonly among: readonly FormField[]
}

const FILTERS = [
  /^\s*(?<column>[\w.-]+)\s*=\s*\$\{\s*(?<parent>[^{}\s]+)\s*\}\s*$/,
  /^\s*\$\{\s*(?<parent>[^{}\s]+)\s*\}\s*=\s*(?<column>[\w.-]+)\s*$/,
  /^\s*selected\(\s*\$\{\s*(?<parent>[^{}\s]+)\s*\}\s*,\s*(?<column>[\w.-]+)\s*\)\s*$/,
]

/** Address of a list that lies with its page, and came with the file. */
const SCHEME = 'xlsform:'

/**
 * Sets the choices of a field apart by answers; where that cannot be, all are offered and the filter is reported. Gives
 * the lists of the page.
 */
export function applyFilter({
  field,
  list,
  filter,
  report,
  among,
}: FilteredField): Readonly<Record<string, StoredList>> {
  const groups = FILTERS.map((pattern) => pattern.exec(filter)?.groups).find((found) => found !== undefined)
  const parent =
    among.find(({ name, column }) => name === groups?.['parent'] && column.dicData !== undefined) ??
    among.find(({ name, column }) => name === groups?.['parent'] && column.dicUrl !== undefined)
  const column = groups?.['column'] ?? ''
  if (parent === undefined || !list.choices.some(({ row }) => cellText(row, column.toLowerCase()) !== '')) {
    report('choices', 'choice-filter', filter)
    uniqueChoices(list, report)
    keep(field, 'choice_filter', filter)
    return {}
  }
  const by: Record<string, { value: string | number | boolean; label: string }[]> = {}
  for (const { row, item } of list.choices) {
    const answer = cellText(row, column.toLowerCase())
    const items = Object.hasOwn(by, answer) ? (by[answer] ?? []) : []
    if (answer !== '' && !items.some(({ value }) => value === item.value))
      by[answer] = [...items, { value: item.value, label: item.label }]
  }
  const address = `${SCHEME}${encodeURIComponent(list.name)}?${encodeURIComponent(column)}={{${parent.prop}}}`
  const { dicData: _all, ...rest } = field.column
  field.column = { ...rest, dicUrl: address }
  return { [listKey({ url: address, parent: parent.prop })]: { by } }
}

/**
 * The list and the column that an address was made of, and the field whose answer it follows; null for other addresses.
 */
export function filterOf(
  address: string,
): { readonly list: string; readonly column: string; readonly parent: string } | null {
  const match = /^xlsform:([^?]*)\?([^=]*)=\{\{([A-Za-z_]\w*)\}\}$/.exec(address)
  if (match === null) return null
  const [, list = '', column = '', parent = ''] = match
  return { list: decodeURIComponent(list), column: decodeURIComponent(column), parent }
}
