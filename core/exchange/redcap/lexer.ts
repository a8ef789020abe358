/** Splits a REDCap expression (branching logic or calculation) into tokens. */

export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'string'; readonly value: string; readonly at: number }
  /** What stands between brackets: `[age]`, `[race(2)]`, `[event_1]`. */
  | { readonly kind: 'reference'; readonly value: string; readonly at: number }
  | { readonly kind: 'name'; readonly value: string; readonly at: number }
  | { readonly kind: 'sign'; readonly value: Sign; readonly at: number }
  | { readonly kind: 'end'; readonly at: number }

export type Sign =
  | '('
  | ')'
  | ','
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'and'
  | 'or'
  | 'not'

/** Where and why a text is not an expression. */
export class ExpressionSyntaxError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Blanks and comments; those of a line begin with two slashes or a hash. */
const SKIPPED = /(?:\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*|#[^\n]*)/y
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const STRING = /"([^"]*)"|'([^']*)'/y
const REFERENCE = /\[([^[\]]*)\]/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const SIGN = /<>|!=|<=|>=|==|&&|\|\||[()+\-*/%^=<>,!]/y

const SIGN_OF: Readonly<Record<string, Sign>> = {
  '!=': '<>',
  '==': '=',
  '&&': 'and',
  '||': 'or',
  '!': 'not',
  eq: '=',
  ne: '<>',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
}
const WORD_SIGNS: readonly Sign[] = ['and', 'or', 'not']
const PLAIN_SIGNS: readonly Sign[] = ['(', ')', ',', '+', '-', '*', '/', '%', '^', '=', '<>', '<', '<=', '>', '>=']

/**
 * The tokens of an expression, an `end` last.
 *
 * @throws ExpressionSyntaxError at the first character that begins no token.
 */
export function tokenize(source: string): readonly Token[] {
  // Definitions that passed through a word processor carry its quotation marks and spaces.
  const text = source
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/\u00A0/g, ' ')
  const tokens: Token[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const skipped = take(SKIPPED)
    if (skipped !== null) {
      at += skipped[0].length
      continue
    }
    const match = take(NUMBER) ?? take(STRING) ?? take(REFERENCE) ?? take(NAME) ?? take(SIGN)
    if (match === null) throw new ExpressionSyntaxError(`no token begins with ${JSON.stringify(text[at])}`, at)
    tokens.push(tokenOf(match, at))
    at += match[0].length
  }
  tokens.push({ kind: 'end', at })
  return tokens
}

function tokenOf(match: RegExpExecArray, at: number): Token {
  const text = match[0]
  const first = text[0] ?? ''
  if (first === '"' || first === "'") return { kind: 'string', value: text.slice(1, -1), at }
  if (first === '[') return { kind: 'reference', value: text.slice(1, -1).trim(), at }
  if (/[\d.]/.test(first)) return { kind: 'number', value: Number(text), at }
  const word = text.toLowerCase()
  const sign = SIGN_OF[word] ?? WORD_SIGNS.find((item) => item === word) ?? PLAIN_SIGNS.find((item) => item === text)
  return sign === undefined ? { kind: 'name', value: word, at } : { kind: 'sign', value: sign, at }
}
