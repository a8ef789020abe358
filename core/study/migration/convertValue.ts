import type { FieldType } from '#core/form/definition/column.ts'
import { nonConformity } from '#core/form/engine/issue.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isChoice, isRange } from '#core/form/definition/page.ts'
import { checkValueShape } from '#core/form/definition/shape.ts'
import { canonicalValue, isList, valueFromTyping, valueKind, valueText } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import { jsonEqual } from '#core/json.ts'

import type { ChoiceFate } from './choiceFate.ts'
import { STEP, choiceOfText, holdsWays, isAnsweredByChoice } from './choiceFate.ts'

/** How a value of a field becomes a value of the field's next definition, without losing its meaning. */

/**
 * `same`: the value stays as it was. `converted`: it is written in another way and means the same. `kept`: some or all
 * of it could not be converted; that part stays as it is, for a person to correct. `unfit`: it cannot even stay there,
 * and is to be kept beside the data.
 */
export interface Converted {
  readonly fate: 'same' | 'converted' | 'kept' | 'unfit'
  readonly value: JsonValue
}

/** The old and the new field, with what becomes of the choices. */
export interface ConversionRule {
  readonly from: Field
  readonly to: Field
  readonly choices: readonly ChoiceFate[]
}

/** Whether every value of a field is a value of its next definition without conversion. */
export function isSameWriting({ from, to, choices }: ConversionRule): boolean {
  if (writingOf(from) !== writingOf(to) || from.monthOfYear !== to.monthOfYear) return false
  return !isAnsweredByChoice(from) || choices.every(({ value, to: becomes }) => becomes === value)
}

const WORDS: ReadonlySet<FieldType> = new Set<FieldType>(['input', 'autocomplete', 'textarea'])

/** A key that is the same for fields that write their values in the same way. */
function writingOf(field: Field): string {
  if (WORDS.has(field.type)) return 'words'
  return `${isChoice(field) ? 'choice' : field.type} ${valueKind(field)}`
}

/**
 * A stored value as the next definition writes it. It never loses anything: an `unfit` result is the value as it was.
 *
 * @param raw the value as it is stored
 */
export function convertValue(rule: ConversionRule, raw: JsonValue): Converted {
  const { from, to } = rule
  const value = canonicalValue(from, raw)
  if (value === null || isSameWriting(rule)) return { fate: 'same', value: raw }
  const candidate = candidateOf(rule, value)
  if (candidate !== null && fits(to, candidate.value)) {
    if (!candidate.whole) return { fate: 'kept', value: candidate.value }
    return jsonEqual(candidate.value, raw)
      ? { fate: 'same', value: raw }
      : { fate: 'converted', value: candidate.value }
  }
  // A value that stays must be read as what it was; otherwise a reader would change its meaning silently.
  const stands =
    valueKind(from) !== 'rows' &&
    valueKind(from) !== 'files' &&
    fits(to, value) &&
    jsonEqual(canonicalValue(to, raw), value)
  return { fate: stands ? 'kept' : 'unfit', value: raw }
}

/**
 * Whether a value has the structure of the field's values. A value that is too long is an error of the page, not of its
 * structure.
 */
function fits(to: Field, value: JsonValue): boolean {
  const problem = checkValueShape(to, value)
  return problem === null || problem.kind === 'too-long'
}

interface Candidate {
  readonly value: JsonValue
  /** Whether the whole value was converted. */
  readonly whole: boolean
}

function candidateOf(rule: ConversionRule, value: JsonValue): Candidate | null {
  const { from, to } = rule
  const [before, now] = [valueKind(from), valueKind(to)]
  if (before === 'rows' || now === 'rows') return null
  if (before === 'files' || now === 'files') return before === now ? { value, whole: true } : null
  if (holdsWays(from) || holdsWays(to)) return wayOf(rule, value)
  if (isRange(from) || isRange(to))
    return from.type === to.type && from.multiple === to.multiple ? { value, whole: true } : null
  const items = isList(value) ? value : [value]
  const several = now === 'texts' || now === 'numbers'
  if (!several && items.length !== 1) return null
  const made = items.map((item) => itemOf(rule, item))
  if (several)
    return { value: made.map((item, at) => item ?? items[at] ?? null), whole: made.every((item) => item !== null) }
  const [only] = made
  return only === undefined || only === null ? null : { value: only, whole: true }
}

/** A path through a tree of choices, or several paths, each converted as a whole. */
function wayOf({ from, to, choices }: ConversionRule, value: JsonValue): Candidate | null {
  if (from.type !== to.type || from.multiple !== to.multiple || from.lastStep !== to.lastStep || !isList(value))
    return null
  const becomes = new Map(choices.map((choice) => [choice.value, choice.to]))
  const convert = (way: JsonValue): JsonValue | null => {
    if (!isList(way)) return null
    const next = becomes.get(way.map(valueText).join(STEP)) ?? null
    return next === null ? null : next.split(STEP)
  }
  if (!from.multiple) {
    const next = convert(value)
    return next === null ? null : { value: next, whole: true }
  }
  const made = value.map(convert)
  return { value: made.map((way, at) => way ?? value[at] ?? null), whole: made.every((way) => way !== null) }
}

/** One item of a value; null where it cannot be converted. */
function itemOf({ from, to, choices }: ConversionRule, item: JsonValue): string | number | null {
  if (typeof item !== 'string' && typeof item !== 'number') return null
  if (isAnsweredByChoice(from)) {
    const fate = choices.find(({ value }) => value === item)
    if (isAnsweredByChoice(to)) return fate === undefined ? textTo(from, to, String(item)) : fate.to
    // Without its list a value has no meaning any more; its label has.
    return textTo(from, to, fate?.label ?? String(item))
  }
  if (typeof item === 'number' && (to.type === 'number' || to.type === 'slider')) return item
  return textTo(from, to, String(item))
}

const TEMPORAL: ReadonlySet<FieldType> = new Set<FieldType>(['year', 'month', 'week', 'date', 'time', 'datetime'])

/** What a text means for a field; null where it means nothing, or something else than before. */
function textTo(from: Field, to: Field, text: string): string | number | null {
  if (isAnsweredByChoice(to)) {
    // Where a list is kept elsewhere, its choices are not known here.
    return to.choices.length === 0 ? text : choiceOfText(to.choices, text)
  }
  if (to.type === 'number' || to.type === 'slider') {
    const value = CODE.test(text) ? null : canonicalValue({ ...to, type: 'number' }, text)
    return typeof value === 'number' ? value : null
  }
  if (!TEMPORAL.has(to.type)) return text
  // A day has no time, and an instant is more than its day: neither can be made from the other.
  if (TEMPORAL.has(from.type) && (from.type !== to.type || from.monthOfYear !== to.monthOfYear)) return null
  const value = valueFromTyping(to, text)
  return typeof value === 'string' && nonConformity(to, value) === null ? value : null
}

/** Digits with a leading zero are no number: a number would lose the zeros. */
const CODE = /^\s*[+-]?[0０][0-9０-９]/
