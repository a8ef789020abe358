import type { Report } from '#core/exchange/definition.ts'
import type { CheckRule, Column, DictionaryItem, FieldExtension } from '#core/form/definition/column.ts'
import { parseDate } from '#core/values/dates.ts'
import { requiredColumn } from '#core/form/definition/requiredColumn.ts'
import { numberFromText } from '#core/values/numberText.ts'

import type { DictionaryRow } from './table.ts'
import { tagsOf } from './tags.ts'
import { hasMarkup, plainText, readChoices } from './text.ts'
import type { Shape } from './validations.ts'
import { textShape } from './validations.ts'

/** One row of a dictionary as a column, without its rules. What has no place is reported through `report`. */

/** Sets of choices that REDCap does not write down. */
const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]
const TRUE_FALSE = [
  { value: '1', label: 'True' },
  { value: '0', label: 'False' },
]

/** A column for the row. */
export function columnOf(row: DictionaryRow, prop: string, report: Report): Column {
  const { cells } = row
  const shape = shapeOf(row, prop, report)
  const label = plainText(cells.field_label) || cells.field_name
  if (hasMarkup(cells.field_label)) report('label', 'markup-removed', cells.field_label)
  const note = plainText(cells.field_note)
  if (hasMarkup(cells.field_note)) report('label', 'markup-removed', cells.field_note)
  const { dicData } = shape
  const tags = tagsOf(row, shape.type, prop, dicData?.map(({ value }) => String(value)) ?? [], report)
  const { checks: bounds, ...range } = rangeOf(row, shape, prop, report)
  const checks = [...(shape.zl?.checks ?? []), ...bounds, ...tags.checks]
  const zl: FieldExtension = {
    ...shape.zl,
    ...range,
    ...(checks.length === 0 ? {} : { checks }),
    ...(note === '' ? {} : { note }),
    ...(cells.identifier === 'y' ? { identifier: true } : {}),
    ...(cells.matrix_group_name === '' ? {} : { matrix: cells.matrix_group_name }),
    ...(prop === cells.field_name ? {} : { sourceOid: cells.field_name }),
  }
  reportUnused(row, report)
  const required = cells.required_field === 'y'
  for (const cell of [cells.custom_alignment, cells.question_number, cells.matrix_ranking]) {
    if (cell !== '') report('layout', 'layout-only', cell)
  }
  return {
    ...shape,
    prop,
    label,
    span: 24,
    ...(dicData === undefined ? {} : { dicData: dicData.map((item) => retiredItem(item, tags.retired)) }),
    ...tags.column,
    ...(required ? requiredColumn(label) : {}),
    ...(Object.keys(zl).length === 0 ? {} : { zl }),
  }
}

const WITH_CHOICES: ReadonlySet<string> = new Set(['radio', 'dropdown', 'checkbox', 'calc', 'slider', 'sql'])

/** Cells that are filled although the type of the field has no use for them. */
function reportUnused({ cells }: DictionaryRow, report: Report): void {
  const choices = cells.select_choices_or_calculations
  if (choices !== '' && !WITH_CHOICES.has(cells.field_type)) {
    // A text field names a terminology service here: `BIOPORTAL:ICD-10`.
    report('choices', cells.field_type === 'text' ? 'query-of-source-system' : 'not-used-by-source', choices)
  }
  const validation = cells.text_validation_type_or_show_slider_number
  if (validation !== '' && cells.field_type !== 'text') {
    // Typing in a list, and a number beside a slider, are matters of the page.
    const isLayout = validation === 'autocomplete' || (cells.field_type === 'slider' && validation === 'number')
    report(isLayout ? 'layout' : 'validation', isLayout ? 'layout-only' : 'unknown-validation', validation)
  }
  for (const flag of [cells.identifier, cells.required_field]) {
    if (flag !== '' && flag !== 'y' && flag !== 'n') report('flag', 'not-used-by-source', flag)
  }
}

function retiredItem(item: DictionaryItem, retired: ReadonlySet<string>): DictionaryItem {
  return retired.has(String(item.value)) ? { ...item, disabled: true } : item
}

function shapeOf(row: DictionaryRow, prop: string, report: Report): Shape {
  const { cells } = row
  const validation = cells.text_validation_type_or_show_slider_number
  const choices = cells.select_choices_or_calculations
  switch (cells.field_type) {
    case 'text':
      return textShape(validation, prop, report)
    case 'notes':
      return { type: 'textarea' }
    case 'radio':
      return { type: 'radio', dicData: choicesOf(choices, report) }
    case 'dropdown':
      return { type: 'select', dicData: choicesOf(choices, report) }
    case 'checkbox':
      return { type: 'checkbox', dicData: choicesOf(choices, report) }
    case 'yesno':
      return { type: 'radio', dicData: YES_NO, zl: { widget: 'yesno' } }
    case 'truefalse':
      return { type: 'radio', dicData: TRUE_FALSE }
    case 'slider':
      return sliderShape(choices, report)
    case 'calc':
      return { type: 'number' }
    case 'file':
      return { type: 'upload' }
    case 'descriptive':
      return { type: 'title' }
    case 'sql':
      report('choices', 'query-of-source-system', choices)
      return { type: 'input' }
    default:
      report('field', 'unknown-type', cells.field_type)
      return { type: 'input' }
  }
}

function sliderShape(labels: string, report: Report): Shape {
  if (hasMarkup(labels)) report('label', 'markup-removed', labels)
  const marks = labels === '' ? [] : labels.split('|').map((mark) => plainText(mark).replaceAll('\n', ' '))
  return { type: 'slider', min: 0, max: 100, step: 1, ...(marks.length === 0 ? {} : { zl: { marks } }) }
}

function choicesOf(text: string, report: Report): { value: string; label: string }[] {
  const seen = new Set<string>()
  const choices = readChoices(text)
  if (choices.length === 0) report('choices', 'no-choices', text)
  return choices.flatMap(({ value, label }) => {
    if (seen.has(value)) {
      report('choices', 'duplicate-choice', `${value}, ${label}`)
      return []
    }
    seen.add(value)
    if (hasMarkup(label)) report('label', 'markup-removed', `${value}, ${label}`)
    return [{ value, label: plainText(label) || value }]
  })
}

type Ranges = Pick<FieldExtension, 'plausible'> & { readonly checks: readonly CheckRule[] }

/**
 * Bounds warn in REDCap and stop nobody: a constant of the field's own kind is an end of what is plausible; `today` and
 * `now` are a check, as they move. Piped fields have no place.
 */
function rangeOf(row: DictionaryRow, shape: Shape, prop: string, report: Report): Ranges {
  const { text_validation_min: least, text_validation_max: most } = row.cells
  const min = boundOf(least, shape)
  const max = boundOf(most, shape)
  const checks = [movingBound('min', least, shape, prop), movingBound('max', most, shape, prop)].filter(
    (check) => check !== null,
  )
  for (const [text, value] of [
    [least, min],
    [most, max],
  ] as const) {
    if (text !== '' && value === null && !isMoving(text, shape)) report('range', 'not-a-constant', text)
  }
  const plausible = { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) }
  return { ...(min === null && max === null ? {} : { plausible }), checks }
}

function boundOf(text: string, shape: Shape): number | string | null {
  if (text === '') return null
  return shape.type === 'number' || shape.type === 'slider' ? numberFromText(text.replace(',', '.')) : isoBound(text)
}

function isMoving(text: string, shape: Shape): boolean {
  return (
    (shape.type === 'date' && text === 'today') || (shape.type === 'datetime' && (text === 'today' || text === 'now'))
  )
}

/** Texts of dates in their canonical form sort like the dates. */
function movingBound(end: 'min' | 'max', text: string, shape: Shape, prop: string): CheckRule | null {
  if (!isMoving(text, shape)) return null
  const message =
    end === 'min'
      ? {
          zh: text === 'now' ? '不能早于现在' : '不能早于今天',
          en: text === 'now' ? 'Not before now' : 'Not before today',
        }
      : {
          zh: text === 'now' ? '不能晚于现在' : '不能晚于今天',
          en: text === 'now' ? 'Not after now' : 'Not after today',
        }
  const seen = shape.type === 'datetime' && text === 'today' ? `rcLeft(page.${prop}, 10)` : `page.${prop}`
  return { id: end, when: `${seen} ${end === 'min' ? '<' : '>'} ${text}`, severity: 'warning', message }
}

/**
 * REDCap stores the bounds of every date format as year-month-day. A spreadsheet writes `1/1/2000`, which is taken
 * where day and month cannot be confused.
 */
function isoBound(text: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?$|^\d{2}:\d{2}(:\d{2})?$/.test(text)) return text
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const [a, b] = [Number(match?.[1]), Number(match?.[2])]
  if (match === null || (a !== b && a <= 12 && b <= 12)) return null
  const [month, day] = a > 12 ? [b, a] : [a, b]
  const date = `${match[3]}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return parseDate(date) === null ? null : date
}
