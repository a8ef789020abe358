import type { JsonValue } from '#core/json.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import {
  dayOfInstant,
  monthFromTyping,
  monthOfYearFromTyping,
  partialDateFromTyping,
  weekFromTyping,
  weekOf,
  weekText,
  yearFromTyping,
} from '#core/values/calendarParts.ts'
import { dateFromTyping, datetimeFromTyping, halfWidth, timeFromTyping } from '#core/values/dates.ts'
import { numberFromText } from '#core/values/numberText.ts'

import type { Field } from './page.ts'
import { isRange } from './page.ts'

/**
 * Values of fields in their one canonical form. Several values are an array; comma-joined text is read, but never
 * written. Empty is null here and an absent key in stored data. Text that cannot be a value of its field ("约70" in a
 * number) is kept as text, so that nothing entered is lost. It is reported as an error of the field, and to rules the
 * value is missing.
 */

/** Why a value is missing: not done, unknown, not applicable. */
export const MISSING_CODES = ['ND', 'UNK', 'NA'] as const
export type MissingCode = (typeof MISSING_CODES)[number]

/** A missing value with its reason. It stands beside the value and satisfies `required`. */
export interface Missing {
  readonly m: MissingCode
  readonly reason: string
}

/** What kind of JSON a field's canonical value is. */
export type ValueKind = 'text' | 'number' | 'texts' | 'numbers' | 'paths' | 'files' | 'rows'

/** The kind of canonical value of a field. */
export function valueKind(field: Pick<Field, 'type' | 'multiple' | 'lastStep'>): ValueKind {
  switch (field.type) {
    case 'number':
      return 'number'
    case 'slider':
      return field.multiple ? 'numbers' : 'number'
    case 'checkbox':
    case 'array':
    case 'url':
    case 'daterange':
    case 'timerange':
    case 'datetimerange':
      return 'texts'
    case 'select':
    case 'tree':
    case 'table':
      return field.multiple ? 'texts' : 'text'
    case 'cascader':
      if (field.lastStep) return field.multiple ? 'texts' : 'text'
      return field.multiple ? 'paths' : 'texts'
    case 'upload':
      return 'files'
    case 'dynamic':
      return 'rows'
    case 'title':
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'radio':
    case 'year':
    case 'month':
    case 'week':
    case 'date':
    case 'time':
    case 'datetime':
      return 'text'
  }
}

/**
 * The canonical form of a value from a screen, a file or a stock front end; null when it is empty. It never refuses: a
 * value that does not fit is kept as it is, and `checkValueShape` (structure) and the engine (meaning) judge it.
 */
export function canonicalValue(field: Field, raw: unknown): JsonValue | null {
  const value = toJson(raw)
  if (value === null || value === '') return null
  switch (valueKind(field)) {
    case 'text':
      return typeof value === 'string' && hasCalendarDay(field) ? dayText(field, value) : scalarText(value)
    case 'number':
      return typeof value === 'string' ? (exactNumber(value) ?? value) : value
    case 'numbers':
      return ofList(field, value, (item) => (item === null ? '' : (numberOf(item) ?? item)))
    case 'texts':
      return ofList(field, value, (item) => (item === null ? '' : scalarText(item)))
    case 'paths':
    case 'files':
      return ofList(field, value, (item) => item)
    case 'rows':
      return isEmptyList(value) ? null : stripFrontEndKeys(value)
  }
}

/**
 * What typed text means for a field: full-width digits, eight-digit dates and the like become the canonical value. Text
 * that has no meaning, or none yet, stays text. Lists are typed one item a line.
 */
export function valueFromTyping(field: Field, typed: string): JsonValue | null {
  if (typed.trim() === '') return null
  if (field.type === 'array' || field.type === 'url') return canonicalValue(field, typed.split(/\r\n|\r|\n/))
  return temporalFromTyping(field, typed) ?? canonicalValue(field, typed)
}

/**
 * A range with one of its ends typed anew; null when both are empty. An end that is not given yet is empty text, and
 * the range is then incomplete.
 */
export function rangeFromTyping(field: Field, current: JsonValue | null, end: 0 | 1, typed: string): JsonValue | null {
  const ends = isList(current) ? [...current] : ['', '']
  while (ends.length < 2) ends.push('')
  ends[end] = typed.trim() === '' ? '' : (temporalFromTyping(field, typed) ?? typed)
  return canonicalValue(field, ends)
}

/** What a text box shows of a value while nobody types in it. Typing that text gives the same value again. */
export function typingText(field: Field, value: JsonValue | null): string {
  if ((field.type === 'array' || field.type === 'url') && isList(value)) return value.map(valueText).join('\n')
  const week = field.type === 'week' && typeof value === 'string' ? weekOf(value) : null
  return week === null ? valueText(value) : weekText(week)
}

/**
 * The canonical text of a date, a time or a part of the calendar. Null for other fields, and for text that is no such
 * value, or none yet.
 */
function temporalFromTyping(field: Field, typed: string): string | null {
  switch (field.type) {
    case 'date':
      return field.partial === null ? dateFromTyping(typed) : partialDateFromTyping(typed, field.partial)
    case 'daterange':
      return dateFromTyping(typed)
    case 'time':
    case 'timerange':
      return timeFromTyping(typed, field.minutes)
    case 'datetime':
    case 'datetimerange':
      return datetimeFromTyping(typed, field.minutes)
    case 'year':
      return yearFromTyping(typed)
    case 'month':
      return field.monthOfYear ? monthOfYearFromTyping(typed) : monthFromTyping(typed)
    case 'week':
      return weekFromTyping(typed)
    case 'title':
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'upload':
    case 'number':
    case 'array':
    case 'url':
    case 'dynamic':
    case 'radio':
    case 'checkbox':
    case 'select':
    case 'cascader':
    case 'tree':
    case 'slider':
    case 'table':
      return null
  }
}

/** The stored value of a field in canonical form; null when empty or absent. */
export function readValue(field: Field, data: EntryData): JsonValue | null {
  return Object.hasOwn(data.values, field.code) ? canonicalValue(field, data.values[field.code]) : null
}

/** The stored missing reason of a field, or null. */
export function readMissing(field: Field, data: EntryData): Missing | null {
  return Object.hasOwn(data.missing, field.code) ? (data.missing[field.code] ?? null) : null
}

/**
 * The number in a text, where a number can hold every digit that was written; else null. From about sixteen digits on,
 * it would silently become another number.
 */
function exactNumber(text: string): number | null {
  const value = numberFromText(text)
  return value === null || decimalOf(String(value)) === decimalOf(halfWidth(text).trim()) ? value : null
}

/** A decimal number in one standard form: its digits without zeros at either end, and the place of the last digit. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${part}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - part.length + digits.length - significant.length}`
}

/** Text of a stored value for a text box or a read-only line. Choices show their own labels elsewhere. */
export function valueText(value: JsonValue | null): string {
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (isList(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function isList(value: JsonValue | null): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Arrays that a stock front end sent as comma-joined or as JSON text. */
function splitList(field: Field, value: JsonValue): JsonValue {
  if (typeof value !== 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : value
  if (value.startsWith('[')) {
    try {
      const parsed = toJson(JSON.parse(value))
      if (isList(parsed)) return parsed
    } catch (error) {
      // It is not JSON after all: text that only begins with a bracket is split like any other.
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return value.split(field.separator)
}

/**
 * The items of a list in canonical form; null when all of them are empty. An empty item counts only as an end of a
 * range.
 */
function ofList(field: Field, value: JsonValue, canonical: (item: JsonValue) => JsonValue): JsonValue | null {
  const list = splitList(field, value)
  if (!isList(list)) return list
  const items = list.map(canonical)
  if (items.every((item) => item === '')) return null
  return isRange(field) ? items : items.filter((item) => item !== '')
}

/**
 * Types whose value is a day or a part of the calendar. A stock front end without a format stores such a value as an
 * instant.
 */
function hasCalendarDay({ type }: Field): boolean {
  return type === 'date' || type === 'week' || type === 'month' || type === 'year'
}

function dayText({ type, monthOfYear }: Field, value: string): string {
  const day = dayOfInstant(value)
  if (day === value || type === 'date' || type === 'week') return day
  return type === 'year' ? day.slice(0, 4) : monthOfYear ? day.slice(5, 7) : day.slice(0, 7)
}

function numberOf(value: JsonValue): number | null {
  return typeof value === 'number' ? value : typeof value === 'string' ? exactNumber(value) : null
}

function scalarText(value: JsonValue): JsonValue {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

function isEmptyList(value: JsonValue): boolean {
  return isList(value) && value.length === 0
}

/** Removes the keys `$index`, `$cellEdit` and `$<prop>` that Avue leaves in the rows that it sends. */
function stripFrontEndKeys(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(stripFrontEndKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (key.startsWith('$') ? [] : [[key, stripFrontEndKeys(item)]])),
  )
}

function toJson(raw: unknown): JsonValue {
  if (raw === null || raw === undefined) return null
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : null
  if (Array.isArray(raw)) return raw.map(toJson)
  if (typeof raw === 'object') return Object.fromEntries(Object.entries(raw).map(([key, item]) => [key, toJson(item)]))
  return null
}
