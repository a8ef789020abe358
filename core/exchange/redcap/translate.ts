import type { NotCarriedReason } from '#core/exchange/definition.ts'

import type { BinarySign, Expression } from './parser.ts'
import { ExpressionSyntaxError } from './lexer.ts'
import { ExpressionTooComplexError, parseExpression } from './parser.ts'

/**
 * Translates REDCap expressions to CEL that keeps REDCap's meaning, blanks included: fields are read through `rc`, where a blank is
 * '', and compared by the `rc…` functions (core/rules/redcap.ts).
 */

/** What an expression may refer to. */
export interface ReferenceScope {
  /** The prop of a field of the same page, by the source's name. */
  propOf(name: string): string | null
  /** Whether the name is a field of another page. */
  isElsewhere(name: string): boolean
}

export type Translation =
  | { readonly ok: true; readonly cel: string }
  | { readonly ok: false; readonly why: NotCarriedReason; readonly detail: string }

class Untranslatable extends Error {
  readonly why: NotCarriedReason
  constructor(why: NotCarriedReason, detail: string) {
    super(detail)
    this.why = why
  }
}

/** Branching logic to a CEL rule of type bool. */
export function translateLogic(source: string, scope: ReferenceScope): Translation {
  return translate(source, (expression) => new Translator(scope).bool(expression))
}

/** A calculation to a CEL rule of any type; a blank result is '' or NaN, which is empty. */
export function translateCalculation(source: string, scope: ReferenceScope): Translation {
  return translate(source, (expression) => `dyn(${new Translator(scope).any(expression)})`)
}

function translate(source: string, write: (expression: Expression) => string): Translation {
  try {
    return { ok: true, cel: write(parseExpression(source)) }
  } catch (error) {
    if (error instanceof Untranslatable) return { ok: false, why: error.why, detail: error.message }
    if (error instanceof ExpressionSyntaxError) return { ok: false, why: 'expression-syntax', detail: error.message }
    if (error instanceof ExpressionTooComplexError) return { ok: false, why: 'expression-too-complex', detail: '' }
    throw error
  }
}

const COMPARISONS: Readonly<Partial<Record<BinarySign, string>>> = {
  '=': 'rcEq',
  '<>': 'rcNe',
  '<': 'rcLt',
  '<=': 'rcLe',
  '>': 'rcGt',
  '>=': 'rcGe',
}

/** REDCap functions over a list of values, where blanks are left out. */
const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'rcSum',
  mean: 'rcMean',
  median: 'rcMedian',
  stdev: 'rcStdev',
  min: 'rcMin',
  max: 'rcMax',
}

const ROUNDINGS: Readonly<Record<string, string>> = { round: 'rcRound', roundup: 'rcRoundUp', rounddown: 'rcRoundDown' }

/** Functions of one number. */
const NUMERIC: Readonly<Record<string, string>> = { abs: 'abs', sqrt: 'sqrt', exponential: 'exp' }

/** Writes a tree as CEL. Three contexts: a truth value, a number (NaN when blank), and anything (dyn). */
class Translator {
  readonly #scope: ReferenceScope

  constructor(scope: ReferenceScope) {
    this.#scope = scope
  }

  bool(node: Expression): string {
    if (node.kind === 'not') return `!${this.bool(node.operand)}`
    if (node.kind === 'binary') {
      if (node.sign === 'and') return `(${this.bool(node.left)} && ${this.bool(node.right)})`
      if (node.sign === 'or') return `(${this.bool(node.left)} || ${this.bool(node.right)})`
      const comparison = COMPARISONS[node.sign]
      if (comparison !== undefined) return `${comparison}(${this.any(node.left)}, ${this.any(node.right)})`
    }
    if (node.kind === 'call') {
      const test = this.#test(node.name, node.args)
      if (test !== null) return test
      if (node.name === 'if') {
        const [condition, yes, no] = exactly(node.name, node.args, 3)
        return `(${this.bool(condition)} ? ${this.bool(yes)} : ${this.bool(no)})`
      }
    }
    return `rcTrue(${this.any(node)})`
  }

  number(node: Expression): string {
    switch (node.kind) {
      case 'number':
        return doubleText(node.value)
      case 'minus':
        return `-(${this.number(node.operand)})`
      case 'binary': {
        const arithmetic = this.#arithmetic(node.sign, node.left, node.right)
        return arithmetic ?? `rcNum(${this.bool(node)})`
      }
      case 'call':
        return this.#numericCall(node.name, node.args) ?? `rcNum(${this.any(node)})`
      case 'string':
      case 'reference':
      case 'not':
        return `rcNum(${this.any(node)})`
    }
  }

  any(node: Expression): string {
    switch (node.kind) {
      case 'string':
        return JSON.stringify(node.value)
      case 'reference':
        return this.#reference(node.parts)
      case 'not':
        return this.bool(node)
      case 'number':
      case 'minus':
        return this.number(node)
      case 'binary':
        return this.#arithmetic(node.sign, node.left, node.right) ?? this.bool(node)
      case 'call':
        return this.#anyCall(node.name, node.args)
    }
  }

  #arithmetic(sign: BinarySign, left: Expression, right: Expression): string | null {
    if (sign === '^') return `pow(${this.number(left)}, ${this.number(right)})`
    if (sign === '+' || sign === '-' || sign === '*' || sign === '/' || sign === '%') {
      return `(${this.number(left)} ${sign} ${this.number(right)})`
    }
    return null
  }

  #anyCall(name: string, args: readonly Expression[]): string {
    if (name === 'if') {
      const [condition, yes, no] = exactly(name, args, 3)
      return `(${this.bool(condition)} ? dyn(${this.any(yes)}) : dyn(${this.any(no)}))`
    }
    const written = this.#test(name, args) ?? this.#numericCall(name, args)
    if (written === null) throw new Untranslatable('unknown-function', name)
    return written
  }

  /** Functions that give a truth value. */
  #test(name: string, args: readonly Expression[]): string | null {
    switch (name) {
      case 'isblankormissingcode':
        return `rcEq(${this.any(exactly(name, args, 1)[0])}, "")`
      case 'isnumber':
        return `rcIsNumber(${this.any(exactly(name, args, 1)[0])})`
      case 'isinteger':
        return `rcIsInteger(${this.any(exactly(name, args, 1)[0])})`
      case 'contains':
      case 'not_contain': {
        const [text, part] = exactly(name, args, 2)
        return `${name === 'contains' ? '' : '!'}rcContains(${this.any(text)}, ${this.any(part)})`
      }
      default:
        return null
    }
  }

  /** Functions that give a number. */
  #numericCall(name: string, args: readonly Expression[]): string | null {
    const aggregate = AGGREGATES[name]
    if (aggregate !== undefined) return `${aggregate}([${args.map((arg) => `dyn(${this.any(arg)})`).join(', ')}])`
    const rounding = ROUNDINGS[name]
    if (rounding !== undefined) {
      const [value, digits = { kind: 'number', value: 0 } as const] = between(name, args, 1, 2)
      return `${rounding}(${this.any(value)}, ${this.any(digits)})`
    }
    const numeric = NUMERIC[name]
    if (numeric !== undefined) return `${numeric}(${this.number(exactly(name, args, 1)[0])})`
    if (name === 'log') {
      const [value, base] = between(name, args, 1, 2)
      return base === undefined ? `ln(${this.number(value)})` : `(ln(${this.number(value)}) / ln(${this.number(base)}))`
    }
    if (name === 'mod') {
      const [value, divisor] = exactly(name, args, 2)
      return `(${this.number(value)} % ${this.number(divisor)})`
    }
    return name === 'datediff' ? this.#datediff(args) : null
  }

  /** `datediff(from, to, unit[, format][, signed])`. Dates are stored as yyyy-MM-dd here, whatever format they are typed in. */
  #datediff(args: readonly Expression[]): string {
    const [from, to, unit, ...options] = between('datediff', args, 2, 5)
    if (to === undefined) throw new Untranslatable('expression-syntax', 'datediff')
    const unitText = unit?.kind === 'string' ? unit.value : unit === undefined ? 'd' : ''
    if (!['y', 'M', 'd', 'h', 'm', 's'].includes(unitText)) throw new Untranslatable('expression-syntax', 'datediff unit')
    const signed = options.some((option) => option?.kind === 'string' && option.value.toLowerCase() === 'true')
    return `rcDatediff(${this.#moment(from)}, ${this.#moment(to)}, "${unitText}", ${signed})`
  }

  #moment(node: Expression): string {
    if (node.kind === 'string' && (node.value === 'today' || node.value === 'now')) return node.value
    return this.any(node)
  }

  #reference(parts: readonly string[]): string {
    const [part = '', ...others] = parts
    if (others.length > 0) throw new Untranslatable('field-of-other-event', `[${parts.join('][')}]`)
    const match = /^([A-Za-z_][A-Za-z0-9_]*)\s*(?:\(\s*([^()]+?)\s*\))?$/.exec(part)
    const name = match?.[1]
    if (name === undefined) throw new Untranslatable('smart-variable', `[${part}]`)
    const prop = this.#scope.propOf(name.toLowerCase())
    if (prop === null) {
      throw new Untranslatable(this.#scope.isElsewhere(name.toLowerCase()) ? 'field-of-other-form' : 'unknown-field', name)
    }
    const code = match?.[2]
    return code === undefined ? `rc.${prop}` : `rcChecked(rc.${prop}, ${JSON.stringify(code)})`
  }
}

/** A number as a CEL double, so that no division is one of whole numbers. */
function doubleText(value: number): string {
  const text = value.toString()
  return /^\d+$/.test(text) ? `${text}.0` : `double("${text}")`
}

function exactly(name: string, args: readonly Expression[], count: 1): readonly [Expression]
function exactly(name: string, args: readonly Expression[], count: 2): readonly [Expression, Expression]
function exactly(name: string, args: readonly Expression[], count: 3): readonly [Expression, Expression, Expression]
function exactly(name: string, args: readonly Expression[], count: number): readonly Expression[] {
  if (args.length !== count) throw new Untranslatable('expression-syntax', `${name} takes ${count}`)
  return args
}

function between(
  name: string,
  args: readonly Expression[],
  least: number,
  most: number,
): readonly [Expression, ...(Expression | undefined)[]] {
  const [first, ...rest] = args
  if (first === undefined || args.length < least || args.length > most) {
    throw new Untranslatable('expression-syntax', `${name} takes ${least} to ${most}`)
  }
  return [first, ...rest]
}
