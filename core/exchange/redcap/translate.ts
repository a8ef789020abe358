import { Untranslatable } from '#core/exchange/translation.ts'
import type { Translation } from '#core/exchange/translation.ts'

import type { BinaryExpression, BinarySign, Expression } from './parser.ts'
import type { PlainFunction } from './functionTable.ts'
import { PLAIN_FUNCTIONS } from './functionTable.ts'
import { ExpressionSyntaxError } from './lexer.ts'
import { ExpressionTooComplexError, parseExpression } from './parser.ts'

/**
 * Translates REDCap expressions to CEL that keeps REDCap's meaning, blanks included: fields are read through `rc`,
 * where a blank is '', those of other forms through `rcVisit`, and compared by the `rc…` functions
 * (core/rules/redcap/redcap.ts).
 */

/** `[record-name]` under this name is the field that identifies a record: the first one of a dictionary. */
export const RECORD_NAME = 'record-name'

/** Smart variables that, beside a field, mean the very page that is filled in. */
const HERE: ReadonlySet<string> = new Set(['event-name', 'current-instance'])

/** What an expression may refer to. */
export interface ReferenceScope {
  /** The prop of a field of the same page, by the source's name. */
  propOf(name: string): string | null
  /** The field of another page, by the source's name, and that page's code. */
  elsewhere(name: string): { readonly page: string; readonly prop: string } | null
  /** The field of a page in another event, by REDCap's name of the event. Absent where no events are known. */
  readonly inEvent?: (
    event: string,
    name: string,
  ) => { readonly folder: string; readonly page: string; readonly prop: string } | null
  /** Whether of a field of the page what it holds is meant, shown or not. Absent where it never is. */
  readonly isStored?: (prop: string) => boolean
  /** The prop of a field of the same row of a table. Absent where the source knows no rows. */
  readonly inRow?: (name: string) => string | null
}

/** Branching logic to a CEL rule of type bool. */
export function translateLogic(source: string, scope: ReferenceScope): Translation {
  return translate(source, (expression) => new Translator(scope).bool(expression))
}

/** A calculation to a CEL rule of any type; a blank result is '' or NaN, which is empty. */
export function translateCalculation(source: string, scope: ReferenceScope): Translation {
  return translate(source, (expression) => `dyn(${new Translator(scope).any(expression)})`)
}

/** The argument of `@CALCDATE(date, count, unit)` to a CEL rule; the result is text of a field of that kind. */
export function translateCalcDate(args: string, kind: 'date' | 'datetime', scope: ReferenceScope): Translation {
  return translate(`calcdate(${args})`, (expression) => `dyn(${new Translator(scope).calcDate(expression, kind)})`)
}

/** Logic of another language that was read into the same tree, with the same meaning of blanks. */
export function translateLogicTree(expression: Expression, scope: ReferenceScope): Translation {
  return attempt(() => new Translator(scope).bool(expression))
}

/** A calculation of another language that was read into the same tree. */
export function translateCalculationTree(expression: Expression, scope: ReferenceScope): Translation {
  return attempt(() => `dyn(${new Translator(scope).any(expression)})`)
}

function translate(source: string, write: (expression: Expression) => string): Translation {
  return attempt(() => write(parseExpression(source)))
}

/** What is written, or why nothing can be. */
function attempt(write: () => string): Translation {
  try {
    return { ok: true, cel: write() }
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

/**
 * Signs that bind equally, so that a chain of them needs no brackets: a sum of hundreds of fields is no deep
 * expression.
 */
const CHAINS: readonly (readonly BinarySign[])[] = [['and'], ['or'], ['+', '-'], ['*', '/'], ['%']]

/** Signs that CEL writes differently. */
const CEL_SIGNS: Readonly<Partial<Record<BinarySign, string>>> = { and: '&&', or: '||' }

/** Functions of one number. */
const NUMERIC: Readonly<Record<string, string>> = { abs: 'abs', sqrt: 'sqrt', exponential: 'exp' }

/** `age`, `race(2)`, `age:value`. Written so that no text makes the engine go back over it. */
const REFERENCE = /^([A-Za-z_][A-Za-z0-9_]*)(?:\s*\(([^()]*)\))?\s*(?::value)?$/

/** Units of `datediff` and `@CALCDATE`. */
const UNITS = ['y', 'M', 'd', 'h', 'm', 's']

/** Writes a tree as CEL. Three contexts: a truth value, a number (NaN when blank), and anything (dyn). */
class Translator {
  readonly #scope: ReferenceScope

  constructor(scope: ReferenceScope) {
    this.#scope = scope
  }

  bool(node: Expression): string {
    if (node.kind === 'not') return `!${this.bool(node.operand)}`
    if (node.kind === 'binary') {
      if (node.sign === 'and' || node.sign === 'or') return writeChain(node, (operand) => this.bool(operand))
      const comparison = COMPARISONS[node.sign]
      if (comparison !== undefined) return `${comparison}(${this.any(node.left)}, ${this.any(node.right)})`
    }
    if (node.kind === 'call') {
      const test = this.#test(node.name, node.args)
      if (test !== null) return test
      if (node.name === 'if') return this.#choice(node.args, (value) => this.bool(value))
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
        return this.#arithmetic(node) ?? `rcNum(${this.bool(node)})`
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
        // A blank may be written either way in REDCap.
        return JSON.stringify(node.value === 'NaN' ? '' : node.value)
      case 'reference':
        return this.#reference(node.parts)
      case 'number':
      case 'minus':
        return this.number(node)
      case 'not':
        return `rcNum(${this.bool(node)})`
      case 'binary':
        return this.#arithmetic(node) ?? `rcNum(${this.bool(node)})`
      case 'call':
        return this.#anyCall(node.name, node.args)
    }
  }

  /** The value of `@CALCDATE(date, count, unit)`, as text of a field of that kind. */
  calcDate(node: Expression, kind: 'date' | 'datetime'): string {
    if (node.kind !== 'call') throw new Untranslatable('expression-syntax', 'calcdate')
    const [from, count, unit] = exactly('calcdate', node.args, 3)
    return `rcCalcDate(${this.#moment(from, null)}, ${this.any(count)}, ${unitText(unit)}, "${kind}")`
  }

  #arithmetic(node: BinaryExpression): string | null {
    switch (node.sign) {
      case '^':
        return `pow(${this.number(node.left)}, ${this.number(node.right)})`
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return writeChain(node, (operand) => this.number(operand))
      case 'and':
      case 'or':
      case '=':
      case '<>':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return null
    }
  }

  /** `if(…)`, with those in its third place in one row, since there real calculations nest dozens. */
  #choice(args: readonly Expression[], write: (value: Expression) => string): string {
    const parts: string[] = []
    let last: readonly Expression[] | null = args
    while (last !== null) {
      const [condition, yes, no]: readonly [Expression, Expression, Expression] = exactly('if', last, 3)
      parts.push(`${this.bool(condition)} ? ${write(yes)} : `)
      last = no.kind === 'call' && no.name === 'if' ? no.args : null
      if (last === null) parts.push(write(no))
    }
    return `(${parts.join('')})`
  }

  #anyCall(name: string, args: readonly Expression[]): string {
    if (name === 'if') return this.#choice(args, (value) => `dyn(${this.any(value)})`)
    const test = this.#test(name, args)
    if (test !== null) return `rcNum(${test})`
    const written = this.#numericCall(name, args) ?? this.#plainCall(name, args, 'text')
    if (written === null) throw new Untranslatable('unknown-function', name)
    return written
  }

  /** Functions that give a truth value. */
  #test(name: string, args: readonly Expression[]): string | null {
    return this.#plainCall(name, args, 'bool')
  }

  #plainCall(name: string, args: readonly Expression[], gives: PlainFunction['gives']): string | null {
    const known = PLAIN_FUNCTIONS.get(name)
    if (known === undefined || known.gives !== gives) return null
    return known.write(
      between(name, args, known.least, known.most).map((arg) => (arg === undefined ? '' : this.any(arg))),
    )
  }

  /** Functions that give a number. */
  #numericCall(name: string, args: readonly Expression[]): string | null {
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
    return name === 'datediff' ? this.#datediff(args) : this.#plainCall(name, args, 'number')
  }

  /**
   * `datediff(from, to, unit[, format][, signed])`. Dates are stored as yyyy-MM-dd here, whatever format they are typed
   * in.
   */
  #datediff(args: readonly Expression[]): string {
    const [from, to, unit = { kind: 'string', value: 'd' } as const, ...options] = between('datediff', args, 2, 5)
    if (to === undefined) throw new Untranslatable('expression-syntax', 'datediff')
    const texts = options.flatMap((option) => (option?.kind === 'string' ? [option.value.toLowerCase()] : []))
    const signed = texts.includes('true') || options.some((option) => option?.kind === 'number' && option.value === 1)
    const format = texts.find((text) => /^(ymd|mdy|dmy)$/.test(text)) ?? null
    return `rcDatediff(${this.#moment(from, format)}, ${this.#moment(to, format)}, ${unitText(unit)}, ${signed})`
  }

  #moment(node: Expression, format: string | null): string {
    if (node.kind !== 'string') return this.any(node)
    if (node.value === 'today' || node.value === 'now') return node.value
    return JSON.stringify(isoDate(node.value, format))
  }

  #reference(parts: readonly string[]): string {
    const [part = '', ...others] = parts.length === 1 ? parts : parts.filter((text) => !HERE.has(text.toLowerCase()))
    if (others.length > 0) return this.#ofEvent(parts)
    if (/^record-name$/i.test(part)) return this.#field(RECORD_NAME)
    const match = REFERENCE.exec(part)
    const name = match?.[1]
    if (name === undefined) throw new Untranslatable('smart-variable', `[${parts.join('][')}]`)
    return box(this.#field(name.toLowerCase()), match?.[2])
  }

  /** `[baseline_arm_1][weight]`: what was entered in that event, '' where nothing was. */
  #ofEvent(parts: readonly string[]): string {
    const [event = '', part = '', ...more] = parts
    const match = REFERENCE.exec(part)
    const found =
      match === null || more.length > 0
        ? null
        : (this.#scope.inEvent?.(event.toLowerCase(), (match[1] ?? '').toLowerCase()) ?? null)
    if (found === null) throw new Untranslatable('field-of-other-event', `[${parts.join('][')}]`)
    const read = `form.${found.folder}.${found.page}.${found.prop}`
    return box(`(has(${read}) ? dyn(${read}) : dyn(""))`, match?.[2])
  }

  #field(name: string): string {
    const inRow = this.#scope.inRow?.(name) ?? null
    // A blank of a row is asked for, as reading it would leave the whole rule without an answer.
    if (inRow !== null) return `(has(row.${inRow}) ? dyn(row.${inRow}) : dyn(""))`
    const prop = this.#scope.propOf(name)
    if (prop !== null) return this.#scope.isStored?.(prop) === true ? `rcStored.${prop}` : `rc.${prop}`
    const elsewhere = this.#scope.elsewhere(name)
    if (elsewhere === null) throw new Untranslatable('unknown-field', name)
    return `rcVisit.${elsewhere.page}.${elsewhere.prop}`
  }
}

/** A field, or one of its boxes. */
function box(read: string, code: string | undefined): string {
  return code === undefined ? read : `rcChecked(${read}, ${JSON.stringify(code.trim())})`
}

/**
 * A chain of signs that bind equally, in one pair of brackets: `a + b - c`. Each operand is written in brackets of its
 * own.
 */
function writeChain(node: BinaryExpression, write: (operand: Expression) => string): string {
  const signs = CHAINS.find((chain) => chain.includes(node.sign)) ?? [node.sign]
  const parts: string[] = []
  let first: Expression = node
  while (first.kind === 'binary' && signs.includes(first.sign)) {
    parts.push(` ${CEL_SIGNS[first.sign] ?? first.sign} ${write(first.right)}`)
    first = first.left
  }
  return `(${[write(first), ...parts.toReversed()].join('')})`
}

function unitText(unit: Expression): string {
  if (unit.kind !== 'string' || !UNITS.includes(unit.value))
    throw new Untranslatable('expression-syntax', 'unit of time')
  return JSON.stringify(unit.value)
}

/** A date that is written into an expression, in the format that it names; other text stays as it is. */
function isoDate(text: string, format: string | null): string {
  const match = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(.*)$/.exec(text)
  if (match === null || format === null || format === 'ymd') return text
  const [first = '', second = '', year = '', time = ''] = match.slice(1)
  const [day, month] = format === 'dmy' ? [first, second] : [second, first]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`
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
