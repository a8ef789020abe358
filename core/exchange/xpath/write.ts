import type { ASTNode } from '@marcbachmann/cel-js'
import { ParseError, parse } from '@marcbachmann/cel-js'

import { namesOf } from '#core/rules/reads.ts'

import { CALLS } from './functionTable.ts'

/**
 * Writes a rule as XPath of an XLSForm. Rules that came from XPath all have a way back. A rule that was written here in
 * CEL has one where XPath says the same of a blank: equality and order with a field that is blank hold on neither side,
 * so they may stand under `and` and `or`, and not under `not`.
 */

/** How fields are named in the form; null for one that it has not. */
export interface XPathNames {
  /** A field of the page, or of another page. */
  field(page: string | null, prop: string): string | null
  /** A field of the rows that the rule is of. */
  row(prop: string): string | null
  /** A field of all rows of a table. */
  column(page: string | null, table: string, prop: string): string | null
}

/** The XPath of a rule, or null when it has none. */
export function writeXPath(cel: string, names: XPathNames): string | null {
  return writeCel(cel, (writer, node) => writer.any(node), names)
}

/** The XPath of a rule that is true or false. */
export function writeXPathTest(cel: string, names: XPathNames): string | null {
  return writeCel(cel, (writer, node) => writer.test(node), names)
}

/**
 * The constraint that a check was made of; null for a check that was made of none. @param own how the check reads its
 * own field
 */
export function writeConstraint(cel: string, own: string, names: XPathNames): string | null {
  const front = `xpNe(${own}, "") && !(`
  if (!cel.startsWith(front) || !cel.endsWith(')')) return null
  return writeCel(cel.slice(front.length, -1), (writer, node) => writer.test(node), names)
}

function writeCel(cel: string, write: (writer: Writer, node: ASTNode) => string, names: XPathNames): string | null {
  try {
    return stripBrackets(write(new Writer(names), parse(cel).ast))
  } catch (error) {
    if (error instanceof Unwritable || error instanceof ParseError) return null
    throw error
  }
}

class Unwritable extends Error {}

/** Brackets around the whole of it say nothing. */
function stripBrackets(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  let depth = 0
  let quote = ''
  for (const [at, sign] of Array.from(text).entries()) {
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    if (depth === 0 && at < Array.from(text).length - 1) return text
  }
  return text.slice(1, -1)
}

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['xpEq', '='],
  ['xpNe', '!='],
  ['xpLt', '<'],
  ['xpLe', '<='],
  ['xpGt', '>'],
  ['xpGe', '>='],
])
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
  ['+', '+'],
  ['-', '-'],
  ['*', '*'],
  ['/', 'div'],
  ['%', 'mod'],
])
const CHAINS: readonly (readonly string[])[] = [['&&'], ['||'], ['+', '-'], ['*', '/', '%']]
const NAMED_CALLS: ReadonlySet<string> = new Set(Object.values(CALLS))
/** Conversions that the translation puts around what XPath converts by itself. */
const CONVERSIONS: ReadonlySet<string> = new Set(['dyn', 'xpNum', 'xpTrue', 'xpTruth'])

class Writer {
  readonly #names: XPathNames

  constructor(names: XPathNames) {
    this.#names = names
  }

  test(node: ASTNode): string {
    const own = this.#ownTest(node)
    if (own !== null) return own
    if (node.op === '&&' || node.op === '||') return this.#chained(node, (part) => this.test(part))
    return this.any(node)
  }

  any(node: ASTNode): string {
    const field = this.#field(node)
    if (field !== null) return field
    if (isPair(node)) return this.#chained(node, (part) => this.any(part))
    switch (node.op) {
      case 'value':
        return literal(node.args)
      case 'id':
        if (node.args === 'today' || node.args === 'now') return `${node.args}()`
        break
      case '!_':
        return `not(${stripBrackets(this.any(node.args))})`
      case '-_':
        return `-(${stripBrackets(this.any(node.args))})`
      case '?:':
        return this.#choice(node.args)
      case 'call':
        return this.#call(node.args[0], node.args[1])
      // Of what was written here a comparison has words only where it is a test of its own; the rest XPath has not.
      case '.':
      case '.?':
      case '[]':
      case '[?]':
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
      case 'in':
      case 'list':
      case 'map':
      case 'rcall':
        break
    }
    throw new Unwritable()
  }

  /** Comparisons of a rule that was written here, as tests that say no of a blank. */
  #ownTest(node: ASTNode): string | null {
    if (node.op === '==' || node.op === '<' || node.op === '<=' || node.op === '>' || node.op === '>=') {
      const [left, right] = node.args
      return `(${this.#plain(left)} ${node.op === '==' ? '=' : node.op} ${this.#plain(right)})`
    }
    if (node.op === '!=' || node.op === 'in') {
      const [field, constant] = node.op === 'in' ? [node.args[1], node.args[0]] : node.args
      const name = this.#field(field)
      if (name === null || constant.op !== 'value') return null
      return node.op === 'in'
        ? `selected(${name}, ${literal(constant.args)})`
        : `(${name} != '' and ${name} != ${literal(constant.args)})`
    }
    if (node.op !== 'call' || node.args[0] !== 'has' || node.args[1][0] === undefined) return null
    const asked = this.#field(node.args[1][0])
    return asked === null ? null : `(${asked} != '')`
  }

  /**
   * A side of a comparison that was written here: a field, a constant, arithmetic, or how many of a list are chosen.
   */
  #plain(node: ASTNode): string {
    if (node.op === 'call' && node.args[0] === 'size' && node.args[1][0] !== undefined) {
      const field = this.#field(node.args[1][0])
      if (field !== null) return `count-selected(${field})`
    }
    return this.any(node)
  }

  #field(node: ASTNode): string | null {
    const names = namesOf(node)
    const [variable, ...path] = names
    const [first = '', second = ''] = path
    if ((variable === 'rc' || variable === 'page') && path.length === 1)
      return this.#named(this.#names.field(null, first))
    if (variable === 'row' && path.length === 1) return this.#named(this.#names.row(first))
    if ((variable === 'rcVisit' || variable === 'visit') && path.length === 2)
      return this.#named(this.#names.field(first, second))
    const rowField = rowReading(node)
    return rowField === null ? null : this.#named(this.#names.row(rowField))
  }

  #named(name: string | null): string {
    if (name === null) throw new Unwritable()
    return `\${${name}}`
  }

  #chained(node: ASTNode, write: (part: ASTNode) => string): string {
    const chain = CHAINS.find((signs) => signs.includes(node.op)) ?? []
    const parts: string[] = []
    let first: ASTNode = node
    while (isPair(first) && chain.includes(first.op)) {
      parts.push(` ${SIGNS.get(first.op) ?? ''} ${write(first.args[1])}`)
      first = first.args[0]
    }
    return `(${[write(first), ...parts.toReversed()].join('')})`
  }

  #choice(args: readonly ASTNode[]): string {
    const [condition, yes, no] = args
    if (condition === undefined || yes === undefined || no === undefined) throw new Unwritable()
    return `if(${stripBrackets(this.test(condition))}, ${stripBrackets(this.any(yes))}, ${stripBrackets(this.any(no))})`
  }

  #call(name: string, args: readonly ASTNode[]): string {
    const [first, second] = args
    if (first === undefined) throw new Unwritable()
    if (name === 'double' && first.op === 'value' && typeof first.args === 'string') return first.args
    if (CONVERSIONS.has(name)) return this.#converted(name, first)
    // A truth that a field is given as its word is a truth again where it is read.
    if (name === 'xpText' && givesTruth(first)) return this.any(first)
    if (name === 'xpText') return `string(${stripBrackets(this.any(first))})`
    const comparison = COMPARISONS.get(name)
    if (comparison !== undefined && second !== undefined)
      return `(${this.any(first)} ${comparison} ${this.any(second)})`
    if (name === 'matches' && second !== undefined) return `regex(${this.#text(first)}, ${literal(pattern(second))})`
    if (name === 'xpColumn' && second !== undefined) return this.#column(first, second)
    if (!NAMED_CALLS.has(name) || first.op !== 'value' || typeof first.args !== 'string' || second?.op !== 'list')
      throw new Unwritable()
    const of = first.args
    return `${of}(${second.args.map((arg) => stripBrackets(this.#argument(of, arg))).join(', ')})`
  }

  /** `number(…)` stands where the translation found it, and where a text is compared as a number. */
  #converted(name: string, node: ASTNode): string {
    if (name === 'xpNum') return `number(${stripBrackets(this.any(node))})`
    return name === 'xpTrue' ? `boolean(${stripBrackets(this.any(node))})` : this.any(node)
  }

  #argument(of: string, arg: ASTNode): string {
    const inner = bare(arg)
    const isMany = ['concat', 'join', 'count-non-empty', 'sum', 'min', 'max', 'count'].includes(of)
    // What the translation itself puts around an argument that may be many.
    if (
      isMany &&
      inner.op === 'call' &&
      (inner.args[0] === 'xpText' || inner.args[0] === 'xpNum') &&
      inner.args[1][0] !== undefined
    )
      return this.any(inner.args[1][0])
    return this.any(inner)
  }

  #text(node: ASTNode): string {
    return node.op === 'call' && node.args[0] === 'xpText' && node.args[1][0] !== undefined
      ? stripBrackets(this.any(node.args[1][0]))
      : this.any(node)
  }

  #column(table: ASTNode, prop: ASTNode): string {
    const [variable, ...path] = namesOf(table)
    if (prop.op !== 'value' || typeof prop.args !== 'string') throw new Unwritable()
    const [first = '', second = ''] = path
    return this.#named(
      variable === 'rcVisit'
        ? this.#names.column(first, second, prop.args)
        : this.#names.column(null, first, prop.args),
    )
  }
}

/** The field of `has(row.x) ? dyn(row.x) : dyn("")`; null for other expressions. */
function rowReading(node: ASTNode): string | null {
  if (node.op !== '?:') return null
  const [condition] = node.args
  if (condition.op !== 'call' || condition.args[0] !== 'has' || condition.args[1][0] === undefined) return null
  const [variable, prop] = namesOf(condition.args[1][0])
  return variable === 'row' && prop !== undefined ? prop : null
}

function bare(node: ASTNode): ASTNode {
  return node.op === 'call' && node.args[0] === 'dyn' && node.args[1][0] !== undefined ? node.args[1][0] : node
}

/** The pattern of the form, which is asked of the whole text. */
function pattern(node: ASTNode): string {
  const text =
    node.op === 'value' && typeof node.args === 'string' ? /^\^\(\?:(.*)\)\$$/s.exec(node.args)?.[1] : undefined
  if (text === undefined) throw new Unwritable()
  return text
}

function givesTruth(node: ASTNode): boolean {
  if (node.op === 'value') return typeof node.args === 'boolean'
  if (node.op === '!_' || node.op === '&&' || node.op === '||') return true
  return (
    node.op === 'call' &&
    (COMPARISONS.has(node.args[0]) || ['xpTrue', 'xpTruth', 'xpTest', 'matches'].includes(node.args[0]))
  )
}

function isPair(node: ASTNode): node is Extract<ASTNode, { readonly op: '&&' | '||' | '+' | '-' | '*' | '/' | '%' }> {
  return SIGNS.has(node.op)
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return `${value}()`
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') throw new Unwritable()
  if (!value.includes("'")) return `'${value}'`
  if (!value.includes('"')) return `"${value}"`
  // XPath has no way to write both quotation marks in one text.
  throw new Unwritable()
}
