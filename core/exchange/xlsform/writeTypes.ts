import { escapedText } from '#core/exchange/redcap/text.ts'
import type { Column, DictionaryItem } from '#core/form/definition/column.ts'
import { itemsOf, listKey, partOf } from '#core/form/definition/lists.ts'

import { filterOf } from './choiceFilter.ts'
import type { Lose, WritingPlace } from './writingPlace.ts'

/** Types of fields in the words of an XLSForm. */

interface TypeCells {
  readonly type: string
  readonly appearance: string
  readonly parameters: string
}

export function typeCells(column: Column, lose: Lose): TypeCells {
  const { type, zl = {} } = column
  const plain = (name: string, appearance = '', parameters = ''): TypeCells => ({ type: name, appearance, parameters })
  if (column.display === false && type === 'input') return plain(zl.calculate === undefined ? 'hidden' : 'calculate')
  switch (type) {
    case 'input':
      return plain('text')
    case 'textarea':
      return plain('text', 'multiline')
    case 'number': {
      const precision = zl.precision ?? column.precision
      if (precision !== undefined && precision > 0) lose('precision', String(precision))
      return plain(precision === 0 ? 'integer' : 'decimal')
    }
    case 'date':
      return plain('date')
    case 'year':
      return plain('date', 'year')
    case 'month':
      if (column.valueFormat === 'MM') lose('type', 'MM')
      return plain('date', 'month-year')
    case 'time':
      return plain('time')
    case 'datetime':
      return plain('dateTime')
    case 'slider':
      return plain(
        'range',
        '',
        `start=${column.min ?? zl.min ?? 0} end=${column.max ?? zl.max ?? 100} step=${column.step ?? 1}`,
      )
    case 'radio':
      return plain('select_one')
    case 'select':
      if (column.multiple === true) lose('type', 'select, multiple')
      return plain(
        column.multiple === true ? 'select_multiple' : 'select_one',
        column.filterable === true ? 'autocomplete' : 'minimal',
      )
    case 'checkbox':
      return plain(isAcknowledged(column) ? 'acknowledge' : 'select_multiple')
    case 'upload':
      return plain(uploadType(column, lose))
    case 'title':
      return plain('note')
    case 'dynamic':
      return plain('begin_repeat')
    case 'autocomplete':
    case 'array':
    case 'url':
    case 'cascader':
    case 'tree':
    case 'week':
    case 'daterange':
    case 'timerange':
    case 'datetimerange':
    case 'table':
      lose('type', type)
      return plain('text')
  }
}

function isAcknowledged({ dicData = [] }: Column): boolean {
  return JSON.stringify(dicData) === '[{"value":"OK","label":"OK"}]'
}

function uploadType({ accept, limit, fileSize }: Column, lose: Lose): string {
  const text = Array.isArray(accept) ? accept.join(',') : String(accept ?? '')
  if (limit !== undefined && limit !== 1) lose('limit', String(limit))
  if (fileSize !== undefined) lose('fileSize', String(fileSize))
  const kind = /^(image|audio|video)\/\*$/.exec(text)?.[1]
  if (kind === undefined && text !== '') lose('accept', text)
  return kind ?? 'file'
}

interface ListedCells {
  readonly list: string
  readonly filter?: string
}

/** The list of a choice, written down; null for a field without choices. */
export function choiceCells(
  column: Column,
  place: WritingPlace,
  labels: string | undefined,
  lose: Lose,
): ListedCells | null {
  if (!['radio', 'select', 'checkbox'].includes(column.type) || isAcknowledged(column)) return null
  const more = labelsOf(labels)
  const writeChoice = (item: DictionaryItem, cells: Readonly<Record<string, string>>) => {
    const code = String(item.value)
    const value = code.trim().replaceAll(/\s+/g, '_')
    // A blank parts answers there. The code is written with another sign, which is told, and stands beside it for us.
    if (value !== code) lose('choices', JSON.stringify(item))
    if (value === '') return []
    const own = value === code ? {} : { zl_value: code }
    const { label, labelEn, value: _value, ...rest } = item
    const english = labelEn === undefined ? {} : { [`label${place.titles.english}`]: escapedText(labelEn) }
    if (Object.keys(rest).length > 0) lose('choices', JSON.stringify(item))
    return [
      {
        item: { value, label: escapedText(label) },
        more: {
          ...cells,
          ...own,
          ...english,
          ...Object.fromEntries(
            Object.entries(more).flatMap(([title, by]) => (by[code] === undefined ? [] : [[title, by[code]]])),
          ),
        },
      },
    ]
  }
  const filter = column.dicUrl === undefined ? null : filterOf(column.dicUrl)
  const parent = place.among.find(({ prop }) => prop === filter?.parent)
  if (column.dicUrl !== undefined && filter !== null && parent !== undefined) {
    const by = partOf(partOf(place.stored[listKey({ url: column.dicUrl, parent: filter.parent })]).by)
    const choices = Object.entries(by).flatMap(([answer, items]) =>
      itemsOf(items)
        .flatMap((item) => itemOf(item))
        .flatMap((item) => writeChoice(item, { [filter.column]: answer })),
    )
    const name = place.names.field(null, filter.parent) ?? place.names.row(filter.parent) ?? filter.parent
    return { list: place.lists.nameFor(choices, filter.list), filter: `${filter.column}=\${${name}}` }
  }
  if (column.dicUrl !== undefined) lose('choices', column.dicUrl)
  const choices = uniqueChoices(
    (column.dicData ?? []).flatMap((item) => writeChoice(item, {})),
    lose,
  )
  if (choices.length === 0) {
    // A list without choices is none to a form: the field takes any text there.
    lose('choices', '[]')
    return null
  }
  return { list: place.lists.nameFor(choices, column.prop) }
}

/** Each code once; what is left of another with the same is told. */
function uniqueChoices<T extends { readonly item: Pick<DictionaryItem, 'value' | 'label'> }>(
  choices: readonly T[],
  lose: Lose,
): readonly T[] {
  const seen = new Set<unknown>()
  return choices.filter(({ item }) => {
    const isNew = !seen.has(item.value)
    seen.add(item.value)
    if (!isNew) lose('choices', JSON.stringify(item))
    return isNew
  })
}

function itemOf(item: unknown): readonly DictionaryItem[] {
  const { value, label, labelEn } = partOf(item)
  return typeof value === 'string' || typeof value === 'number'
    ? [
        {
          value,
          label: typeof label === 'string' ? label : String(value),
          ...(typeof labelEn === 'string' ? { labelEn } : {}),
        },
      ]
    : []
}

/** Labels in other languages, as they were kept with the field. */
function labelsOf(kept: string | undefined): Readonly<Record<string, Readonly<Record<string, string>>>> {
  if (kept === undefined) return {}
  try {
    const parsed: unknown = JSON.parse(kept)
    return Object.fromEntries(
      Object.entries(partOf(parsed)).map(([title, by]) => [
        title,
        Object.fromEntries(
          Object.entries(partOf(by)).flatMap(([code, text]) => (typeof text === 'string' ? [[code, text]] : [])),
        ),
      ]),
    )
  } catch (error) {
    // Kept by another format, under a name that is ours.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
