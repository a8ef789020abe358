import type { BilingualText, CheckSeverity } from './column.ts'
import type { Field } from './page.ts'
import type { JsonValue } from '#core/json.ts'

import { parseDate, parseInstant, parseTime } from './dates.ts'
import { isList, numberFromText, valueKind } from './value.ts'

/** What is wrong with a value, as data. The words are the screen's (`src/i18n/<language>/form.ts`), except those of a check. */
export type Issue =
  | { readonly code: 'required' }
  | { readonly code: 'not-number' }
  | { readonly code: 'not-integer' }
  | { readonly code: 'too-precise'; readonly digits: number }
  | { readonly code: 'not-date' }
  | { readonly code: 'not-time' }
  | { readonly code: 'not-datetime' }
  | { readonly code: 'below'; readonly min: number | string }
  | { readonly code: 'above'; readonly max: number | string }
  | { readonly code: 'too-long'; readonly max: number }
  | { readonly code: 'not-choice'; readonly value: string }
  | { readonly code: 'not-phone' }
  | { readonly code: 'not-email' }
  | { readonly code: 'not-letters' }
  | { readonly code: 'not-postcode' }
  | { readonly code: 'range-order' }
  | { readonly code: 'check'; readonly id: string; readonly severity: CheckSeverity; readonly message: BilingualText }

/** Whether an issue stops a submit. Warnings and automatic queries do not. */
export function isError(issue: Issue): boolean {
  return issue.code !== 'check' || issue.severity === 'error'
}

/**
 * Whether a value is a value of its field at all, or text that was kept because it could not be read as one. Rules see only
 * conformant values.
 */
export function nonConformity(field: Field, value: JsonValue): Issue | null {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? null : { code: 'not-number' }
    case 'slider':
      return (isList(value) ? value : [value]).every((item) => typeof item === 'number') ? null : { code: 'not-number' }
    case 'date':
      return typeof value === 'string' && parseDate(value) !== null ? null : { code: 'not-date' }
    case 'time':
      return typeof value === 'string' && parseTime(value) !== null ? null : { code: 'not-time' }
    case 'datetime':
      return typeof value === 'string' && value.length > 10 && parseInstant(value) !== null ? null : { code: 'not-datetime' }
    case 'daterange':
      return isPair(value, (item) => parseDate(item) !== null) ? null : { code: 'not-date' }
    case 'timerange':
      return isPair(value, (item) => parseTime(item) !== null) ? null : { code: 'not-time' }
    case 'datetimerange':
      return isPair(value, (item) => item.length > 10 && parseInstant(item) !== null) ? null : { code: 'not-datetime' }
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'upload':
    case 'array':
    case 'url':
    case 'dynamic':
    case 'radio':
    case 'checkbox':
    case 'select':
    case 'cascader':
    case 'tree':
    case 'year':
    case 'month':
    case 'week':
    case 'table':
      return null
  }
}

/** What the definition itself (not its rules) has against a conformant value. At most one issue: the first that a person can act on. */
export function definitionIssue(field: Field, value: JsonValue): Issue | null {
  const bounds = boundsIssue(field, value)
  if (bounds !== null) return bounds
  if (typeof value === 'number') return precisionIssue(field, value)
  if (typeof value === 'string') return choiceIssue(field, [value]) ?? textIssue(field, value)
  if (!isList(value)) return null
  if (field.type === 'daterange' || field.type === 'datetimerange') {
    const [from, to] = value
    return typeof from === 'string' && typeof to === 'string' && to < from ? { code: 'range-order' } : null
  }
  return choiceIssue(field, value)
}

function precisionIssue(field: Field, value: number): Issue | null {
  if (field.precision === null) return null
  if (field.precision === 0) return Number.isInteger(value) ? null : { code: 'not-integer' }
  return decimals(value) > field.precision ? { code: 'too-precise', digits: field.precision } : null
}

function boundsIssue(field: Field, value: JsonValue): Issue | null {
  const items = isList(value) ? value : [value]
  for (const item of items) {
    if (field.min !== null && isBefore(item, field.min)) return { code: 'below', min: field.min }
    if (field.max !== null && isBefore(field.max, item)) return { code: 'above', max: field.max }
  }
  return null
}

/** Compares two numbers, or two texts of the same ISO kind. A text field with numeric bounds compares as a number. */
function isBefore(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a < b
  const [x, y] = [typeof a === 'string' ? numberFromText(a) : a, typeof b === 'string' ? numberFromText(b) : b]
  return typeof x === 'number' && typeof y === 'number' && x < y
}

function choiceIssue(field: Field, values: readonly JsonValue[]): Issue | null {
  const closed = field.type === 'radio' || field.type === 'select' || field.type === 'checkbox'
  if (!closed || field.choices.length === 0 || valueKind(field) === 'rows') return null
  for (const value of values) {
    const known = field.choices.some((choice) => choice.value === value)
    if (!known && typeof value === 'string') return { code: 'not-choice', value }
  }
  return null
}

function textIssue(field: Field, value: string): Issue | null {
  if (field.maxLength !== null && value.length > field.maxLength) return { code: 'too-long', max: field.maxLength }
  switch (field.validation) {
    case 'phone':
      return /^\+?[\d\s()./-]{5,25}(\s*(x|ext\.?)\s*\d{1,6})?$/i.test(value) ? null : { code: 'not-phone' }
    case 'email':
      return /^[^\s@]{1,64}@[^\s@.]{1,63}(\.[^\s@.]{1,63}){1,8}$/.test(value) ? null : { code: 'not-email' }
    case 'letters':
      return /^\p{L}+$/u.test(value) ? null : { code: 'not-letters' }
    case 'postcode':
      return /^[A-Za-z0-9][A-Za-z0-9 -]{2,9}$/.test(value) ? null : { code: 'not-postcode' }
    case 'number':
      return numberFromText(value) === null ? { code: 'not-number' } : null
    case 'integer':
      return Number.isInteger(numberFromText(value) ?? 0.5) ? null : { code: 'not-integer' }
    case null:
      return null
  }
}

function isPair(value: JsonValue, test: (item: string) => boolean): boolean {
  return isList(value) && value.length === 2 && value.every((item) => typeof item === 'string' && test(item))
}

function decimals(value: number): number {
  const [mantissa = '', exponent = '0'] = value.toString().split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}
