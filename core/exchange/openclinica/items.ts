import type { NotCarried, Report } from '#core/exchange/definition.ts'
import type { Sheet } from '#core/exchange/sheet/sheetTable.ts'
import type { FormRow } from '#core/exchange/xlsform/table.ts'
import { formCell } from '#core/exchange/xlsform/table.ts'
import { reporter } from '#core/exchange/xpath/form.ts'

import { calculationOf, constraintOf } from './expressions.ts'

/** Items of a CRF template in the rows of an XLSForm. */

export interface ItemRow {
  readonly row: number
  /** Filled cells by the titles of their columns, in capitals and without the star of those that must be filled. */
  readonly cells: ReadonlyMap<string, string>
}

/** The rows of a sheet that say anything. */
export function itemRows(sheets: readonly Sheet[], name: string): readonly ItemRow[] {
  const [header, ...rows] = sheets.find((sheet) => sheet.name === name)?.rows ?? []
  const titles = header?.cells.map((title) => title.trim().replace(/\*$/, '').toUpperCase()) ?? []
  return rows.map(({ row, cells }) => ({
    row,
    cells: new Map(
      cells.flatMap((cell, at) =>
        cell.trim() === '' || (titles[at] ?? '') === '' ? [] : [[titles[at] ?? '', cell.trim()] as const],
      ),
    ),
  }))
}

/** Parts of an item that have no place here, by their titles. */
const UNUSED: Readonly<Record<string, Parameters<Report>[0]>> = {
  HEADER: 'layout',
  SUBHEADER: 'layout',
  PARENT_ITEM: 'layout',
  COLUMN_NUMBER: 'layout',
  PAGE_NUMBER: 'layout',
  QUESTION_NUMBER: 'layout',
  RESPONSE_LAYOUT: 'layout',
}

export class ItemWriter {
  readonly #sections: ReadonlyMap<string, ItemRow>
  readonly #groups: ReadonlyMap<string, ItemRow>
  readonly #notCarried: NotCarried[]
  readonly #choices: FormRow[] = []
  readonly #lists = new Set<string>()
  readonly #types = new Map<string, string>()

  constructor(sections: readonly ItemRow[], groups: readonly ItemRow[], notCarried: NotCarried[]) {
    this.#sections = byCode(sections, 'SECTION_LABEL')
    this.#groups = byCode(groups, 'GROUP_LABEL')
    this.#notCarried = notCarried
    for (const section of sections) this.#reportSection(section)
  }

  survey(items: readonly ItemRow[]): readonly FormRow[] {
    for (const { cells } of items)
      this.#types.set(cells.get('ITEM_NAME') ?? '', (cells.get('RESPONSE_TYPE') ?? '').toLowerCase())
    const labels = [...new Set(items.map(({ cells }) => cells.get('SECTION_LABEL') ?? ''))]
    return labels.flatMap((label) => {
      const own = items.filter(({ cells }) => (cells.get('SECTION_LABEL') ?? '') === label)
      const title = this.#sections.get(label)?.cells.get('SECTION_TITLE') ?? label
      const rows = this.#sectionRows(own)
      const at = own[0]?.row ?? 1
      return label === ''
        ? rows
        : [row(at, { type: 'begin_group', name: label, label: title }), ...rows, row(at, { type: 'end_group' })]
    })
  }

  choices(): readonly FormRow[] {
    return this.#choices
  }

  /** The items of a grid stand together where the first of them stands. */
  #sectionRows(items: readonly ItemRow[]): readonly FormRow[] {
    const done = new Set<string>()
    return items.flatMap((item) => {
      const label = item.cells.get('GROUP_LABEL') ?? ''
      const group = this.#groups.get(label)
      if (group === undefined || (group.cells.get('GROUP_LAYOUT') ?? '').toUpperCase() !== 'GRID')
        return [this.#item(item)]
      if (done.has(label)) return []
      done.add(label)
      const { cells } = group
      const first = cells.get('GROUP_REPEAT_NUMBER') ?? ''
      if (first !== '')
        reporter(this.#notCarried, group.row, label)('section', 'repeat-count', `GROUP_REPEAT_NUMBER: ${first}`)
      const own = items.filter((one) => one.cells.get('GROUP_LABEL') === label).map((one) => this.#item(one))
      return [
        row(group.row, {
          type: 'begin_repeat',
          name: label,
          label: cells.get('GROUP_HEADER') ?? label,
          zl_limit: cells.get('GROUP_REPEAT_MAX') ?? '',
        }),
        ...own,
        row(group.row, { type: 'end_repeat' }),
      ]
    })
  }

  #item(item: ItemRow): FormRow {
    const text = (title: string) => item.cells.get(title) ?? ''
    const name = text('ITEM_NAME')
    const report = reporter(this.#notCarried, item.row, name)
    for (const [title, part] of Object.entries(UNUSED))
      if (text(title) !== '') report(part, 'layout-only', `${title}: ${text(title)}`)
    if (text('LEFT_ITEM_TEXT') !== '' && text('DESCRIPTION_LABEL') !== '')
      report('annotation', 'text-only', text('DESCRIPTION_LABEL'))
    const type = text('RESPONSE_TYPE').toLowerCase()
    const isCalculated = type.includes('calculation')
    const calculation = isCalculated
      ? calculationOf(text('RESPONSE_VALUES_OR_CALCULATIONS'), (field) => this.#types.has(field))
      : ''
    if (calculation === null) report('calculation', 'unknown-function', text('RESPONSE_VALUES_OR_CALCULATIONS'))
    const constraint = constraintOf(text('VALIDATION'))
    if (constraint === null) report('validation', 'unknown-validation', text('VALIDATION'))
    return row(item.row, {
      ...this.#typeOf(item, type, report),
      name,
      label: text('LEFT_ITEM_TEXT') || text('DESCRIPTION_LABEL'),
      hint: text('RIGHT_ITEM_TEXT'),
      zl_unit: text('UNITS'),
      zl_identifier: text('PHI') === '1' ? 'yes' : '',
      zl_display:
        text('ITEM_DISPLAY_STATUS').toUpperCase() === 'HIDE' && text('SIMPLE_CONDITIONAL_DISPLAY') === '' ? 'no' : '',
      zl_partial: text('DATA_TYPE').toUpperCase() === 'PDATE' ? 'year' : '',
      required: text('REQUIRED') === '1' ? 'yes' : '',
      default: isCalculated ? '' : text('DEFAULT_VALUE'),
      relevant: this.#relevantOf(text('SIMPLE_CONDITIONAL_DISPLAY'), report),
      constraint: constraint ?? '',
      constraint_message: constraint === null || constraint === '' ? '' : text('VALIDATION_ERROR_MESSAGE'),
      calculation: calculation ?? '',
    })
  }

  #typeOf(item: ItemRow, type: string, report: Report): { readonly type: string; readonly appearance?: string } {
    switch (type) {
      case 'radio':
        return { type: `select_one ${this.#list(item, report)}` }
      case 'single-select':
        return { type: `select_one ${this.#list(item, report)}`, appearance: 'minimal' }
      case 'checkbox':
      case 'multi-select':
        return { type: `select_multiple ${this.#list(item, report)}` }
      case 'textarea':
        return { type: 'text', appearance: 'multiline' }
      case 'file':
        return { type: 'file' }
      default:
        return { type: dataType(item.cells.get('DATA_TYPE') ?? '') }
    }
  }

  /** A list of responses is written down once; later items name it alone. */
  #list(item: ItemRow, report: Report): string {
    const text = (title: string) => item.cells.get(title) ?? ''
    const name = (text('RESPONSE_LABEL') || text('ITEM_NAME')).replaceAll(/\s+/g, '_')
    const labels = commaParts(text('RESPONSE_OPTIONS_TEXT'))
    const values = commaParts(text('RESPONSE_VALUES_OR_CALCULATIONS'))
    if (this.#lists.has(name) || labels.length === 0) return name
    this.#lists.add(name)
    if (labels.length !== values.length)
      report(
        'choices',
        'expression-syntax',
        `${text('RESPONSE_OPTIONS_TEXT')} / ${text('RESPONSE_VALUES_OR_CALCULATIONS')}`,
      )
    for (const [at, value] of values.entries())
      this.#choices.push(row(item.row, { list_name: name, name: value, label: labels[at] ?? value }))
    return name
  }

  /** `item, value, message`: shown while the item has the value. */
  #relevantOf(condition: string, report: Report): string {
    if (condition === '') return ''
    const [name = '', value = '', message = ''] = commaParts(condition)
    if (message !== '') report('branching', 'text-only', message)
    const isMany = ['checkbox', 'multi-select'].includes(this.#types.get(name) ?? '')
    const quoted = value.includes("'") ? `"${value}"` : `'${value}'`
    return isMany ? `selected(\${${name}}, ${quoted})` : `string(\${${name}}) = ${quoted}`
  }

  #reportSection({ row: at, cells }: ItemRow): void {
    const report = reporter(this.#notCarried, at, cells.get('SECTION_LABEL') ?? '')
    for (const title of ['SUBTITLE', 'INSTRUCTIONS'])
      if (cells.has(title)) report('section', 'text-only', cells.get(title) ?? '')
    for (const title of ['PAGE_NUMBER', 'PARENT_SECTION', 'BORDERS'])
      if (cells.has(title)) report('section', 'layout-only', `${title}: ${cells.get(title) ?? ''}`)
  }
}

function dataType(type: string): string {
  switch (type.toUpperCase()) {
    case 'INT':
      return 'integer'
    case 'REAL':
      return 'decimal'
    case 'DATE':
    case 'PDATE':
      return 'date'
    case 'FILE':
      return 'file'
    default:
      return 'text'
  }
}

/** Parts between commas; one that belongs to a part has a back slash before it. */
function commaParts(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ',').trim())
}

function byCode(rows: readonly ItemRow[], title: string): ReadonlyMap<string, ItemRow> {
  return new Map(rows.map((one) => [one.cells.get(title) ?? '', one]))
}

function row(at: number, cells: Readonly<Record<string, string>>): FormRow {
  return {
    row: at,
    cells: Object.entries(cells).flatMap(([name, text]) => (text === '' ? [] : [formCell(name, text)])),
  }
}
