import type { Report } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'
import type { BilingualText, Bounds, CheckRule, Column, FieldExtension } from '#core/form/definition/column.ts'
import { numberFromText } from '#core/values/numberText.ts'

import type { ExpressionStyle } from './formulas/expressionElement.ts'
import { celExpression, expressionsOf } from './formulas/expressionElement.ts'
import type { TextStyle } from './texts.ts'
import { bilingualOf, readTexts, textsElement } from './texts.ts'

/**
 * Range checks. Of ODM they say what is right, of a check here what is wrong. A hard bound is a limit of the field, a
 * soft one an end of what is plausible; every other check, and one with words of its own, is a check that is a warning
 * where it is soft.
 */

const SIGNS = { LT: '<', LE: '≤', GT: '>', GE: '≥', EQ: '=', NE: '≠', IN: '∈', NOTIN: '∉' } as const
type Comparator = keyof typeof SIGNS
const COMPARATORS: readonly Comparator[] = ['LT', 'LE', 'GT', 'GE', 'EQ', 'NE', 'IN', 'NOTIN']

/** The sign by which a value is wrong. */
const WRONG: Readonly<Record<Comparator, string>> = {
  LT: '>=',
  LE: '>',
  GT: '<=',
  GE: '<',
  EQ: '!=',
  NE: '==',
  IN: '',
  NOTIN: '',
}

/** The field that a check is of. */
export interface CheckedField {
  readonly prop: string
  /** Whether it stands in the row of a table. */
  readonly inRow: boolean
  readonly type: Column['type']
}

/** A check whose condition is an expression, and is translated once all fields are known. */
export interface PendingCheck extends Omit<CheckRule, 'when'> {
  readonly expressions: XmlElement
}

export interface Ranges extends Pick<FieldExtension, 'min' | 'max' | 'plausible'> {
  /** In the order of the file. */
  readonly checks: readonly (CheckRule | PendingCheck)[]
}

export function isPending(check: CheckRule | PendingCheck): check is PendingCheck {
  return 'expressions' in check
}

/**
 * Reads the range checks of an item. What cannot be checked is reported.
 *
 * @param hasWords whether the words of a check are its author's; those that a system gives to every check say nothing
 */
export function readRanges(item: XmlElement, field: CheckedField, report: Report, hasWords = true): Ranges {
  const ends: Record<'Hard' | 'Soft', { min?: number | string; max?: number | string }> = { Hard: {}, Soft: {} }
  const checks: (CheckRule | PendingCheck)[] = []
  childrenOf(item, 'RangeCheck').forEach((range, at) => {
    const words = hasWords ? readTexts(childOf(range, 'ErrorMessage'), report) : null
    for (const [, text] of words?.others ?? []) report('label', 'other-language', text)
    const softHard = attributeOf(range, 'SoftHard') === 'Soft' ? 'Soft' : 'Hard'
    const severity = softHard === 'Soft' ? 'warning' : 'error'
    const bounds = ends[softHard]
    const id = `range_${at + 1}`
    if (expressionsOf(range).length > 0) {
      const message = words === null ? { zh: '不符合检查条件', en: 'Does not meet the condition' } : bilingualOf(words)
      checks.push({ id, severity, message, expressions: range })
      return
    }
    const comparator = COMPARATORS.find((one) => one === attributeOf(range, 'Comparator'))
    const written = childrenOf(range, 'CheckValue').map((one) => deepText(one).trim())
    // A system that gives words to every check is REDCap, which writes a bound as its validation does: with a comma,
    // too.
    const texts = hasWords ? written : written.map((text) => text.replace(/^(-?\d+),(\d+)$/, '$1.$2'))
    const source = `${attributeOf(range, 'Comparator')} ${texts.join(', ')}`
    const values = texts.map((text) => valueOf(text, field))
    const [value = null] = values
    if (comparator === undefined || attributeOf(range, 'ItemOID') !== '' || value === null || values.includes(null)) {
      report('range', 'not-a-constant', source)
      return
    }
    const end = comparator === 'GE' ? 'min' : comparator === 'LE' ? 'max' : null
    if (end !== null && words === null && bounds[end] === undefined && hasBounds(field)) bounds[end] = value
    else {
      const message = words === null ? defaultMessage(comparator, texts) : bilingualOf(words)
      checks.push({
        id,
        when: conditionOf(
          comparator,
          values.filter((one) => one !== null),
          field,
        ),
        severity,
        message,
      })
    }
  })
  return { ...ends.Hard, ...(Object.keys(ends.Soft).length === 0 ? {} : { plausible: ends.Soft }), checks }
}

function defaultMessage(comparator: Comparator, texts: readonly string[]): BilingualText {
  const range = `${SIGNS[comparator]} ${texts.length > 1 ? `{${texts.join(', ')}}` : (texts[0] ?? '')}`
  return { zh: `应 ${range}`, en: `Must be ${range}` }
}

function hasBounds({ type }: CheckedField): boolean {
  return type === 'number' || type === 'date' || type === 'datetime' || type === 'time'
}

/** A value of a check in the kind that its field has; null for a text that is none. */
function valueOf(text: string, { type }: CheckedField): number | string | null {
  if (type === 'number') return numberFromText(text)
  if (type === 'datetime') return text.replace('T', ' ')
  return text
}

/** When a value is wrong, in CEL. */
function conditionOf(
  comparator: Comparator,
  values: readonly (number | string)[],
  { prop, inRow, type }: CheckedField,
): string {
  const read = `${inRow ? 'row' : 'page'}.${prop}`
  const isOrder = comparator === 'LT' || comparator === 'LE' || comparator === 'GT' || comparator === 'GE'
  const numbers = values.map((value) => numberFromText(String(value)))
  if (comparator === 'IN' || comparator === 'NOTIN') {
    const among = `${read} in [${values.map(literal).join(', ')}]`
    return comparator === 'IN' ? `!(${among})` : among
  }
  // Codes that are numbers have the order of numbers.
  const [first = '', number = null] = [values[0], numbers[0]]
  if (isOrder && number !== null && (type === 'radio' || type === 'select'))
    return `number(${read}) ${WRONG[comparator]} ${literal(number)}`
  return `${read} ${WRONG[comparator]} ${literal(first)}`
}

/** A constant of a rule. Numbers of a form are doubles, and so are those in lists. */
function literal(value: number | string): string {
  if (typeof value === 'string') return JSON.stringify(value)
  const text = String(value)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** What the range checks of a field are written as. */
export interface RangeStyle extends TextStyle, ExpressionStyle {}

/** The bounds and checks of a column as range checks; reading them gives the same, but for the names of the checks. */
export function writeRanges({ type, prop, zl = {} }: Column, inRow: boolean, style: RangeStyle): readonly XmlElement[] {
  const field: CheckedField = { prop, inRow, type }
  const limits = (ends: Bounds, softHard: 'Soft' | 'Hard') =>
    (['min', 'max'] as const).flatMap((end) => {
      const value = ends[end]
      if (value === undefined || !hasBounds(field) || valueOf(String(value), field) !== value) return []
      return [writeRangeCheck(end === 'min' ? 'GE' : 'LE', [String(value)], softHard)]
    })
  const bounds = [...limits(zl, 'Hard'), ...limits(zl.plausible ?? {}, 'Soft')]
  const checks = (zl.checks ?? []).map(({ when, severity, message }) => {
    const soft = severity === 'error' ? 'Hard' : 'Soft'
    const words = textsElement('ErrorMessage', message, style)
    const simple = simpleOf(when, field)
    if (simple !== null) return writeRangeCheck(simple.comparator, simple.values, soft, words)
    return element('RangeCheck', { SoftHard: soft }, [...celExpression(negateCel(when), style, 'check'), words])
  })
  return [...bounds, ...checks]
}

function writeRangeCheck(
  comparator: Comparator,
  values: readonly string[],
  softHard: 'Soft' | 'Hard',
  words?: XmlElement,
): XmlElement {
  return element('RangeCheck', { Comparator: comparator, SoftHard: softHard }, [
    ...values.map((value) => element('CheckValue', {}, value)),
    ...(words === undefined ? [] : [words]),
  ])
}

/**
 * The comparison that a condition came from; null for one that is no plain comparison of its own field with a constant.
 */
function simpleOf(
  when: string,
  field: CheckedField,
): { readonly comparator: Comparator; readonly values: readonly string[] } | null {
  const constant = /^\S+ (?:>=|<=|==|!=|>|<) (.{1,300})$/s.exec(when)?.[1]
  if (constant === undefined) return null
  const text = constant.startsWith('"') ? stringOf(constant) : constant.replace(/\.0$/, '')
  const value = text === null ? null : valueOf(text, field)
  if (text === null || value === null) return null
  const comparator = COMPARATORS.find(
    (one) => one !== 'IN' && one !== 'NOTIN' && conditionOf(one, [value], field) === when,
  )
  return comparator === undefined ? null : { comparator, values: [text] }
}

function stringOf(constant: string): string | null {
  try {
    const value: unknown = JSON.parse(constant)
    // White space at the ends of a value is taken for the layout of the file.
    return typeof value === 'string' && value === value.trim() ? value : null
  } catch {
    return null
  }
}

/** `!(…)`, and without it where a condition is one already: negating twice gives the very text. */
export function negateCel(cel: string): string {
  return isNegation(cel) ? cel.slice(2, -1) : `!(${cel})`
}

function isNegation(cel: string): boolean {
  if (!cel.startsWith('!(') || !cel.endsWith(')')) return false
  let [depth, quote] = [0, '']
  for (let at = 1; at < cel.length; at += 1) {
    const char = cel[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '(') depth += 1
    else if (char === ')' && --depth === 0 && at < cel.length - 1) return false
  }
  return depth === 0
}
