import type { Choice } from '#core/form/definition/choiceLists.ts'
import { choiceAlong, choiceBelow } from '#core/form/definition/choices.ts'
import type { BilingualText, CheckSeverity } from '#core/form/definition/column.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isChoice, isPick, isRange, isTree } from '#core/form/definition/page.ts'
import type { Limits } from '#core/form/definition/readLimits.ts'
import { isList, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'
import { isKnownDate, isMonth, isMonthOfYear, isYear, unknownPart } from '#core/values/calendarParts.ts'
import { parseDate, parseInstant, parseTime } from '#core/values/dates.ts'
import { numberFromText } from '#core/values/numberText.ts'

/**
 * What is wrong with a value, as data. The screen has the words (`src/i18n/<language>/form.ts`), except for a check,
 * which brings its own.
 */
export type Issue =
  | { readonly code: 'required' }
  | { readonly code: 'not-number' }
  /** More digits than a number can hold; the text as typed is kept. */
  | { readonly code: 'too-many-digits' }
  | { readonly code: 'not-integer' }
  | { readonly code: 'too-precise'; readonly digits: number }
  | { readonly code: 'not-date' }
  /** A date that may lack its day, or month and day; what is given is not a real date. */
  | { readonly code: 'not-date-or-month' }
  | { readonly code: 'not-date-or-year' }
  | { readonly code: 'not-time' }
  | { readonly code: 'not-datetime' }
  | { readonly code: 'not-year' }
  | { readonly code: 'not-month' }
  | { readonly code: 'not-week' }
  | { readonly code: 'not-url' }
  /** A range of which one end is not given. */
  | { readonly code: 'incomplete-range' }
  | { readonly code: 'below'; readonly min: number | string }
  | { readonly code: 'above'; readonly max: number | string }
  | { readonly code: 'too-long'; readonly max: number }
  | { readonly code: 'not-choice'; readonly value: string }
  /** The chosen value is not offered for the answer of the field that it follows. */
  | { readonly code: 'not-offered'; readonly value: string }
  /** A picked record is not in its table. */
  | { readonly code: 'no-record'; readonly id: string }
  /** Another patient, or another row of the table, has the same value. */
  | { readonly code: 'not-unique' }
  | { readonly code: 'not-phone' }
  | { readonly code: 'not-email' }
  | { readonly code: 'not-letters' }
  | { readonly code: 'not-postcode' }
  | { readonly code: 'range-order' }
  /** Outside of the plausible range; `answer` is a person's word that the value is right. */
  | ({ readonly code: 'implausible-low'; readonly min: number | string } & Answerable)
  | ({ readonly code: 'implausible-high'; readonly max: number | string } & Answerable)
  | ({
      readonly code: 'check'
      readonly id: string
      readonly severity: CheckSeverity
      readonly message: BilingualText
    } & Answerable)

interface Answerable {
  /** A short text of what is answered (`core/form/engine/warning.ts`). */
  readonly says: string
  readonly answer: Confirmation | null
}

/** What is wrong with the value at an address (`addressKey`). */
export interface FieldIssues {
  readonly key: string
  readonly issues: readonly Issue[]
}

/** Whether an issue stops a submit. Warnings and automatic queries do not. */
export function isError(issue: Issue): boolean {
  if (issue.code === 'implausible-low' || issue.code === 'implausible-high') return false
  return issue.code !== 'check' || issue.severity === 'error'
}

/**
 * Why a value is no value of its field but text that could not be read as one; null when it is a value. Rules see only
 * values of the field.
 */
export function nonConformity(field: Field, value: JsonValue): Issue | null {
  if (isRange(field)) return rangeNonConformity(field, value)
  switch (field.type) {
    case 'number':
    case 'slider':
      return typeof value === 'number'
        ? null
        : { code: typeof value === 'string' && numberFromText(value) !== null ? 'too-many-digits' : 'not-number' }
    case 'date':
      return dateNonConformity(field, value)
    case 'time':
      return isText(value, isTime) ? null : { code: 'not-time' }
    case 'datetime':
      return isText(value, isDatetime) ? null : { code: 'not-datetime' }
    case 'year':
      return isText(value, isYear) ? null : { code: 'not-year' }
    case 'month':
      return isText(value, field.monthOfYear ? isMonthOfYear : isMonth) ? null : { code: 'not-month' }
    case 'week':
      return isText(value, isDate) ? null : { code: 'not-week' }
    case 'daterange':
    case 'timerange':
    case 'datetimerange':
    case 'title':
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
    case 'table':
      return null
  }
}

/**
 * Whether rules may read a value: it must be a value of its field, and a date must be known to the day. To rules any
 * other value is missing.
 */
export function isSeenByRules(field: Field, value: JsonValue): boolean {
  if (field.partial !== null && typeof value === 'string' && unknownPart(value) !== null) return false
  return nonConformity(field, value) === null
}

/**
 * What the definition itself (not its rules) finds wrong with a value of the field. At most one issue: the first on
 * which a person can act.
 */
export function definitionIssue(
  field: Field,
  value: JsonValue,
  offered: readonly Choice[] = field.choices,
): Issue | null {
  const bounds = boundsIssue(field, value)
  if (bounds !== null) return bounds
  if (typeof value === 'number') return precisionIssue(field, value)
  if (typeof value === 'string') return choiceIssue(field, [value], offered) ?? textIssue(field, value)
  if (!isList(value)) return null
  if (isRange(field)) return isInOrder(field, value) ? null : { code: 'range-order' }
  if (field.type === 'url') return value.every((item) => isText(item, isWebAddress)) ? null : { code: 'not-url' }
  return choiceIssue(field, value, offered)
}

function dateNonConformity({ partial }: Field, value: JsonValue): Issue | null {
  if (partial === null) return isText(value, isDate) ? null : { code: 'not-date' }
  return isText(value, (text) => isKnownDate(text, partial)) ? null : { code: `not-date-or-${partial}` }
}

function rangeNonConformity({ type }: Field, value: JsonValue): Issue | null {
  const ends = isList(value) ? value : []
  const given = ends.filter((end) => end !== '')
  const all = (test: (end: JsonValue) => boolean) => given.length > 0 && given.every(test)
  const issue: Issue | null =
    type === 'slider'
      ? all((end) => typeof end === 'number')
        ? null
        : { code: 'not-number' }
      : type === 'daterange'
        ? all((end) => isText(end, isDate))
          ? null
          : { code: 'not-date' }
        : type === 'timerange'
          ? all((end) => isText(end, isTime))
            ? null
            : { code: 'not-time' }
          : all((end) => isText(end, isDatetime))
            ? null
            : { code: 'not-datetime' }
  return issue ?? (ends.length === 2 && given.length === 2 ? null : { code: 'incomplete-range' })
}

/** Times may run past midnight: a night's sleep begins late and ends early. */
function isInOrder({ type }: Field, [from, to]: readonly JsonValue[]): boolean {
  if (typeof from === 'number' && typeof to === 'number') return from <= to
  return type === 'timerange' || typeof from !== 'string' || typeof to !== 'string' || from <= to
}

function isText(value: JsonValue, test: (text: string) => boolean): boolean {
  return typeof value === 'string' && test(value)
}

function isDate(text: string): boolean {
  return parseDate(text) !== null
}

function isTime(text: string): boolean {
  return parseTime(text) !== null
}

function isDatetime(text: string): boolean {
  return text.length > 10 && parseInstant(text) !== null
}

/** Whether a text is a web address to which a browser may be sent. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+\S*$/i.test(text)
}

function precisionIssue(field: Field, value: number): Issue | null {
  if (field.precision === null) return null
  if (field.precision === 0) return Number.isInteger(value) ? null : { code: 'not-integer' }
  return decimals(value) > field.precision ? { code: 'too-precise', digits: field.precision } : null
}

function boundsIssue(field: Field, value: JsonValue): Issue | null {
  const { min, max } = field
  const side = sideOf(field, value, field)
  if (side === 'low' && min !== null) return { code: 'below', min }
  return side === 'high' && max !== null ? { code: 'above', max } : null
}

/** On which side of the plausible range a possible value lies; null within it. */
export function implausibility(field: Field, value: JsonValue): 'low' | 'high' | null {
  return sideOf(field, value, field.plausible)
}

/**
 * On which side of a range a value lies; null within it. Where the value is itself a range, its first end that lies
 * outside decides.
 */
export function sideOf(field: Field, value: JsonValue, { min, max }: Limits): 'low' | 'high' | null {
  for (const item of isList(value) ? value : [value]) {
    if (min !== null && isBefore(field, item, min)) return 'low'
    if (max !== null && isBefore(field, max, item)) return 'high'
  }
  return null
}

/**
 * Compares two numbers, or two texts of the same ISO kind. A text field with numeric bounds compares as numbers. Of two
 * dates or times only the parts that both have are compared: May 2024 is neither before nor after 2024-05-06.
 */
function isBefore({ type }: Field, a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    const said = isTemporal(type) ? Math.min(a.length, b.length) : undefined
    return a.slice(0, said) < b.slice(0, said)
  }
  const [x, y] = [typeof a === 'string' ? numberFromText(a) : a, typeof b === 'string' ? numberFromText(b) : b]
  return typeof x === 'number' && typeof y === 'number' && x < y
}

function isTemporal(type: Field['type']): boolean {
  return type === 'year' || type === 'month' || type === 'week' || /^(date|time)/.test(type)
}

function choiceIssue(field: Field, values: readonly JsonValue[], offered: readonly Choice[]): Issue | null {
  if (isTree(field)) return treeIssue(field, values, offered)
  // A value that was taken from another page is not checked: that page may have changed since.
  if (!(isChoice(field) || isPick(field)) || field.choices.length === 0) return null
  for (const value of values) {
    if (typeof value !== 'string' || offered.some((choice) => choice.value === value)) continue
    if (isPick(field)) return { code: 'no-record', id: value }
    const known = field.chain !== null && field.choices.some((choice) => choice.value === value)
    return { code: known ? 'not-offered' : 'not-choice', value }
  }
  return null
}

/** A tree identifies each choice by its value, a cascade by the path to it. */
function treeIssue(field: Field, values: readonly JsonValue[], offered: readonly Choice[]): Issue | null {
  if (field.choices.length === 0) return null
  const isPath = field.type === 'cascader' && !field.lastStep
  const ways = isPath ? (field.multiple ? values : [values]) : values
  for (const way of ways) {
    const choice = isPath && isList(way) ? choiceAlong(offered, way) : choiceBelow(offered, way)
    if (choice === null || (choice.children.length > 0 && !field.anyLevel))
      return { code: 'not-choice', value: valueText(way) }
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

function decimals(value: number): number {
  const [mantissa = '', exponent = '0'] = value.toString().split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}
