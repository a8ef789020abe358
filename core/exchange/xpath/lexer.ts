/** Splits an XPath expression of an XForm, or of an XLSForm with its `${name}`, into tokens. */

export type XPathSign = 'or' | 'and' | '=' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | 'div' | 'mod'

export type XPathToken =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'string'; readonly value: string; readonly at: number }
  /** `${name}` of an XLSForm. */
  | { readonly kind: 'reference'; readonly value: string; readonly at: number }
  /** Name of a node or of a function, without its prefix where it has none of meaning. */
  | { readonly kind: 'name'; readonly value: string; readonly at: number }
  | { readonly kind: 'sign'; readonly value: XPathSign; readonly at: number }
  | {
      readonly kind: 'mark'
      readonly value: '(' | ')' | ',' | '/' | '//' | '[' | ']' | '.' | '..' | '@' | '|' | '*' | '::'
      readonly at: number
    }
  | { readonly kind: 'end'; readonly at: number }

/** Where and why a text is no expression. */
export class XPathSyntaxError extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const BLANK = /\s+/y
const NUMBER = /(?:\d+\.?\d*|\.\d+)/y
const STRING = /"([^"]*)"|'([^']*)'/y
const REFERENCE = /\$\{\s*(?:last-saved#)?([^{}\s]+)\s*\}/y
const NAME = /[\p{L}_][\p{L}\p{N}_.-]*(?::(?!:)[\p{L}_][\p{L}\p{N}_.-]*)?/uy
const PLAIN = /<=|>=|!=|::|\/\/|\.\.|[=<>+\-*()/,[\].@|]/y
const SIGNS: readonly XPathSign[] = ['or', 'and', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', 'div', 'mod']
const MARKS = ['(', ')', ',', '/', '//', '[', ']', '.', '..', '@', '|', '::'] as const
const WORDS: readonly XPathSign[] = ['or', 'and', 'div', 'mod']

/**
 * The tokens of an expression, an `end` last.
 *
 * @throws XPathSyntaxError at the first character that begins no token
 */
export function tokenize(source: string): readonly XPathToken[] {
  // Definitions that passed through a word processor carry its quotation marks and spaces.
  const text = source
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201C\u201D]/g, '"')
    .replace(/\u00A0/g, ' ')
  const tokens: XPathToken[] = []
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  while (at < text.length) {
    const blank = take(BLANK)
    if (blank !== null) {
      at += blank.length
      continue
    }
    const token = tokenAt(text, at, take, isOperand(tokens.at(-1)))
    if (token === null) throw new XPathSyntaxError(`no token begins with ${JSON.stringify(text[at])}`, at)
    tokens.push(token.token)
    at += token.length
  }
  tokens.push({ kind: 'end', at })
  return tokens
}

/** Whether a value ends with a token: then `*`, `div`, `and` and their like are signs, else they are names. */
function isOperand(token: XPathToken | undefined): boolean {
  if (token === undefined || token.kind === 'sign') return false
  return token.kind !== 'mark' || [')', ']', '.', '..', '*'].includes(token.value)
}

function tokenAt(
  text: string,
  at: number,
  take: (pattern: RegExp) => string | null,
  isAfterOperand: boolean,
): { readonly token: XPathToken; readonly length: number } | null {
  const number = take(NUMBER)
  if (number !== null) return { token: { kind: 'number', value: Number(number), at }, length: number.length }
  const string = take(STRING)
  if (string !== null) return { token: { kind: 'string', value: string.slice(1, -1), at }, length: string.length }
  if (text[at] === '$') {
    REFERENCE.lastIndex = at
    const match = REFERENCE.exec(text)
    return match === null ? null : { token: { kind: 'reference', value: match[1] ?? '', at }, length: match[0].length }
  }
  const name = take(NAME)
  if (name !== null) {
    const word = isAfterOperand ? WORDS.find((item) => item === name) : undefined
    return {
      token: word === undefined ? { kind: 'name', value: name, at } : { kind: 'sign', value: word, at },
      length: name.length,
    }
  }
  const plain = take(PLAIN)
  if (plain === null) return null
  if (plain === '*' && !isAfterOperand) return { token: { kind: 'mark', value: '*', at }, length: 1 }
  const sign = SIGNS.find((item) => item === plain)
  const mark = MARKS.find((item) => item === plain)
  if (sign !== undefined) return { token: { kind: 'sign', value: sign, at }, length: plain.length }
  return mark === undefined ? null : { token: { kind: 'mark', value: mark, at }, length: plain.length }
}
