import type { NotCarriedPart, NotCarriedReason } from '#core/exchange/definition.ts'
import type { Column, FieldExtension, TextValidation } from '#core/form/column.ts'
import { numberFromText } from '#core/form/value.ts'

import type { DictionaryRow } from './table.ts'
import { hasMarkup, plainText, readChoices } from './text.ts'

/** One row of a dictionary as a column, without its rules. What has no place is reported through `report`. */

export type Report = (what: NotCarriedPart, why: NotCarriedReason, text: string) => void

type Shape = Pick<Column, 'type'> & Partial<Omit<Column, 'prop' | 'label' | 'zl'>> & { readonly zl?: FieldExtension }

/** Sets of choices that REDCap does not write down. */
const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]
const TRUE_FALSE = [
  { value: '1', label: 'True' },
  { value: '0', label: 'False' },
]

const DATE = { type: 'date', format: 'yyyy-MM-dd', valueFormat: 'yyyy-MM-dd' } as const
const DATETIME = { type: 'datetime', format: 'yyyy-MM-dd HH:mm:ss', valueFormat: 'yyyy-MM-dd HH:mm:ss' } as const
const TIME = { type: 'time', format: 'HH:mm:ss', valueFormat: 'HH:mm:ss' } as const

/** A column for the row, or null for a row that holds text and no data. */
export function columnOf(row: DictionaryRow, prop: string, report: Report): Column | null {
  const { cells } = row
  const shape = shapeOf(row, report)
  if (shape === null) return null
  const label = plainText(cells.field_label) || cells.field_name
  if (hasMarkup(cells.field_label)) report('label', 'markup-removed', cells.field_label)
  const note = plainText(cells.field_note)
  if (hasMarkup(cells.field_note)) report('label', 'markup-removed', cells.field_note)
  const zl: FieldExtension = {
    ...shape.zl,
    ...rangeOf(row, shape, report),
    ...(note === '' ? {} : { note }),
    ...(cells.identifier === 'y' ? { identifier: true } : {}),
    ...(cells.matrix_group_name === '' ? {} : { matrix: cells.matrix_group_name }),
    ...(prop === cells.field_name ? {} : { sourceOid: cells.field_name }),
  }
  const required = cells.required_field === 'y'
  for (const cell of [cells.custom_alignment, cells.question_number, cells.matrix_ranking]) {
    if (cell !== '') report('layout', 'layout-only', cell)
  }
  return {
    ...shape,
    prop,
    label,
    span: 24,
    ...tagsOf(row, report),
    ...(required ? { required, rules: [{ required, message: `${label}必须填写`, trigger: 'blur' }] } : {}),
    ...(Object.keys(zl).length === 0 ? {} : { zl }),
  }
}

function shapeOf(row: DictionaryRow, report: Report): Shape | null {
  const { cells } = row
  const validation = cells.text_validation_type_or_show_slider_number
  const choices = cells.select_choices_or_calculations
  switch (cells.field_type) {
    case 'text':
      return textShape(validation, report)
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
      return sliderShape(choices)
    case 'calc':
      return { type: 'number' }
    case 'file':
      return { type: 'upload' }
    case 'descriptive':
      report('field', 'text-only', cells.field_label)
      return null
    case 'sql':
      report('choices', 'query-of-source-system', choices)
      return { type: 'input' }
    default:
      report('field', 'unknown-type', cells.field_type)
      return { type: 'input' }
  }
}

function textShape(validation: string, report: Report): Shape {
  if (validation === '') return { type: 'input' }
  if (/^date_(ymd|mdy|dmy)$/.test(validation)) return DATE
  if (/^datetime_(seconds_)?(ymd|mdy|dmy)$/.test(validation)) return DATETIME
  if (validation === 'time' || validation === 'time_hh_mm_ss') return TIME
  if (validation === 'integer') return { type: 'number', zl: { precision: 0 } }
  const number = /^number(?:_([1-4])dp)?(?:_comma_decimal)?$/.exec(validation)
  if (number !== null) return number[1] === undefined ? { type: 'number' } : { type: 'number', zl: { precision: Number(number[1]) } }
  const known = textValidationOf(validation)
  if (known !== null) return { type: 'input', zl: { validation: known } }
  report('validation', 'unknown-validation', validation)
  return { type: 'input' }
}

function textValidationOf(validation: string): TextValidation | null {
  if (validation === 'email') return 'email'
  if (validation === 'alpha_only') return 'letters'
  if (/^phone(_|$)/.test(validation)) return 'phone'
  return validation === 'zipcode' || validation.startsWith('postalcode_') ? 'postcode' : null
}

function sliderShape(labels: string): Shape {
  const marks = labels === '' ? [] : labels.split('|').map((mark) => plainText(mark))
  return { type: 'slider', min: 0, max: 100, step: 1, ...(marks.length === 0 ? {} : { zl: { marks } }) }
}

function choicesOf(text: string, report: Report): { value: string; label: string }[] {
  const seen = new Set<string>()
  return readChoices(text).flatMap(({ value, label }) => {
    if (seen.has(value)) {
      report('choices', 'duplicate-choice', `${value}, ${label}`)
      return []
    }
    seen.add(value)
    if (hasMarkup(label)) report('label', 'markup-removed', `${value}, ${label}`)
    return [{ value, label: plainText(label) || value }]
  })
}

/** Bounds: a constant of the field's own kind. `today`, `now` and piped fields have no place here yet. */
function rangeOf(row: DictionaryRow, shape: Shape, report: Report): Pick<FieldExtension, 'min' | 'max'> {
  const bound = (text: string): number | string | null => {
    if (text === '') return null
    const value = shape.type === 'number' || shape.type === 'slider' ? numberFromText(text.replace(',', '.')) : isoBound(text)
    if (value === null) report('range', 'not-a-constant', text)
    return value
  }
  if (shape.type === 'slider' && row.cells.text_validation_min === '' && row.cells.text_validation_max === '') return {}
  const [min, max] = [bound(row.cells.text_validation_min), bound(row.cells.text_validation_max)]
  return { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) }
}

/** REDCap stores the bounds of every date format as year-month-day. */
function isoBound(text: string): string | null {
  return /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?$|^\d{2}:\d{2}(:\d{2})?$/.test(text) ? text : null
}

/** Action tags that mean the same here. All others are reported. */
function tagsOf(row: DictionaryRow, report: Report): Partial<Pick<Column, 'display' | 'readonly' | 'maxlength'>> {
  const annotation = row.cells.field_annotation
  if (annotation === '') return {}
  const tags = annotation.match(/@[A-Z][A-Z-]*(\s*=\s*("[^"]*"|'[^']*'|[^\s@]+))?/g) ?? []
  let found: Partial<Pick<Column, 'display' | 'readonly' | 'maxlength'>> = {}
  let carried = ''
  for (const tag of tags) {
    const limit = /^@CHARLIMIT\s*=\s*["']?(\d{1,6})["']?$/.exec(tag)?.[1]
    if (tag === '@HIDDEN' || tag === '@HIDDEN-FORM') found = { ...found, display: false }
    else if (tag === '@READONLY' || tag === '@READONLY-FORM') found = { ...found, readonly: true }
    else if (limit !== undefined) found = { ...found, maxlength: Number(limit) }
    else {
      report('annotation', 'unknown-action-tag', tag)
      continue
    }
    carried += tag
  }
  // Free text beside the tags is a note of the designer's.
  const rest = tags.reduce((text, tag) => text.replace(tag, ''), annotation).trim()
  if (rest !== '') report('annotation', carried === '' && tags.length === 0 ? 'text-only' : 'unknown-action-tag', rest)
  return found
}
