import type { XPathSign, XPathToken } from './lexer.ts'
import { XPathSyntaxError, tokenize } from './lexer.ts'

/**
 * Reads an XPath expression into a tree. Precedence, loosest first: or, and, = !=, order, + -, * div mod, unary minus.
 */

export type XPathExpression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  /** `${name}` of an XLSForm. */
  | { readonly kind: 'reference'; readonly name: string }
  /** Names of nodes and `..`; from the root, or from the node that the expression is of. */
  | { readonly kind: 'path'; readonly absolute: boolean; readonly steps: readonly string[] }
  | { readonly kind: 'minus'; readonly operand: XPathExpression }
  | XPathBinary
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly XPathExpression[] }

export interface XPathBinary {
  readonly kind: 'binary'
  readonly sign: XPathSign
  readonly left: XPathExpression
  readonly right: XPathExpression
}

const MAX_LENGTH = 20_000
/** Brackets within brackets. */
const MAX_DEPTH = 150

const LEVELS: readonly (readonly XPathSign[])[] = [
  ['or'],
  ['and'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', 'div', 'mod'],
]

/** The expression is longer or nested deeper than any that a person wrote. */
export class XPathTooComplexError extends Error {}

/** The expression asks for something that only a document of XML has: other instances, axes, nodes by a condition. */
export class XPathNodesError extends Error {
  readonly asksOtherForm: boolean
  constructor(asksOtherForm: boolean, detail: string) {
    super(detail)
    this.asksOtherForm = asksOtherForm
  }
}

/**
 * Reads one expression.
 *
 * @throws XPathSyntaxError with the offset; XPathTooComplexError; XPathNodesError
 */
export function parseXPath(source: string): XPathExpression {
  if (source.length > MAX_LENGTH) throw new XPathTooComplexError()
  const reader = new Reader(tokenize(source))
  const expression = reader.expression(0)
  reader.end()
  return expression
}

class Reader {
  readonly #tokens: readonly XPathToken[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly XPathToken[]) {
    this.#tokens = tokens
  }

  end(): void {
    const token = this.#peek()
    if (token.kind !== 'end') throw new XPathSyntaxError('unexpected text after the expression', token.at)
  }

  expression(level: number): XPathExpression {
    if (++this.#depth > MAX_DEPTH * (LEVELS.length + 1)) throw new XPathTooComplexError()
    const result = this.#level(level)
    this.#depth -= 1
    return result
  }

  #level(level: number): XPathExpression {
    const signs = LEVELS[level]
    if (signs === undefined) return this.#unary()
    let left = this.expression(level + 1)
    for (let sign = this.#sign(signs); sign !== null; sign = this.#sign(signs)) {
      left = { kind: 'binary', sign, left, right: this.expression(level + 1) }
    }
    return left
  }

  #unary(): XPathExpression {
    if (this.#sign(['-']) !== null) return { kind: 'minus', operand: this.expression(LEVELS.length) }
    return this.#primary()
  }

  #primary(): XPathExpression {
    const token = this.#peek()
    this.#next += 1
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: token.value }
      case 'string':
        return { kind: 'string', value: token.value }
      case 'reference':
        return this.#alone({ kind: 'reference', name: token.value })
      case 'name':
        return this.#mark('(') ? this.#call(token.value) : this.#path(false, [token.value])
      case 'mark':
        return this.#marked(token.value, token.at)
      case 'sign':
      case 'end':
        throw new XPathSyntaxError('a value is missing', token.at)
    }
  }

  #marked(mark: string, at: number): XPathExpression {
    switch (mark) {
      case '(': {
        const inner = this.expression(0)
        if (!this.#mark(')')) throw new XPathSyntaxError('a closing bracket is missing', this.#peek().at)
        return this.#alone(inner)
      }
      case '/':
        return this.#path(true, [this.#step()])
      case '.':
        return this.#path(false, [])
      case '..':
        return this.#path(false, ['..'])
      case '//':
      case '@':
      case '*':
        throw new XPathNodesError(false, mark)
      default:
        throw new XPathSyntaxError('a value is missing', at)
    }
  }

  #call(name: string): XPathExpression {
    const args: XPathExpression[] = []
    if (!this.#mark(')')) {
      do args.push(this.expression(0))
      while (this.#mark(','))
      if (!this.#mark(')')) throw new XPathSyntaxError('a closing bracket is missing', this.#peek().at)
    }
    if (name === 'current' && args.length === 0) return this.#path(false, [])
    if (name === 'instance') throw new XPathNodesError(true, 'instance()')
    return this.#alone({ kind: 'call', name, args })
  }

  #path(absolute: boolean, first: readonly string[]): XPathExpression {
    const steps = [...first]
    while (this.#mark('/')) {
      if (this.#mark('.')) continue
      steps.push(this.#step())
    }
    return this.#alone({ kind: 'path', absolute, steps })
  }

  #step(): string {
    const token = this.#peek()
    this.#next += 1
    if (token.kind === 'name') return token.value.slice(token.value.indexOf(':') + 1)
    if (token.kind === 'mark' && token.value === '..') return '..'
    throw new XPathNodesError(false, 'path')
  }

  /** A value that no condition and no further step follows. */
  #alone(expression: XPathExpression): XPathExpression {
    const token = this.#peek()
    if (token.kind === 'mark' && ['[', '/', '//', '::', '|', '@'].includes(token.value))
      throw new XPathNodesError(false, token.value)
    return expression
  }

  #sign(signs: readonly XPathSign[]): XPathSign | null {
    const token = this.#peek()
    if (token.kind !== 'sign' || !signs.includes(token.value)) return null
    this.#next += 1
    return token.value
  }

  #mark(mark: string): boolean {
    const token = this.#peek()
    if (token.kind !== 'mark' || token.value !== mark) return false
    this.#next += 1
    return true
  }

  #peek(): XPathToken {
    return this.#tokens[this.#next] ?? { kind: 'end', at: -1 }
  }
}
