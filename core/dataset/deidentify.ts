import { isRange, isTable } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isList, valueKind, valueText } from '#core/form/definition/value.ts'
import { allPaths, answerOf } from '#core/form/definition/choices.ts'
import { canonicalJson } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { isEmptyValue } from '#core/sync/emptyValue.ts'
import { isRowList } from '#core/sync/entryData.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { dateText, isYear, unknownPart } from '#core/values/calendarParts.ts'
import { dayNumber, parseDate, parseTime } from '#core/values/dates.ts'

import { keyOfField } from './definition.ts'
import type { DataSetDefinition } from './definition.ts'

/**
 * De-identification. What is not known to be harmless stays behind: a value leaves only by the rule of its field, and
 * a value that its field cannot have is free text.
 */

/** Why a field is left out. */
export type LeftOut = 'identifier' | 'text' | 'file'

/** What becomes of a field's values. `listed`: only answers of the closed list. `plain`: as they are. */
export type Treatment = 'plain' | 'number' | 'age' | 'listed' | 'date' | 'partial' | 'time' | 'year'

/** A field with its treatment, or with the reason why it is left out. */
export type Judged = { readonly keep: Treatment } | { readonly out: LeftOut }

/** Ages from here on are written as this one. */
const OLDEST = 90
/** Dates are shifted by less than this many days. */
export const SHIFT_DAYS = 365

/** What identifies a subject in a file, and by how many days their dates are earlier; the same in every run. */
export interface Pseudonym {
  readonly subject: string
  readonly shiftDays: number
}

/**
 * The pseudonym of a subject from a keyed hash of their id.
 *
 * @param digest at least 16 bytes of the hash; nobody can compute it without the project's key
 */
export function pseudonymOf(digest: Uint8Array): Pseudonym {
  const hex = Array.from(digest.subarray(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const [a = 0, b = 0, c = 0, d = 0] = digest.subarray(10, 14)
  return { subject: `S${hex.toUpperCase()}`, shiftDays: (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) % SHIFT_DAYS }
}

/** What becomes of a field of a page when data leave without what identifies. */
export function judgeField(
  field: Field,
  place: { readonly pageId: string; readonly table: string | null },
  {
    deidentify,
    masked,
  }: { readonly deidentify: DataSetDefinition['deidentify']; readonly masked: ReadonlySet<string> },
): Judged {
  if (isMaskedField(field, place.table, masked)) return { out: 'identifier' }
  const isHere = (one: { pageId: string; table: string | null; code: string }) =>
    one.pageId === place.pageId && one.table === place.table && one.code === field.code
  switch (field.type) {
    case 'upload':
      return { out: 'file' }
    case 'title':
    case 'input':
    case 'autocomplete':
    case 'textarea':
    case 'array':
    case 'url':
    case 'dynamic':
      return deidentify.keepText.some(isHere) ? { keep: 'plain' } : { out: 'text' }
    case 'radio':
    case 'select':
    case 'checkbox':
    case 'tree':
    case 'cascader':
    case 'table':
      if (field.choices.length > 0) return { keep: 'listed' }
      return deidentify.keepText.some(isHere) ? { keep: 'plain' } : { out: 'text' }
    case 'number':
    case 'slider':
      return { keep: deidentify.ages.some(isHere) ? 'age' : 'number' }
    case 'date':
      return { keep: field.partial === null ? 'date' : 'partial' }
    case 'daterange':
    case 'datetime':
    case 'datetimerange':
    case 'week':
      return { keep: 'date' }
    case 'time':
    case 'timerange':
      return { keep: 'time' }
    case 'year':
    case 'month':
      return { keep: 'year' }
  }
}

/** Whether a field, or the table around it, may tell who a person is. */
export function isMaskedField(field: Field, table: string | null, masked: ReadonlySet<string>): boolean {
  return (
    field.identifier || masked.has(keyOfField({ table, code: field.code })) || (table !== null && masked.has(table))
  )
}

/** What is done with an entry's fields, by key of the field (`code`, `table.code`); what has no rule stays behind. */
export type EntryRules = ReadonlyMap<string, FieldRule>

export interface FieldRule {
  readonly treatment: Treatment
  /** Answers of the closed list, as `listKey` writes them. */
  readonly listed: ReadonlySet<string>
  /** Whether an answer is a list of answers. */
  readonly several: boolean
}

/** The rule of a field. */
export function ruleOf(field: Field, treatment: Treatment): FieldRule {
  const kind = valueKind(field)
  return {
    treatment,
    listed:
      treatment === 'listed'
        ? new Set([...allPaths(field.choices)].map((path) => listKey(answerOf(field, path))))
        : new Set(),
    several:
      isRange(field) || kind === 'numbers' || kind === 'paths' || (kind === 'texts' && field.type !== 'cascader'),
  }
}

/** An answer as a key: a number and its text are one answer. */
function listKey(value: JsonValue): string {
  return isList(value) ? canonicalJson(value.map(listKey)) : valueText(value)
}

/** The data of an entry as they may leave. Words of missing reasons leave only where the treatment is `plain`. */
export function scrubEntry(data: EntryData, rules: EntryRules, shiftDays: number): EntryData {
  const values: Record<string, JsonValue> = {}
  const missing: Record<string, EntryData['missing'][string]> = {}
  const keepMissing = (key: string, rule: FieldRule): void => {
    const why = data.missing[key]
    if (why !== undefined) missing[key] = rule.treatment === 'plain' ? why : { ...why, reason: '' }
  }
  for (const [code, value] of Object.entries(data.values)) {
    if (isRowList(value)) {
      values[code] = value.map((row) => scrubRow(row, { table: code, rules, shiftDays, keepMissing }))
      continue
    }
    const rule = rules.get(code)
    if (rule !== undefined) values[code] = scrubValue(value, rule, shiftDays)
  }
  for (const [key, rule] of rules) if (!key.includes('.')) keepMissing(key, rule)
  return { values, missing }
}

function scrubRow(
  row: Readonly<Record<string, JsonValue>>,
  within: {
    readonly table: string
    readonly rules: EntryRules
    readonly shiftDays: number
    readonly keepMissing: (key: string, rule: FieldRule) => void
  },
): Readonly<Record<string, JsonValue>> {
  const rid = typeof row['_rid'] === 'string' ? row['_rid'] : ''
  const kept: Record<string, JsonValue> = {}
  for (const [code, value] of Object.entries(row)) {
    const rule = within.rules.get(`${within.table}.${code}`)
    if (code.startsWith('_')) kept[code] = value
    else if (rule !== undefined) kept[code] = scrubValue(value, rule, within.shiftDays)
  }
  for (const [key, rule] of within.rules) {
    const [table, code] = key.split('.')
    if (table === within.table && code !== undefined) within.keepMissing(`${rid}.${code}`, rule)
  }
  return kept
}

/** A value as it may leave; null where nothing of it may. */
export function scrubValue(value: JsonValue, rule: FieldRule, shiftDays: number): JsonValue {
  if (rule.treatment === 'plain' || isEmptyValue(value)) return value
  if (rule.several && isList(value)) return value.map((one) => scrubOne(one, rule, shiftDays)).filter(isKept(rule))
  return scrubOne(value, rule, shiftDays)
}

/** The ends of a range keep their places; of several answers, those that leave close up. */
function isKept({ treatment }: FieldRule): (value: JsonValue) => boolean {
  return (value) => treatment !== 'listed' || value !== null
}

function scrubOne(value: JsonValue, { treatment, listed }: FieldRule, shiftDays: number): JsonValue {
  switch (treatment) {
    case 'plain':
      return value
    case 'listed':
      return listed.has(listKey(value)) ? value : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'age':
      return typeof value === 'number' ? Math.min(value, OLDEST) : null
    case 'time':
      return typeof value === 'string' && parseTime(value) !== null ? value : null
    case 'date':
      return typeof value === 'string' ? shiftDate(value, shiftDays) : null
    case 'partial':
      return typeof value === 'string' ? (shiftDate(value, shiftDays) ?? yearOf(value)) : null
    case 'year':
      return typeof value === 'string' || typeof value === 'number' ? yearOf(String(value)) : null
  }
}

/** A date, or a date and time, so many days earlier; null for other text. */
export function shiftDate(text: string, shiftDays: number): string | null {
  const [datePart = '', timePart, ...rest] = text.split(/[ T]/)
  const date = parseDate(datePart)
  if (date === null || rest.length > 0 || (timePart !== undefined && parseTime(timePart) === null)) return null
  const shifted = dateText(dayNumber(date) - shiftDays)
  return timePart === undefined ? shifted : `${shifted} ${timePart}`
}

/** Of a date of which only a part is known, the year; null where it has none. */
function yearOf(text: string): string | null {
  if (isYear(text)) return text
  return unknownPart(text) === null ? null : text.slice(0, 4)
}

/** Groups of subjects so small that a person may be recognised. */
export interface SmallGroup {
  readonly center: string
  readonly sex: 'F' | 'M' | null
  readonly subjects: number
}

/** Groups with fewer subjects than this are named. */
const SMALL_GROUP = 5

export function smallGroups(groups: readonly SmallGroup[]): readonly SmallGroup[] {
  return groups.filter(({ subjects }) => subjects > 0 && subjects < SMALL_GROUP)
}

/** Fields of a page with their tables, each once. */
export function* fieldsWithin(
  fields: readonly Field[],
): Generator<{ readonly table: string | null; readonly field: Field }> {
  for (const field of fields) {
    if (isTable(field)) for (const child of field.children) yield { table: field.code, field: child }
    else yield { table: null, field }
  }
}
