import type { ASTNode } from '@marcbachmann/cel-js'
import { ParseError, parse } from '@marcbachmann/cel-js'

import type { RuleWords } from './words.ts'

/**
 * A rule in words: fields by their labels, codes with what they stand for. What has no words is said in the rule's own
 * signs.
 */

export interface RuleField {
  readonly label: string
  /** What its codes stand for. */
  readonly choices: ReadonlyMap<string, string>
}

/**
 * The fields that a rule may name, by the way it names them: `page.x` by `x`, `visit.<page>.x` and the like by all
 * names.
 */
export type RuleFields = (names: readonly string[]) => RuleField | null

export function ruleInWords(cel: string, fields: RuleFields, words: RuleWords): string {
  try {
    return new Speaker(cel, fields, words).said(parse(cel).ast)
  } catch (error) {
    // A rule that is none is shown as it is written.
    if (error instanceof ParseError) return cel
    throw error
  }
}

type Saying = Exclude<keyof RuleWords, 'and' | 'or' | 'today' | 'now'>

const COMPARISONS: ReadonlyMap<string, Saying> = new Map([
  ['==', 'equal'],
  ['!=', 'unequal'],
  ['<', 'less'],
  ['<=', 'atMost'],
  ['>', 'more'],
  ['>=', 'atLeast'],
  ['xpEq', 'equal'],
  ['xpNe', 'unequal'],
  ['xpLt', 'less'],
  ['xpLe', 'atMost'],
  ['xpGt', 'more'],
  ['xpGe', 'atLeast'],
  ['rcEq', 'equal'],
  ['rcNe', 'unequal'],
  ['rcLt', 'less'],
  ['rcLe', 'atMost'],
  ['rcGt', 'more'],
  ['rcGe', 'atLeast'],
])

/** Conversions, which say nothing to a reader. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'dyn',
  'xpNum',
  'xpText',
  'xpTrue',
  'xpTruth',
  'rcNum',
  'rcTrue',
  'double',
])

class Speaker {
  readonly #source: string
  readonly #fields: RuleFields
  readonly #words: RuleWords

  constructor(source: string, fields: RuleFields, words: RuleWords) {
    this.#source = source
    this.#fields = fields
    this.#words = words
  }

  said(node: ASTNode): string {
    const field = this.#field(node)
    if (field !== null) return `「${field.label}」`
    switch (node.op) {
      case 'value':
        return literal(node.args)
      case 'id':
        return node.args === 'today' || node.args === 'now' ? this.#words[node.args] : node.args
      case '&&':
      case '||':
        return this.#joined(node)
      case '!_':
        return fillSaying(this.#words.not, this.said(node.args))
      case '==':
      case '!=':
      case '<':
      case '<=':
      case '>':
      case '>=':
        return this.#compared(node.op, node.args[0], node.args[1])
      case 'in':
        return fillSaying(this.#words.chosen, this.said(node.args[1]), this.#coded(node.args[0], node.args[1]))
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return `(${this.said(node.args[0])} ${node.op} ${this.said(node.args[1])})`
      case 'call':
        return this.#call(node, node.args[0], node.args[1])
      case '-_':
      case '.':
      case '.?':
      case '[]':
      case '[?]':
      case '?:':
      case 'list':
      case 'map':
      case 'rcall':
        return this.#source.slice(node.start, node.end)
    }
  }

  #joined(node: Extract<ASTNode, { readonly op: '&&' | '||' }>): string {
    const parts: string[] = []
    let first: ASTNode = node
    for (; first.op === node.op; first = first.args[0]) parts.push(this.#side(first.args[1], node.op))
    const word = node.op === '&&' ? this.#words.and : this.#words.or
    return [this.#side(first, node.op), ...parts.toReversed()].join(` ${word} `)
  }

  /** Brackets only where two different words would stand side by side. */
  #side(node: ASTNode, within: '&&' | '||'): string {
    const isOther = (node.op === '&&' || node.op === '||') && node.op !== within
    return isOther ? `（${this.said(node)}）` : this.said(node)
  }

  #call(node: ASTNode, name: string, args: readonly ASTNode[]): string {
    const [first, second] = args
    if (COMPARISONS.has(name) && first !== undefined && second !== undefined) return this.#compared(name, first, second)
    if (CONVERSIONS.has(name) && first !== undefined) return this.said(first)
    if (name === 'has' && first !== undefined) return fillSaying(this.#words.filled, this.said(first))
    if (name === 'rcChecked' && first !== undefined && second !== undefined)
      return fillSaying(this.#words.chosen, this.said(first), this.#coded(second, first))
    const [list, code] = second?.op === 'list' ? second.args : []
    if (
      name === 'xpTest' &&
      first?.op === 'value' &&
      first.args === 'selected' &&
      list !== undefined &&
      code !== undefined
    )
      return fillSaying(this.#words.chosen, this.said(list), this.#coded(code, list))
    const inner = this.#source.slice(node.start, node.end)
    return args.length === 0
      ? inner
      : `${name.startsWith('xp') && first?.op === 'value' ? literal(first.args) : name}(${(second?.op === 'list' ? second.args : args).map((arg) => this.said(arg)).join(', ')})`
  }

  #compared(sign: string, left: ASTNode, right: ASTNode): string {
    const saying = COMPARISONS.get(sign) ?? 'equal'
    const isBlank = bare(right).op === 'value' && bare(right).args === ''
    if (isBlank && (saying === 'equal' || saying === 'unequal'))
      return fillSaying(this.#words[saying === 'equal' ? 'blank' : 'filled'], this.said(left))
    const inner = bare(left)
    // REDCap asks whether a box is ticked by comparing with 1.
    if (inner.op === 'call' && inner.args[0] === 'rcChecked' && saying === 'equal') return this.said(inner)
    return fillSaying(this.#words[saying], this.#coded(left, right), this.#coded(right, left))
  }

  /** A code with what it stands for in the field that it is compared with. */
  #coded(node: ASTNode, of: ASTNode): string {
    const value = bare(node)
    const text = value.op === 'value' ? String(value.args) : null
    const label = text === null ? undefined : this.#field(of)?.choices.get(text)
    return label === undefined || text === null ? this.said(node) : `${text} ${label}`
  }

  #field(node: ASTNode): RuleField | null {
    const at = bare(node)
    // A field of a row is read with a way out for a blank one.
    if (
      at.op === '?:' &&
      at.args[0].op === 'call' &&
      at.args[0].args[0] === 'has' &&
      at.args[0].args[1][0] !== undefined
    )
      return this.#field(at.args[0].args[1][0])
    const names: string[] = []
    let inner = at
    while (inner.op === '.') {
      names.push(inner.args[1])
      inner = inner.args[0]
    }
    return inner.op === 'id' && names.length > 0 ? this.#fields([inner.args, ...names.toReversed()]) : null
  }
}

function bare(node: ASTNode): ASTNode {
  let at = node
  while (at.op === 'call' && CONVERSIONS.has(at.args[0]) && at.args[1][0] !== undefined) at = at.args[1][0]
  return at
}

function fillSaying(saying: string, a: string, b = ''): string {
  return saying.replaceAll(/\{[ab]\}/g, (place) => (place === '{a}' ? a : b))
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : String(value)
}
