import type { Report } from '#core/exchange/definition.ts'
import type { DictionaryItem } from '#core/form/definition/column.ts'

import type { Languages } from './languages.ts'
import { spokenIn } from './languages.ts'
import type { FormRow, FormTable } from './table.ts'
import { cellText } from './table.ts'

/** The lists of choices of an XLSForm. */

export interface ListedChoice {
  readonly row: FormRow
  readonly item: DictionaryItem
  /** Labels in languages that are not kept here, by the titles of their columns. */
  readonly others: readonly { readonly title: string; readonly text: string }[]
}

export interface ChoiceList {
  readonly name: string
  readonly choices: readonly ListedChoice[]
}

const MEDIA = ['image', 'audio', 'video', 'big-image']

/** The lists by their names. What a list says that is not kept is reported under its name. */
export function readLists(
  table: FormTable,
  languages: Languages,
  reportOf: (row: number, list: string) => Report,
): ReadonlyMap<string, ChoiceList> {
  const lists = new Map<string, { name: string; choices: ListedChoice[] }>()
  for (const row of table.rows) {
    const name = cellText(row, 'list_name')
    const value = cellText(row, 'zl_value') || cellText(row, 'name') || cellText(row, 'value')
    const report = reportOf(row.row, name)
    if (name === '' || value === '') {
      report('choices', 'unknown-type', row.cells.map(({ text }) => text).join(', '))
      continue
    }
    const { text, en, others } = spokenIn(row, 'label', languages, report)
    for (const other of others) report('choices', 'language-not-kept', `${other.title}: ${other.text}`)
    for (const { header, text: file } of row.cells)
      if (MEDIA.includes(header.name)) report('media', 'media-file', `${value}: ${file}`)
    const list = lists.get(name) ?? { name, choices: [] }
    lists.set(name, list)
    list.choices.push({
      row,
      item: {
        value,
        label: text === '' ? (en ?? value) : text,
        ...(en === null || text === '' ? {} : { labelEn: en }),
      },
      others,
    })
  }
  return lists
}

/** Each code once, as a field offers them. */
export function uniqueChoices({ choices }: ChoiceList, report: Report): readonly ListedChoice[] {
  const seen = new Set<string | number | boolean>()
  return choices.filter(({ item }) => {
    if (seen.has(item.value)) {
      report('choices', 'duplicate-choice', `${item.value}, ${item.label}`)
      return false
    }
    seen.add(item.value)
    return true
  })
}

/** The labels in other languages as one text, to be kept with a field; null where there are none. */
export function rememberLabels(choices: readonly ListedChoice[]): string | null {
  const labels: Record<string, Record<string, string>> = {}
  for (const { item, others } of choices) {
    for (const { title, text } of others) labels[title] = { ...labels[title], [String(item.value)]: text }
  }
  return Object.keys(labels).length === 0 ? null : JSON.stringify(labels)
}
