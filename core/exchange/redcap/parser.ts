import type { Sign, Token } from './lexer.ts'
import { ExpressionSyntaxError, tokenize } from './lexer.ts'

/**
 * Reads a REDCap expression into a tree. Precedence, loosest first: or, and, not, comparison, + -, * / %, unary minus,
 * ^.
 */

export type BinarySign = Exclude<Sign, '(' | ')' | ',' | 'not'>

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  /** The texts of adjoining brackets: `[event][field]` has two parts. */
  | { readonly kind: 'reference'; readonly parts: readonly string[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'minus'; readonly operand: Expression }
  | BinaryExpression
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }

export interface BinaryExpression {
  readonly kind: 'binary'
  readonly sign: BinarySign
  readonly left: Expression
  readonly right: Expression
}

const MAX_LENGTH = 20_000
/** Brackets within brackets. REDCap itself gives up at about 80 nested `if`s. */
const MAX_DEPTH = 200

/** Binary operators by how tightly they bind; all but `^` associate to the left. */
const LEVELS: readonly (readonly BinarySign[])[] = [
  ['or'],
  ['and'],
  ['=', '<>', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]
const NOT_LEVEL = 2

/** The expression is longer or nested deeper than any that a person wrote. */
export class ExpressionTooComplexError extends Error {}

/**
 * Reads one expression.
 *
 * @throws ExpressionSyntaxError with the offset; ExpressionTooComplexError.
 */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_LENGTH) throw new ExpressionTooComplexError()
  return parseTokens(tokenize(source))
}

/**
 * Reads the tokens of one expression, an `end` last: those of another language that has the same order of operators
 * too.
 *
 * @throws ExpressionSyntaxError with the offset; ExpressionTooComplexError.
 */
export function parseTokens(tokens: readonly Token[]): Expression {
  if (tokens.length > MAX_LENGTH) throw new ExpressionTooComplexError()
  const reader = new Reader(tokens)
  const expression = reader.expression(0)
  reader.end()
  return expression
}

class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  end(): void {
    if (this.#peek().kind !== 'end') this.#fail('unexpected text after the expression')
  }

  expression(level: number): Expression {
    if (++this.#depth > MAX_DEPTH * (LEVELS.length + 1)) throw new ExpressionTooComplexError()
    const result = this.#level(level)
    this.#depth -= 1
    return result
  }

  #level(level: number): Expression {
    if (level === NOT_LEVEL && this.#accept('not')) return { kind: 'not', operand: this.expression(NOT_LEVEL) }
    const signs = LEVELS[level]
    if (signs === undefined) return this.#unary()
    let left = this.expression(level + 1)
    for (let sign = this.#acceptOne(signs); sign !== null; sign = this.#acceptOne(signs)) {
      left = { kind: 'binary', sign, left, right: this.expression(level + 1) }
    }
    return left
  }

  #unary(): Expression {
    if (this.#accept('-')) return { kind: 'minus', operand: this.expression(LEVELS.length) }
    if (this.#accept('+')) return this.expression(LEVELS.length)
    const base = this.#primary()
    return this.#accept('^') ? { kind: 'binary', sign: '^', left: base, right: this.expression(LEVELS.length) } : base
  }

  #primary(): Expression {
    const token = this.#peek()
    this.#next += 1
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: token.value }
      case 'string':
        return { kind: 'string', value: token.value }
      case 'reference':
        return this.#reference(token.value)
      case 'name':
        return this.#call(token.value)
      case 'sign':
        if (token.value === '(') return this.#closed(this.expression(0))
        // `not(…)` may stand where a value is asked for.
        if (token.value === 'not') return { kind: 'not', operand: this.expression(NOT_LEVEL) }
        break
      case 'end':
        break
    }
    throw new ExpressionSyntaxError('a value is missing', token.at)
  }

  #reference(first: string): Expression {
    const parts = [first]
    for (let token = this.#peek(); token.kind === 'reference'; token = this.#peek()) {
      parts.push(token.value)
      this.#next += 1
    }
    return { kind: 'reference', parts }
  }

  #call(name: string): Expression {
    // Only `datediff` takes these, as its last argument.
    if (name === 'true' || name === 'false') return { kind: 'string', value: name }
    if (!this.#accept('(')) this.#fail(`'${name}' is not a function call`)
    const args: Expression[] = []
    if (this.#accept(')')) return { kind: 'call', name, args }
    do args.push(this.expression(0))
    while (this.#accept(','))
    return this.#closed({ kind: 'call', name, args })
  }

  #closed(expression: Expression): Expression {
    if (!this.#accept(')')) this.#fail('a closing bracket is missing')
    return expression
  }

  #accept(sign: Sign): boolean {
    return this.#acceptOne([sign]) !== null
  }

  #acceptOne<S extends Sign>(signs: readonly S[]): S | null {
    const token = this.#peek()
    const found = token.kind === 'sign' ? signs.find((sign) => sign === token.value) : undefined
    if (found === undefined) return null
    this.#next += 1
    return found
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', at: -1 }
  }

  #fail(message: string): never {
    throw new ExpressionSyntaxError(message, this.#peek().at)
  }
}
