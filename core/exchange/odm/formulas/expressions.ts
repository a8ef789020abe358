import type { NotCarriedReason } from '#core/exchange/definition.ts'
import { CEL_CONTEXT } from '#core/exchange/odm/namespaces.ts'
import { negateCel } from '#core/exchange/odm/ranges.ts'
import { ExpressionSyntaxError } from '#core/exchange/redcap/lexer.ts'
import type { Expression } from '#core/exchange/redcap/parser.ts'
import { ExpressionTooComplexError } from '#core/exchange/redcap/parser.ts'
import type { ReferenceScope } from '#core/exchange/redcap/translate.ts'
import type { Translation } from '#core/exchange/translation.ts'
import { translateCalculationTree, translateLogicTree } from '#core/exchange/redcap/translate.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { childOf, deepText } from '#core/exchange/xml/element.ts'

import type { FormalExpression } from './expressionElement.ts'
import { expressionsOf } from './expressionElement.ts'
import type { FieldName, Formula, FormulaLanguage } from './formula.ts'
import { parseFormula } from './formula.ts'

/**
 * Expressions of conditions, methods and checks as rules. Ours are taken word for word; those of OpenEDC and of XPath
 * keep their meaning of blanks; what is in another language is kept and reported.
 */

/** A field, seen from the field whose rule names it. */
export type FoundField =
  | { readonly where: 'page' | 'row'; readonly prop: string }
  | { readonly where: 'elsewhere'; readonly page: string; readonly prop: string }
  | { readonly where: 'nowhere'; readonly why: NotCarriedReason }

/** Finds the field of a name. */
export type FindField = (name: FieldName) => FoundField

export type TranslatedExpression =
  | { readonly ok: true; readonly cel: string }
  | { readonly ok: false; readonly why: NotCarriedReason; readonly source: FormalExpression }

/** When a field is asked for: where its condition, which says when it is not, does not hold. */
export function showOf(condition: XmlElement, find: FindField): TranslatedExpression {
  return translateExpressions(condition, find, 'show')
}

/** When a value is wrong: where the expression, which says what is right, does not hold. */
export function wrongOf(check: XmlElement, find: FindField): TranslatedExpression {
  return translateExpressions(check, find, 'show')
}

/** What a method computes. */
export function calculationOf(method: XmlElement, find: FindField): TranslatedExpression {
  return translateExpressions(method, find, 'calculate')
}

function translateExpressions(
  definition: XmlElement,
  find: FindField,
  role: 'show' | 'calculate',
): TranslatedExpression {
  const all = expressionsOf(definition)
  const own = all.find(({ context }) => context === CEL_CONTEXT)
  if (own !== undefined) return { ok: true, cel: role === 'show' ? negateCel(own.text) : own.text }
  for (const source of all) {
    const language = languageOf(source.context)
    if (language === null) continue
    const result = translatedFormula(source.text, language, find, role)
    return result.ok ? result : { ok: false, why: result.why, source }
  }
  const [source] = all
  if (source !== undefined) return { ok: false, why: 'unknown-context', source }
  const description = childOf(definition, 'Description')
  return {
    ok: false,
    why: 'no-expression',
    source: { context: '', text: description === null ? '' : deepText(description).trim() },
  }
}

function languageOf(context: string): FormulaLanguage | null {
  if (/^openedc$/i.test(context)) return 'openedc'
  return /^xpath/i.test(context) ? 'xpath' : null
}

function translatedFormula(
  text: string,
  language: FormulaLanguage,
  find: FindField,
  role: 'show' | 'calculate',
): Translation {
  const read = parseText(text, language)
  if (!('formula' in read)) return read
  const { expression, names } = read.formula
  const found = names.map(find)
  const lost = found.find((field) => field.where === 'nowhere')
  if (lost?.where === 'nowhere') return { ok: false, why: lost.why, detail: '' }
  const scope = scopeOf(found)
  if (role === 'calculate')
    return translateCalculationTree(
      language === 'openedc' ? asOpenEdcComputes(expression, names.length) : expression,
      scope,
    )
  return translateLogicTree(opposite(expression), scope)
}

function parseText(
  text: string,
  language: FormulaLanguage,
): { readonly formula: Formula } | Extract<Translation, { readonly ok: false }> {
  try {
    return { formula: parseFormula(text, language) }
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return { ok: false, why: 'expression-syntax', detail: error.message }
    if (error instanceof ExpressionTooComplexError) return { ok: false, why: 'expression-too-complex', detail: '' }
    throw error
  }
}

/** References are named after their place: `f0`. */
function scopeOf(found: readonly FoundField[]): ReferenceScope {
  const at = (name: string) => found[Number(name.slice(1))]
  const propIn = (name: string, where: 'page' | 'row') => {
    const field = at(name)
    return field?.where === where ? field.prop : null
  }
  return {
    propOf: (name) => propIn(name, 'page'),
    inRow: (name) => propIn(name, 'row'),
    elsewhere: (name) => {
      const field = at(name)
      return field?.where === 'elsewhere' ? field : null
    },
  }
}

function opposite(expression: Expression): Expression {
  return expression.kind === 'not' ? expression.operand : { kind: 'not', operand: expression }
}

/** OpenEDC computes only where every field has a value, and rounds what it computes to two digits. */
function asOpenEdcComputes(expression: Expression, fields: number): Expression {
  const rounded: Expression = isNumeric(expression)
    ? { kind: 'call', name: 'round', args: [expression, { kind: 'number', value: 2 }] }
    : expression
  if (isArithmetic(expression)) return rounded
  const filled = Array.from({ length: fields }, (_, at): Expression => ({
    kind: 'binary',
    sign: '<>',
    left: { kind: 'reference', parts: [`f${at}`] },
    right: { kind: 'string', value: '' },
  }))
  const [first, ...others] = filled
  if (first === undefined) return rounded
  const all = others.reduce((left, right): Expression => ({ kind: 'binary', sign: 'and', left, right }), first)
  return { kind: 'call', name: 'if', args: [all, rounded, { kind: 'string', value: '' }] }
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '^'])

/** A number whatever the fields hold. */
function isNumeric(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'minus':
      return true
    case 'binary':
      return ARITHMETIC.has(expression.sign)
    case 'call':
      return expression.name !== 'if'
    case 'string':
    case 'reference':
    case 'not':
      return false
  }
}

/** Without a result as soon as one of its fields is blank. */
function isArithmetic(expression: Expression): boolean {
  switch (expression.kind) {
    case 'number':
    case 'reference':
      return true
    case 'minus':
      return isArithmetic(expression.operand)
    case 'binary':
      return ARITHMETIC.has(expression.sign) && isArithmetic(expression.left) && isArithmetic(expression.right)
    case 'string':
    case 'not':
    case 'call':
      return false
  }
}
