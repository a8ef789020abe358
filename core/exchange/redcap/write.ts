import type { DefinedPage } from '#core/exchange/definition.ts'
import type { CheckRule, Column } from '#core/form/definition/column.ts'
import { pipedText, readPipes } from '#core/form/definition/piping.ts'

import { withoutFilled } from './circles.ts'
import type { Cells } from './rememberedCells.ts'
import { restoreCells } from './rememberedCells.ts'
import type { DictionaryColumn } from './table.ts'
import { tagOfCheck } from './tags.ts'
import { escapedText, plainText } from './text.ts'
import { isFormatCheck, validationOf } from './validations.ts'
import { writeExpression } from './writeExpression.ts'

/** Writes pages as a REDCap data dictionary (CSV). What REDCap has no word for is left out and named, never guessed. */

/** A part of a field that a dictionary cannot hold. */
export interface NotWritten {
  readonly page: string
  readonly field: string
  readonly what:
    | 'type'
    | 'show'
    | 'calculate'
    | 'require'
    | 'readOnlyWhen'
    | 'check'
    | 'unit'
    | 'unitEn'
    | 'labels'
    | 'noteEn'
    | 'placeholderEn'
    | 'marksEn'
    | 'labelEn'
    | 'pageNameEn'
    | 'sourceOid'
    | 'choices'
    | 'value'
    | 'partial'
    | 'modes'
    | 'limits'
    | 'reference'
  readonly text: string
}

export interface WrittenDictionary {
  /** The file's text, with the header that REDCap itself writes. */
  readonly text: string
  readonly notWritten: readonly NotWritten[]
}

type Lose = (what: NotWritten['what'], text: string) => void

/** REDCap's columns, in its order, with the names of its own downloads. */
const COLUMNS: readonly (readonly [DictionaryColumn, string])[] = [
  ['field_name', 'Variable / Field Name'],
  ['form_name', 'Form Name'],
  ['section_header', 'Section Header'],
  ['field_type', 'Field Type'],
  ['field_label', 'Field Label'],
  ['select_choices_or_calculations', 'Choices, Calculations, OR Slider Labels'],
  ['field_note', 'Field Note'],
  ['text_validation_type_or_show_slider_number', 'Text Validation Type OR Show Slider Number'],
  ['text_validation_min', 'Text Validation Min'],
  ['text_validation_max', 'Text Validation Max'],
  ['identifier', 'Identifier?'],
  ['branching_logic', 'Branching Logic (Show field only if...)'],
  ['required_field', 'Required Field?'],
  ['custom_alignment', 'Custom Alignment'],
  ['question_number', 'Question Number (surveys only)'],
  ['matrix_group_name', 'Matrix Group Name'],
  ['matrix_ranking', 'Matrix Ranking?'],
  ['field_annotation', 'Field Annotation'],
]

/**
 * Writes the pages of a study, each as one form. Reading the text again gives the same pages, less what `notWritten`
 * names.
 */
export function writeRedcapDictionary(pages: readonly DefinedPage[]): WrittenDictionary {
  const notWritten: NotWritten[] = []
  const rows = pages.flatMap((page) => rowsOf(page, notWritten))
  return { text: dictionaryText(rows), notWritten }
}

/** The rows of that dictionary, a field each, for whoever writes data that fit it. */
export function dictionaryRows(pages: readonly DefinedPage[]): readonly Cells[] {
  return pages.flatMap((page) => rowsOf(page, []))
}

/** Rows as the text of a dictionary, with REDCap's header. */
export function dictionaryText(rows: readonly Cells[]): string {
  const lines = [COLUMNS.map(([, title]) => title), ...rows.map((cells) => COLUMNS.map(([name]) => cells[name] ?? ''))]
  return lines.map((line) => `${line.map(writeCell).join(',')}\n`).join('')
}

function rowsOf({ pageCode, pageNameEn, option }: DefinedPage, notWritten: NotWritten[]): readonly Cells[] {
  const groups = option.group ?? []
  // A dictionary is in one language.
  if (pageNameEn !== undefined) notWritten.push({ page: pageCode, field: '', what: 'pageNameEn', text: pageNameEn })
  for (const { prop, labelEn } of groups)
    if (labelEn !== undefined) notWritten.push({ page: pageCode, field: prop, what: 'labelEn', text: labelEn })
  const parts = [
    ...(option.column.length > 0 || groups.length === 0 ? [{ label: '', column: option.column }] : []),
    ...groups,
  ]
  return parts.flatMap((part, at): readonly Cells[] => {
    const header = part.label === '' ? {} : { section_header: escapedText(part.label) }
    const form = { form_name: pageCode }
    if (part.column.length === 0) {
      // A part without fields stands on a row of text, as REDCap has no other place for it.
      return [
        {
          ...form,
          ...header,
          field_name: `${pageCode}_text_${at}`,
          field_type: 'descriptive',
          field_label: escapedText(part.label),
        },
      ]
    }
    return part.column.map((column, index) => {
      const lose: Lose = (what, text) => notWritten.push({ page: pageCode, field: column.prop, what, text })
      const cells = restoreCells(cellsOf(column, lose), column)
      const marked = column.zl?.kept?.['section_header']
      const own = marked !== undefined && plainText(marked) === part.label ? { section_header: marked } : header
      return { ...form, ...(index === 0 ? own : {}), ...cells, ...commaBounds(cells) }
    })
  })
}

/** Bounds have the decimal sign of their validation. */
function commaBounds({ text_validation_type_or_show_slider_number: validation = '', ...cells }: Cells): Cells {
  if (!validation.endsWith('_comma_decimal')) return {}
  const withComma = (bound = '') => bound.replace('.', ',')
  return {
    text_validation_min: withComma(cells.text_validation_min),
    text_validation_max: withComma(cells.text_validation_max),
  }
}

function cellsOf(column: Column, lose: Lose): Cells {
  const zl = column.zl ?? {}
  for (const what of ['require', 'readOnlyWhen', 'unit', 'unitEn', 'noteEn', 'placeholderEn', 'sourceOid'] as const) {
    const text = zl[what]
    if (text !== undefined) lose(what, text)
  }
  if (zl.marksEn !== undefined) lose('marksEn', zl.marksEn.join(' | '))
  if (zl.labels !== undefined) lose('labels', JSON.stringify(zl.labels))
  if (zl.partial !== undefined) lose('partial', zl.partial)
  if (defaultTag(column) === null) lose('value', JSON.stringify(column.value))
  const { addDisplay, editDisplay, viewDisplay, addDisabled, editDisabled } = column
  const modes = JSON.stringify({ addDisplay, editDisplay, viewDisplay, addDisabled, editDisabled })
  if (modes !== '{}') lose('modes', modes)
  const typed = typedCells(column, lose)
  // A value within a text has the brackets of REDCap, whatever it came in.
  const pipes = readPipes(zl.pipes).filter(({ token }) => !/^[[{]/.test(token))
  const pipeText = (text: string) => pipedText(text, pipes, (prop) => `[${prop}]`)
  const logic = zl.show === undefined ? '' : writeExpression(withoutFilled(zl.show, column.prop))
  if (logic === null) lose('show', zl.show ?? '')
  return {
    field_name: column.prop,
    field_label: escapedText(pipeText(column.label)),
    field_note: zl.note === undefined ? '' : escapedText(pipeText(zl.note)),
    ...typed,
    ...boundCells(column, lose),
    identifier: zl.identifier === true ? 'y' : '',
    branching_logic: logic ?? '',
    required_field: column.required === true ? 'y' : '',
    matrix_group_name: zl.matrix ?? '',
    field_annotation: [typed.field_annotation ?? '', ...tagsOf(column)].filter((tag) => tag !== '').join(' '),
  }
}

/** A field of the page in a rule written here. */
const OWN_FIELD = /\bpage\s*\./

/** Type, choices, validation, and a calculation where the type has one. */
function typedCells(column: Column, lose: Lose): Cells {
  const zl = column.zl ?? {}
  // A plus between texts of our own joins them, and in REDCap it does not.
  const formula =
    zl.calculate === undefined || (column.type !== 'number' && OWN_FIELD.test(zl.calculate))
      ? null
      : writeExpression(zl.calculate)
  if (zl.calculate !== undefined && formula === null) lose('calculate', zl.calculate)
  const plain = plainCells(column, lose)
  if (formula === null) return plain
  const isCalc =
    column.type === 'number' && zl.precision === undefined && (zl.kept?.['field_type'] ?? 'calc') === 'calc'
  if (isCalc) return { field_type: 'calc', select_choices_or_calculations: formula }
  return { ...plain, field_annotation: formula.startsWith('@') ? formula : `@CALCTEXT(${formula})` }
}

function plainCells(column: Column, lose: Lose): Cells {
  const zl = column.zl ?? {}
  switch (column.type) {
    case 'input':
    case 'number':
    case 'date':
    case 'datetime':
    case 'time':
      return { field_type: 'text', text_validation_type_or_show_slider_number: validationOf(column) }
    case 'textarea':
      return { field_type: 'notes' }
    case 'radio':
      if (zl.widget === 'yesno') return { field_type: 'yesno' }
      return isTrueFalse(column) ? { field_type: 'truefalse' } : { field_type: 'radio', ...choiceCells(column, lose) }
    case 'select':
      return { field_type: 'dropdown', ...choiceCells(column, lose) }
    case 'checkbox':
      return { field_type: 'checkbox', ...choiceCells(column, lose) }
    case 'slider':
      return { field_type: 'slider', select_choices_or_calculations: (zl.marks ?? []).map(escapedPart).join(' | ') }
    case 'upload':
      return { field_type: 'file' }
    case 'title':
      return { field_type: 'descriptive' }
    case 'autocomplete':
    case 'array':
    case 'url':
    case 'dynamic':
    case 'cascader':
    case 'tree':
    case 'year':
    case 'month':
    case 'week':
    case 'daterange':
    case 'timerange':
    case 'datetimerange':
    case 'table':
      lose('type', column.type)
      return { field_type: 'text' }
  }
}

function isTrueFalse({ dicData = [] }: Column): boolean {
  return JSON.stringify(dicData.map(({ value, label }) => [value, label])) === '[["1","True"],["0","False"]]'
}

function choiceCells({ dicData = [] }: Column, lose: Lose): Cells {
  const choices = dicData.flatMap(({ value, label }) => {
    const code = String(value)
    if (!/[,|\n]/.test(code)) return [`${code}, ${escapedPart(label)}`]
    lose('choices', code)
    return []
  })
  return { select_choices_or_calculations: choices.join(' | ') }
}

/** Text of one choice: what parts choices from each other is written as an entity. */
function escapedPart(text: string): string {
  return escapedText(text).replaceAll('|', '&#124;').replaceAll('\n', '<br>')
}

/**
 * A bound warns there and stops nobody. So hard limits become bounds where a field has no softer ones, and that they
 * stop nobody is told; ranges of reference have no place.
 */
function boundCells({ prop, type, zl = {} }: Column, lose: Lose): Cells {
  if (zl.min !== undefined || zl.max !== undefined) lose('limits', `${zl.min ?? ''} – ${zl.max ?? ''}`)
  if (zl.reference !== undefined) lose('reference', JSON.stringify(zl.reference))
  const moving = (id: string, sign: string) => {
    const check = zl.checks?.find((item) => item.id === id)
    return check === undefined ? null : (new RegExp(` ${sign} (today|now)$`).exec(check.when)?.[1] ?? null)
  }
  const [min, max] = [moving('min', '<'), moving('max', '>')]
  const isBound = ({ id }: CheckRule) => (id === 'min' && min !== null) || (id === 'max' && max !== null)
  const isWritten = (check: CheckRule) =>
    isBound(check) || isFormatCheck(check, prop) || tagOfCheck(check, prop) !== null
  const isBounded = ['number', 'date', 'datetime', 'time'].includes(type) && zl.calculate === undefined
  for (const check of zl.checks ?? []) if (!isWritten(check)) lose('check', check.when)
  return {
    text_validation_min: String(zl.plausible?.min ?? min ?? (isBounded ? zl.min : undefined) ?? ''),
    text_validation_max: String(zl.plausible?.max ?? max ?? (isBounded ? zl.max : undefined) ?? ''),
  }
}

function tagsOf(column: Column): readonly string[] {
  const retired = (column.dicData ?? []).filter((item) => item.disabled === true).map((item) => String(item.value))
  return [
    ...(column.zl?.checks ?? []).map((check) => tagOfCheck(check, column.prop) ?? ''),
    retired.length === 0 ? '' : `@HIDECHOICE='${retired.join(',')}'`,
    column.display === false ? '@HIDDEN' : '',
    column.readonly === true ? '@READONLY' : '',
    defaultTag(column) ?? '',
    column.maxlength === undefined ? '' : `@CHARLIMIT=${column.maxlength}`,
    column.placeholder === undefined ? '' : `@PLACEHOLDER="${column.placeholder}"`,
  ]
}

/** What a new entry begins with, as REDCap says it: empty without one, null where it has no way to. */
function defaultTag({ type, value }: Column): string | null {
  if (type === 'title' || value === undefined || value === null || value === '') return ''
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
  const text = parts.map(String).join(',')
  const isPlain = parts.every((part) => typeof part === 'string' || typeof part === 'number') && !/[[\]'\n]/.test(text)
  return isPlain ? (text === '' ? '' : `@DEFAULT='${text}'`) : null
}

/**
 * A cell of the file. A blank, which REDCap trims, keeps a spreadsheet from running what would begin like a formula.
 */
function writeCell(cell: string): string {
  const text = cell.trim()
  return quoteCell(/^[=+@-]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? ` ${text}` : text)
}

function quoteCell(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
