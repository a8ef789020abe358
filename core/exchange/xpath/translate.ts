import { RE2JS, RE2JSException } from 're2js'
import { Untranslatable } from '#core/exchange/translation.ts'
import type { Translation } from '#core/exchange/translation.ts'

import type { XPathFunction } from './functionTable.ts'
import { CALLS, XPATH_FUNCTIONS } from './functionTable.ts'
import type { XPathSign } from './lexer.ts'
import { XPathSyntaxError } from './lexer.ts'
import type { XPathBinary, XPathExpression } from './parser.ts'
import { XPathNodesError, XPathTooComplexError, parseXPath } from './parser.ts'

/**
 * Translates XPath of XForms to CEL that keeps its meaning, blanks included: a blank is '' and as a number NaN, so that
 * no order holds with one and `!=` does; values compare as numbers where one is a number, else as text
 * (core/rules/xpath/xpath.ts).
 */

/** What an expression may mean by a name. All are CEL texts; the fields of other pages and of rows among them. */
export type XPathTarget =
  | {
      readonly kind: 'field'
      readonly cel: string
      /** It is calculated as a truth, and holds 'true' or 'false' as text. */
      readonly truth?: true
    }
  /** A table: its rows. */
  | { readonly kind: 'table'; readonly cel: string }
  /** A field of all rows of a table that the expression is outside of. */
  | { readonly kind: 'column'; readonly cel: string; readonly prop: string }

export interface XPathScope {
  /** `${name}`. */
  named(name: string): XPathTarget | null
  /** Names of nodes from the root, or from the node of the expression; `..` leads up. */
  at(steps: readonly string[], absolute: boolean): XPathTarget | null
}

/** `relevant`, `constraint` and the like to a CEL rule of type bool. */
export function translateTest(source: string, scope: XPathScope): Translation {
  return translate(source, (expression) => new Translator(scope).bool(expression))
}

/** The same as what must all hold: the sides of its outermost `and`, each a CEL rule of its own. */
export function translateConditions(
  source: string,
  scope: XPathScope,
): { readonly ok: true; readonly all: readonly string[] } | Exclude<Translation, { readonly ok: true }> {
  const all: string[] = []
  const result = translate(source, (expression) => {
    const sides: XPathExpression[] = []
    let first = expression
    for (; first.kind === 'binary' && first.sign === 'and'; first = first.left) sides.push(first.right)
    for (const side of [first, ...sides.toReversed()]) all.push(new Translator(scope).bool(side))
    return ''
  })
  return result.ok ? { ok: true, all } : result
}

/** `calculation` to a CEL rule of any type; '' and NaN are empty. */
export function translateValue(source: string, scope: XPathScope): Translation {
  return translate(source, (expression) => {
    const translator = new Translator(scope)
    return `dyn(${translator.value(expression)})`
  })
}

/** Whether a calculation gives a truth, so that what reads its field takes 'false' for no. */
export function givesTruth(source: string, scope: XPathScope): boolean {
  try {
    return new Translator(scope).givesTruth(parseXPath(source))
  } catch (error) {
    if (error instanceof XPathSyntaxError || error instanceof XPathTooComplexError || error instanceof XPathNodesError)
      return false
    throw error
  }
}

function translate(source: string, write: (expression: XPathExpression) => string): Translation {
  try {
    return { ok: true, cel: write(parseXPath(source)) }
  } catch (error) {
    if (error instanceof Untranslatable) return { ok: false, why: error.why, detail: error.message }
    if (error instanceof XPathSyntaxError) return { ok: false, why: 'expression-syntax', detail: error.message }
    if (error instanceof XPathTooComplexError) return { ok: false, why: 'expression-too-complex', detail: '' }
    if (error instanceof XPathNodesError)
      return { ok: false, why: error.asksOtherForm ? 'list-elsewhere' : 'path-not-supported', detail: error.message }
    throw error
  }
}

const COMPARISONS: Readonly<Partial<Record<XPathSign, string>>> = {
  '=': 'xpEq',
  '!=': 'xpNe',
  '<': 'xpLt',
  '<=': 'xpLe',
  '>': 'xpGt',
  '>=': 'xpGe',
}

/** Signs that bind equally, so that a chain of them needs no brackets. */
const CHAINS: readonly (readonly XPathSign[])[] = [['and'], ['or'], ['+', '-'], ['*', 'div', 'mod']]
const CEL_SIGNS: Readonly<Partial<Record<XPathSign, string>>> = { and: '&&', or: '||', div: '/', mod: '%' }

/** Names that a spreadsheet writes for its logical cells. */
const LOGICAL: Readonly<Record<string, string>> = { TRUE: 'true', FALSE: 'false' }

class Translator {
  readonly #scope: XPathScope

  constructor(scope: XPathScope) {
    this.#scope = scope
  }

  /** Whether it gives a truth value. */
  isTest(node: XPathExpression): boolean {
    if (node.kind === 'binary') return node.sign === 'and' || node.sign === 'or' || COMPARISONS[node.sign] !== undefined
    if (node.kind === 'call')
      return (
        ['not', 'true', 'false', 'boolean', 'regex'].includes(node.name) ||
        XPATH_FUNCTIONS.get(node.name)?.gives === 'bool'
      )
    return logical(node) !== null || this.#isTruth(node)
  }

  /** A truth, or a choice between truths and texts that are not the words for one. */
  givesTruth(node: XPathExpression): boolean {
    const waiting: XPathExpression[] = [node]
    let tests = 0
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.kind === 'call' && next.name === 'if') waiting.push(...next.args.slice(1))
      else if (this.isTest(next)) tests += 1
      else if (next.kind !== 'string' || next.value === 'true' || next.value === 'false') return false
    }
    return tests > 0
  }

  /** What a field is given: a truth as its word. */
  value(node: XPathExpression): string {
    if (node.kind === 'call' && node.name === 'if')
      return this.#choice(node.args, (value) => `dyn(${this.value(value)})`)
    if (node.kind === 'call' && node.name === 'coalesce')
      return this.#plain(node.name, node.args, (arg) => this.value(arg))
    return this.isTest(node) ? `xpText(${this.any(node)})` : this.any(node)
  }

  bool(node: XPathExpression): string {
    const constant = logical(node)
    if (constant !== null) return constant
    if (node.kind === 'binary') {
      if (node.sign === 'and' || node.sign === 'or') return writeChain(node, (operand) => this.bool(operand))
      const comparison = COMPARISONS[node.sign]
      if (comparison !== undefined)
        return `${comparison}(${this.#side(node.left, node.right)}, ${this.#side(node.right, node.left)})`
    }
    if (node.kind === 'call') {
      if (node.name === 'if') return this.#choice(node.args, (value) => this.bool(value))
      const test = this.#test(node.name, node.args)
      if (test !== null) return test
    }
    return `xpTrue(${this.any(node)})`
  }

  any(node: XPathExpression): string {
    switch (node.kind) {
      case 'number':
        return doubleText(node.value)
      case 'string':
        return JSON.stringify(node.value)
      case 'reference':
      case 'path':
        return logical(node) ?? this.#read(node)
      case 'minus':
        return `-(${this.number(node.operand)})`
      case 'binary':
        return this.isTest(node) ? this.bool(node) : writeChain(node, (operand) => this.number(operand))
      case 'call':
        return this.#call(node.name, node.args)
    }
  }

  /** A field as it is read: one that is calculated as a truth as that. */
  #read(node: XPathExpression): string {
    const cel = this.#field(node)
    return this.#isTruth(node) ? `xpTruth(${cel})` : cel
  }

  /** One side of a comparison. Whoever compares a truth with a word means the word. */
  #side(node: XPathExpression, other: XPathExpression): string {
    return other.kind === 'string' && this.#isTruth(node) ? this.#field(node) : this.any(node)
  }

  #isTruth(node: XPathExpression): boolean {
    const target = this.#target(node)
    return target?.kind === 'field' && target.truth === true
  }

  number(node: XPathExpression): string {
    const isNumber =
      node.kind === 'number' ||
      node.kind === 'minus' ||
      (node.kind === 'binary' && !this.isTest(node)) ||
      (node.kind === 'call' && (node.name === 'number' || XPATH_FUNCTIONS.get(node.name)?.gives === 'number'))
    return isNumber ? this.any(node) : `xpNum(${this.any(node)})`
  }

  #call(name: string, args: readonly XPathExpression[]): string {
    const [first, second] = args
    if (name === 'if') return this.#choice(args, (value) => `dyn(${this.any(value)})`)
    const test = this.#test(name, args)
    if (test !== null) return test
    if (name === 'today' && args.length === 0) return 'today'
    if (name === 'now' && args.length === 0) return 'now'
    if (name === 'number' && first !== undefined && second === undefined) return `xpNum(${this.any(first)})`
    if (name === 'string' && first !== undefined && second === undefined)
      return this.isTest(first) ? `xpText(dyn(${this.any(first)}))` : `xpText(${this.any(first)})`
    return this.#plain(name, args)
  }

  /** Functions that give a truth value; null for others. */
  #test(name: string, args: readonly XPathExpression[]): string | null {
    const [first, second] = args
    if ((name === 'true' || name === 'false') && args.length === 0) return name
    if (name === 'not' && first !== undefined && second === undefined) return `!${this.bool(first)}`
    if (name === 'boolean' && first !== undefined && second === undefined) return `xpTrue(${this.any(first)})`
    if (name === 'regex' && first !== undefined && second !== undefined && args.length === 2)
      return `matches(xpText(${this.any(first)}), ${JSON.stringify(wholePattern(second))})`
    return XPATH_FUNCTIONS.get(name)?.gives === 'bool' ? this.#plain(name, args) : null
  }

  #plain(name: string, args: readonly XPathExpression[], write = (arg: XPathExpression) => this.any(arg)): string {
    const known = XPATH_FUNCTIONS.get(name)
    if (known === undefined) throw new Untranslatable('unknown-function', name)
    if (args.length < known.least || args.length > known.most)
      throw new Untranslatable('expression-syntax', `${name} takes ${known.least} to ${known.most}`)
    const written = args.map((arg) => `dyn(${known.rows === true ? this.#many(name, known, arg) : write(arg)})`)
    return `${CALLS[known.gives]}(${JSON.stringify(name)}, [${written.join(', ')}])`
  }

  /** An argument that may be a field of all rows of a table, or, to count them, the table itself. */
  #many(name: string, known: XPathFunction, node: XPathExpression): string {
    const target = this.#target(node)
    if (name === 'count') {
      // All rows count, also those that have the field blank.
      if (target === null || target.kind === 'field') throw new Untranslatable('path-not-supported', 'count')
      return target.cel
    }
    if (target?.kind === 'column') return `xpColumn(${target.cel}, ${JSON.stringify(target.prop)})`
    // Several answers are one text, where the rows of a table are many values.
    return known.gives === 'text' || name === 'count-non-empty' ? `xpText(${this.any(node)})` : this.number(node)
  }

  /** `if(…)`, with those in its third place in one row. */
  #choice(args: readonly XPathExpression[], write: (value: XPathExpression) => string): string {
    const parts: string[] = []
    let last: readonly XPathExpression[] | null = args
    while (last !== null) {
      const [condition, yes, no, more]: readonly (XPathExpression | undefined)[] = last
      if (condition === undefined || yes === undefined || no === undefined || more !== undefined)
        throw new Untranslatable('expression-syntax', 'if takes 3')
      parts.push(`${this.bool(condition)} ? ${write(yes)} : `)
      last = no.kind === 'call' && no.name === 'if' ? no.args : null
      if (last === null) parts.push(write(no))
    }
    return `(${parts.join('')})`
  }

  #target(node: XPathExpression): XPathTarget | null {
    if (node.kind === 'reference') return this.#scope.named(node.name)
    return node.kind === 'path' ? this.#scope.at(node.steps, node.absolute) : null
  }

  #field(node: XPathExpression): string {
    const target = this.#target(node)
    const name = node.kind === 'reference' ? node.name : node.kind === 'path' ? node.steps.join('/') : ''
    if (target === null) throw new Untranslatable('unknown-field', name)
    if (target.kind !== 'field') throw new Untranslatable('rows-of-table', name)
    return target.cel
  }
}

function logical(node: XPathExpression): string | null {
  if (node.kind !== 'path' || node.absolute || node.steps.length !== 1) return null
  return LOGICAL[(node.steps[0] ?? '').toUpperCase()] ?? null
}

/**
 * A pattern is asked of the whole text. It runs on an engine that is linear, which does not know all that others do.
 */
function wholePattern(node: XPathExpression): string {
  if (node.kind !== 'string') throw new Untranslatable('pattern-not-supported', 'pattern')
  const pattern = `^(?:${node.value})$`
  try {
    if (pattern.length > 500) throw new Untranslatable('pattern-not-supported', node.value)
    RE2JS.compile(pattern)
  } catch (error) {
    if (error instanceof RE2JSException) throw new Untranslatable('pattern-not-supported', node.value)
    throw error
  }
  return pattern
}

/** A chain of signs that bind equally, in one pair of brackets. Each operand is written in brackets of its own. */
function writeChain(node: XPathBinary, write: (operand: XPathExpression) => string): string {
  const signs = CHAINS.find((chain) => chain.includes(node.sign)) ?? [node.sign]
  const parts: string[] = []
  let first: XPathExpression = node
  while (first.kind === 'binary' && signs.includes(first.sign)) {
    parts.push(` ${CEL_SIGNS[first.sign] ?? first.sign} ${write(first.right)}`)
    first = first.left
  }
  return `(${[write(first), ...parts.toReversed()].join('')})`
}

/** A number as a CEL double, so that no division is one of whole numbers. */
function doubleText(value: number): string {
  const text = value.toString()
  return /^\d+$/.test(text) ? `${text}.0` : `double("${text}")`
}
