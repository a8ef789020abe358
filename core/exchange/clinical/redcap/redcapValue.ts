import type { Field } from '#core/form/definition/page.ts'
import { isTable } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'

import { fitsDataType } from '#core/exchange/clinical/dataTypes.ts'
import { jsonText, partsOf } from '#core/exchange/clinical/itemValue.ts'
import { writeListLine } from '#core/exchange/clinical/listLine.ts'
import type { RedcapColumn } from './redcapColumns.ts'
import { boxName } from './redcapColumns.ts'
import type { ClinicalNoteKind } from '#core/exchange/clinical/subject.ts'

/** Values as REDCap's import takes them: one that its validation refuses would stop the whole file. */

export interface RedcapCells {
  readonly cells: readonly (readonly [name: string, text: string])[]
  readonly problem: ClinicalNoteKind | null
}

const refuse = (problem: ClinicalNoteKind): RedcapCells => ({ cells: [], problem })

/** The cells of a field with a value. */
export function redcapCells(column: RedcapColumn, field: Field, value: JsonValue): RedcapCells {
  // What REDCap has no type for is a text there.
  if (isTable(field)) return { cells: [[column.name, jsonText(value)]], problem: 'not-of-item' }
  const parts = partsOf(field, 'text', value)
  if (parts === null) return textOnly(column, value)
  const isListed = column.codes === null || parts.every((part) => column.codes?.includes(part) === true)
  if (column.type === 'checkbox') {
    // Boxes that the project has are ticked, whatever else was chosen.
    const chosen = new Set(parts)
    const boxes = (column.codes ?? []).map(
      (code) => [boxName(column.name, code), chosen.has(code) ? '1' : '0'] as const,
    )
    return { cells: boxes, problem: isListed ? null : 'not-in-list' }
  }
  if (!isListed) return refuse('not-in-list')
  // A list of REDCap has one answer.
  if (column.codes !== null && parts.length > 1) return refuse('not-of-item')
  const text = parts.length > 1 ? writeListLine(parts) : asValidated(column.validation, parts[0] ?? '')
  return fitsValidation(text, column.validation)
    ? { cells: [[column.name, text]], problem: null }
    : refuse(isPartOfDate(field, text) ? 'not-of-item' : 'not-of-type')
}

/** A date of REDCap is a whole one. */
function isPartOfDate({ partial }: Field, text: string): boolean {
  return partial !== null && fitsDataType(text, 'partialDate', '2.0')
}

/** What is not of its field's kind: a plain text takes it as it is. */
function textOnly({ name, codes, validation }: RedcapColumn, value: JsonValue): RedcapCells {
  return codes === null && validation === ''
    ? { cells: [[name, typeof value === 'string' ? value : jsonText(value)]], problem: 'not-of-type' }
    : refuse('not-of-type')
}

/** Times with the seconds, and numbers with the digits and the sign before them, that REDCap asks for. */
function asValidated(validation: string, text: string): string {
  if (/^(datetime_seconds_|time_hh_mm_ss$)/.test(validation) && /(^| )\d\d:\d\d$/.test(text)) return `${text}:00`
  const [, digits, comma] = /^number(?:_([1-4])dp)?(_comma_decimal)?$/.exec(validation) ?? []
  const [whole = '', part = ''] = text.split('.')
  const padded =
    digits === undefined || !/^-?\d+(\.\d+)?$/.test(text) || part.length > Number(digits)
      ? text
      : `${whole}.${part.padEnd(Number(digits), '0')}`
  return comma === undefined ? padded : padded.replace('.', ',')
}

/** Dates are year-month-day in an import, whatever the form shows. A validation that is not known takes anything. */
function fitsValidation(text: string, validation: string): boolean {
  if (validation.startsWith('date_')) return fitsDataType(text, 'date', '2.0')
  if (validation.startsWith('datetime_seconds_')) return fitsDataType(text.replace(' ', 'T'), 'datetime', '2.0')
  if (validation.startsWith('datetime_'))
    return /^[^ ]+ \d\d:\d\d$/.test(text) && fitsDataType(`${text.replace(' ', 'T')}:00`, 'datetime', '2.0')
  if (validation === 'time') return /^\d\d:\d\d$/.test(text) && fitsDataType(`${text}:00`, 'time', '2.0')
  if (validation === 'time_hh_mm_ss') return fitsDataType(text, 'time', '2.0')
  if (validation === 'integer') return fitsDataType(text, 'integer', '2.0')
  const number = validation.endsWith('_comma_decimal') ? text.replace(',', '.') : text
  const digits = /^number_([1-4])dp/.exec(validation)?.[1]
  // REDCap asks for exactly so many digits.
  if (digits !== undefined) return new RegExp(`^-?\\d+\\.\\d{${digits}}$`).test(number)
  return !/^number(_|$)/.test(validation) || fitsDataType(number, 'decimal', '2.0')
}
