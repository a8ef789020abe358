import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import type { ItemOid } from '#core/exchange/odm/version/versionOids.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isRange } from '#core/form/definition/page.ts'
import { isList, valueKind } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { canonicalJson } from '#core/json.ts'

import { isMonthOfYear } from '#core/values/calendarParts.ts'

import { fitsDataType, isXmlText } from './dataTypes.ts'
import { readListLine, writeListLine } from './listLine.ts'

/**
 * Values of fields as the texts of ODM, and back. Each kind of value has one way to be written; where reading that text
 * again would not give the value, the value stands beside it word for word.
 */

/** What of an item is written. */
export interface WrittenValue {
  /** One text, or in ODM 2.0 one for each of several values; null where the item cannot say the value. */
  readonly texts: readonly string[] | null
  /** The value word for word, where the texts do not say it. */
  readonly entered: { readonly form: 'text' | 'json'; readonly text: string } | null
  readonly problem: 'not-of-type' | 'not-in-list' | 'not-of-item' | null
}

/** Between the ends of a range, as in intervals of ISO 8601, and between the steps of a path. */
const SEPARATOR = '/'
const DAY_AND_TIME = /(\d{4}-\d\d-\d\d) (\d\d:\d\d)/g

type ItemType = Pick<ItemOid, 'dataType' | 'codes'>

/** A value that is not empty. */
export function writeValue(field: Field, item: ItemType, value: JsonValue, version: OdmVersion): WrittenValue {
  const parts = partsOf(field, item.dataType, value)
  if (parts === null) return { texts: null, entered: enteredOf(value), problem: 'not-of-type' }
  const texts = parts.length > 1 && version === '1.3.2' ? [writeListLine(parts)] : asTexts(field, parts, version)
  const several = holdsSeveral(field)
  const unlisted = item.codes !== null && !parts.every((part) => item.codes?.has(part) === true)
  const fits = texts.every((text) => isXmlText(text) && (several || fitsDataType(text, item.dataType, version)))
  if (!fits || unlisted) {
    const problem = fits ? 'not-in-list' : isBeyondItem(field, value) ? 'not-of-item' : 'not-of-type'
    return { texts: null, entered: enteredOf(value), problem }
  }
  const again = readValueTexts(field, item.dataType, texts, version)
  const isSame = canonicalJson(again) === canonicalJson(value)
  return { texts, entered: isSame ? null : enteredOf(value), problem: null }
}

/** Values that are right, and that ODM has no data type for: a month without its year, both ends of a slider. */
function isBeyondItem(field: Field, value: JsonValue): boolean {
  if (field.monthOfYear) return typeof value === 'string' && isMonthOfYear(value)
  return field.type === 'slider' && isRange(field) && isList(value) && value.every((end) => typeof end === 'number')
}

/** A single value of a list is quoted where it would be read as several. */
function asTexts(field: Field, parts: readonly string[], version: OdmVersion): readonly string[] {
  return version === '1.3.2' && holdsSeveral(field) ? [writeListLine(parts)] : parts
}

/** The value that the texts of an item say; text as it is where they are no value of the field. */
export function readValueTexts(
  field: Field,
  dataType: string,
  texts: readonly string[],
  version: OdmVersion,
): JsonValue {
  const [first = ''] = texts
  const parts = holdsSeveral(field) && version === '1.3.2' && texts.length === 1 ? readListLine(first) : texts
  const readTyped = (text: string) => fromTyped(field, dataType, text)
  if (isRange(field)) {
    const ends = first.split(SEPARATOR)
    if (ends.length !== 2) return first
    return ends.map((end) =>
      field.type === 'slider' ? (numberOf(end) ?? end) : end.replace(/^(\d{4}-\d\d-\d\d)T/, '$1 '),
    )
  }
  switch (valueKind(field)) {
    case 'number':
      return numberOf(first) ?? first
    case 'numbers':
      return parts.map((part) => numberOf(part) ?? part)
    case 'texts':
      return isPath(field) ? first.split(SEPARATOR) : parts.map(readTyped)
    case 'paths':
      return parts.map((part) => part.split(SEPARATOR))
    case 'text':
    case 'files':
    case 'rows':
      return readTyped(texts.length > 1 ? writeListLine(texts) : first)
  }
}

/** A value word for word, for a comment; the text of `asEntered`. */
export function enteredOf(value: JsonValue): { readonly form: 'text' | 'json'; readonly text: string } {
  return typeof value === 'string' && value !== '' && isXmlText(value)
    ? { form: 'text', text: value }
    : { form: 'json', text: jsonText(value) }
}

/** JSON in which every character is one of XML. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(/[\uFFFE\uFFFF]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`)
}

/** Whether several values of one item are possible, beside ranges and paths, which are one value. */
function holdsSeveral(field: Field): boolean {
  const kind = valueKind(field)
  return (
    kind === 'paths' ||
    kind === 'files' ||
    ((kind === 'texts' || kind === 'numbers') && !isRange(field) && !isPath(field))
  )
}

/** Whether the value is one path through a tree of choices. */
function isPath(field: Field): boolean {
  return field.type === 'cascader' && !field.lastStep && !field.multiple
}

/**
 * The parts of a value as texts: several of a list, one of anything else. Null where it is not of its field's kind, or
 * a part could not be told from two.
 */
export function partsOf(field: Field, dataType: string, value: JsonValue): readonly string[] | null {
  const kind = valueKind(field)
  if (kind === 'text') return typeof value === 'string' ? [toTyped(dataType, value)] : null
  if (kind === 'number') return typeof value === 'number' ? [String(value)] : null
  if (kind === 'rows' || !isList(value)) return null
  if (kind === 'files') return value.map(nameOfFile)
  if (kind === 'paths') return allOf(value.map((path) => (isList(path) ? joinParts(path) : null)))
  if (isRange(field) || isPath(field)) {
    const text = isRange(field) && value.length !== 2 ? null : joinParts(value)
    return text === null ? null : [field.type === 'datetimerange' ? text.replaceAll(DAY_AND_TIME, '$1T$2') : text]
  }
  return allOf(value.map((part) => (kind === 'numbers' ? digitsOf(part) : typeof part === 'string' ? part : null)))
}

function digitsOf(part: JsonValue): string | null {
  return typeof part === 'number' ? String(part) : null
}

function joinParts(parts: readonly JsonValue[]): string | null {
  const texts = parts.map((part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : SEPARATOR))
  return texts.some((text) => text.includes(SEPARATOR)) ? null : texts.join(SEPARATOR)
}

function allOf(texts: readonly (string | null)[]): readonly string[] | null {
  const all = texts.filter((text) => text !== null)
  return all.length === texts.length ? all : null
}

/** What a person knows a file by; its identity and the hash of its content stand beside it. */
function nameOfFile(file: JsonValue): string {
  if (typeof file !== 'object' || file === null || isList(file)) return typeof file === 'string' ? file : jsonText(file)
  const parts = file as Readonly<Record<string, JsonValue>>
  const name = parts['name'] ?? parts['label'] ?? parts['value']
  return typeof name === 'string' ? name : jsonText(file)
}

/** Times have seconds in ODM, and a `T` between date and time. What is no time stays as it is, and does not fit. */
function toTyped(dataType: string, text: string): string {
  if (dataType === 'time') return withSeconds(text)
  if (dataType !== 'datetime') return text
  const [day = '', time, ...others] = text.split(' ')
  return time === undefined || others.length > 0 ? text : `${day}T${withSeconds(time)}`
}

function fromTyped({ minutes }: Field, dataType: string, text: string): string {
  if (dataType !== 'time' && dataType !== 'datetime') return text
  const plain = dataType === 'datetime' ? text.replace('T', ' ') : text
  return minutes ? plain.replace(/(\d\d:\d\d):00$/, '$1') : plain
}

function withSeconds(time: string): string {
  return /^\d\d:\d\d$/.test(time) ? `${time}:00` : time
}

function numberOf(text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}
