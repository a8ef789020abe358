import type { NotCarriedPart, NotCarriedReason } from '#core/exchange/definition.ts'
import type { CheckRule, Column, FieldExtension, TextValidation } from '#core/form/column.ts'
import { parseDate } from '#core/form/dates.ts'
import { numberFromText } from '#core/form/value.ts'

import type { ActionTag } from './actionTags.ts'
import { readAnnotation } from './actionTags.ts'
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
    ...rangeOf(row, shape, prop, report),
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

type Bounds = Pick<FieldExtension, 'min' | 'max' | 'checks'>

/**
 * Bounds: a constant of the field's own kind is a bound here too; `today` and `now` are a check, as they move. Piped fields have no
 * place.
 */
function rangeOf(row: DictionaryRow, shape: Shape, prop: string, report: Report): Bounds {
  const { text_validation_min: least, text_validation_max: most } = row.cells
  const min = boundOf(least, shape)
  const max = boundOf(most, shape)
  const checks = [movingBound('min', least, shape, prop), movingBound('max', most, shape, prop)].filter((check) => check !== null)
  for (const [text, value] of [[least, min], [most, max]] as const) {
    if (text !== '' && value === null && !isMoving(text, shape)) report('range', 'not-a-constant', text)
  }
  return { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }), ...(checks.length === 0 ? {} : { checks }) }
}

function boundOf(text: string, shape: Shape): number | string | null {
  if (text === '') return null
  return shape.type === 'number' || shape.type === 'slider' ? numberFromText(text.replace(',', '.')) : isoBound(text)
}

function isMoving(text: string, shape: Shape): boolean {
  return (shape.type === 'date' && text === 'today') || (shape.type === 'datetime' && (text === 'today' || text === 'now'))
}

/** Texts of dates in their canonical form sort like the dates. */
function movingBound(end: 'min' | 'max', text: string, shape: Shape, prop: string): CheckRule | null {
  if (!isMoving(text, shape)) return null
  const message =
    end === 'min'
      ? { zh: text === 'now' ? '不能早于现在' : '不能早于今天', en: text === 'now' ? 'Not before now' : 'Not before today' }
      : { zh: text === 'now' ? '不能晚于现在' : '不能晚于今天', en: text === 'now' ? 'Not after now' : 'Not after today' }
  const seen = shape.type === 'datetime' && text === 'today' ? `rcLeft(page.${prop}, 10)` : `page.${prop}`
  return { id: end, when: `${seen} ${end === 'min' ? '<' : '>'} ${text}`, severity: 'error', message }
}

/**
 * REDCap stores the bounds of every date format as year-month-day. A spreadsheet writes `1/1/2000`, which is taken where day and
 * month cannot be confused.
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

/** Tags that make their field a calculated one. */
export const CALCULATING_TAGS: ReadonlySet<string> = new Set(['@CALCTEXT', '@CALCDATE'])

type Tagged = Partial<Pick<Column, 'display' | 'readonly' | 'maxlength' | 'placeholder'>>

/** Action tags that mean the same here. All others are reported. */
function tagsOf(row: DictionaryRow, report: Report): Tagged {
  const { tags, rest } = readAnnotation(row.cells.field_annotation)
  let found: Tagged = {}
  for (const tag of tags) {
    const meaning = meaningOf(tag)
    if (meaning !== null) found = { ...found, ...meaning }
    else if (!CALCULATING_TAGS.has(tag.name)) report('annotation', 'unknown-action-tag', tag.text)
  }
  // Free text beside the tags is a note of the designer's.
  if (rest !== '') report('annotation', 'text-only', rest)
  return found
}

function meaningOf({ name, argument }: ActionTag): Tagged | null {
  switch (name) {
    case '@HIDDEN':
    case '@HIDDEN-FORM':
      return { display: false }
    case '@READONLY':
    case '@READONLY-FORM':
      return { readonly: true }
    case '@PLACEHOLDER':
      return argument === null ? null : { placeholder: argument }
    case '@CHARLIMIT':
      return argument !== null && /^\d{1,6}$/.test(argument.trim()) ? { maxlength: Number(argument) } : null
    default:
      return null
  }
}
