import type { Sign, Token } from '#core/exchange/redcap/lexer.ts'
import { ExpressionSyntaxError } from '#core/exchange/redcap/lexer.ts'
import type { Expression } from '#core/exchange/redcap/parser.ts'
import { ExpressionTooComplexError, parseTokens } from '#core/exchange/redcap/parser.ts'

/**
 * Reads expressions of two languages that ODM files carry: that of OpenEDC, and the part of XPath that the examples of
 * CDISC use. Both have the operators of REDCap logic in the same order, and become its tree; fields are named by where
 * their names stand in `names`.
 */

export type FormulaLanguage = 'openedc' | 'xpath'

export interface Formula {
  readonly expression: Expression
  /** What the references `f0`, `f1` … mean: OIDs, from the item upwards. */
  readonly names: readonly FieldName[]
}

/** An item, and the groups, forms and events around it as far as the expression names them, from the inside out. */
export interface FieldName {
  readonly item: string
  readonly within: readonly string[]
}

const MAX_LENGTH = 20_000

const BLANK = /\s+/y
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const STRING = /"([^"]*)"|'([^']*)'/y

/** A name with points in it, and further ones of a path, each after a hyphen without blanks. */
const OPENEDC_NAME = /[A-Za-z_][A-Za-z0-9_.]*(?:-[A-Za-z_][A-Za-z0-9_.]*)*/y
const OPENEDC_SIGN = /==|!=|<=|>=|&&|\|\||[()+\-*/%^<>,!]/y
const OPENEDC_SIGNS: Readonly<Record<string, Sign>> = {
  '==': '=',
  '!=': '<>',
  '&&': 'and',
  '||': 'or',
  '!': 'not',
  and: 'and',
  or: 'or',
  AND: 'and',
  OR: 'or',
  not: 'not',
}
/** By its names here; what treats a blank as a value there has no place, as then a calculation has no result. */
const OPENEDC_FUNCTIONS: Readonly<Record<string, string>> = {
  abs: 'abs',
  sqrt: 'sqrt',
  exp: 'exponential',
  ln: 'log',
  if: 'if',
  min: 'min',
  max: 'max',
  roundTo: 'round',
  round: 'round',
}

/** Steps to an item: up, down, and through named groups, forms and events. */
const XPATH_STEP =
  /\.\.?\/|\/\/?|(?:ItemGroupData|FormData|StudyEventData)\/|(ItemData|ItemGroupData|FormData|StudyEventData)\[\s*@(?:Item|ItemGroup|Form|StudyEvent)OID\s*=\s*(?:"([^"]{1,300})"|'([^']{1,300})')\s*\](?:\/(?:@Value|Value))?/y
/** Of an item, whether it has a value: `[@Value='false']`. */
const XPATH_TEST = /\s*\[\s*(?:@Value|Value)\s*(!?=)\s*(?:"([^"]*)"|'([^']*)')\s*\]/y
const XPATH_NAME = /[A-Za-z_][A-Za-z0-9_-]*/y
const XPATH_SIGN = /!=|<=|>=|[()+\-*=<>,]/y
const XPATH_SIGNS: Readonly<Record<string, Sign>> = { '!=': '<>', and: 'and', or: 'or', div: '/', mod: '%', not: 'not' }
const XPATH_FUNCTIONS: Readonly<Record<string, string>> = {
  contains: 'contains',
  'starts-with': 'starts_with',
  'string-length': 'length',
  concat: 'concat',
}

/**
 * Reads one expression.
 *
 * @throws ExpressionSyntaxError with the offset; ExpressionTooComplexError.
 */
export function parseFormula(source: string, language: FormulaLanguage): Formula {
  if (source.length > MAX_LENGTH) throw new ExpressionTooComplexError()
  const lexer = new Lexer(source, language)
  const tokens = lexer.tokens()
  return { expression: parseTokens(bracketNot(tokens)), names: lexer.names }
}

class Lexer {
  readonly names: FieldName[] = []
  readonly #text: string
  readonly #language: FormulaLanguage
  #at = 0
  /** Tokens of a step that is more than one. */
  readonly #waiting: Token[] = []

  constructor(text: string, language: FormulaLanguage) {
    this.#text = text
    this.#language = language
  }

  tokens(): readonly Token[] {
    const tokens: Token[] = []
    for (let token = this.#next(); token !== null; token = this.#next()) tokens.push(token)
    return [...tokens, { kind: 'end', at: this.#at }]
  }

  #next(): Token | null {
    const waiting = this.#waiting.shift()
    if (waiting !== undefined) return waiting
    this.#take(BLANK)
    if (this.#at >= this.#text.length) return null
    const at = this.#at
    const string = this.#take(STRING)
    if (string !== null) return { kind: 'string', value: string[1] ?? string[2] ?? '', at }
    const number = this.#take(NUMBER)
    if (number !== null) return { kind: 'number', value: Number(number[0]), at }
    const token = this.#language === 'openedc' ? this.#openEdc(at) : this.#xpath(at)
    if (token === null) throw new ExpressionSyntaxError(`no token begins with ${JSON.stringify(this.#text[at])}`, at)
    return token
  }

  #openEdc(at: number): Token | null {
    const name = this.#take(OPENEDC_NAME)?.[0]
    if (name === undefined) return this.#sign(at, OPENEDC_SIGN, OPENEDC_SIGNS)
    const sign = OPENEDC_SIGNS[name]
    if (sign !== undefined) return { kind: 'sign', value: sign, at }
    if (this.#isCall()) return { kind: 'name', value: OPENEDC_FUNCTIONS[name] ?? `openedc ${name}`, at }
    const [item = '', ...within] = name.split('-').toReversed()
    return this.#reference({ item, within }, at)
  }

  #xpath(at: number): Token | null {
    const path = this.#path()
    if (path !== null) return this.#tested(this.#reference(path, at), at)
    this.#at = at
    const name = this.#take(XPATH_NAME)?.[0]
    if (name === undefined) return this.#sign(at, XPATH_SIGN, XPATH_SIGNS)
    const sign = XPATH_SIGNS[name]
    if (sign !== undefined) return { kind: 'sign', value: sign, at }
    return this.#isCall() ? { kind: 'name', value: XPATH_FUNCTIONS[name] ?? `xpath ${name}`, at } : null
  }

  /** A path that ends at an item; null where there is none. */
  #path(): FieldName | null {
    const oids: string[] = []
    let last: string | null = null
    for (let step = this.#take(XPATH_STEP); step !== null; step = this.#take(XPATH_STEP)) {
      if (step[1] === undefined) continue
      last = step[1]
      oids.push(step[2] ?? step[3] ?? '')
      if (last === 'ItemData') break
    }
    const [item = '', ...within] = oids.toReversed()
    return last === 'ItemData' ? { item, within } : null
  }

  /** An item with a test of its value in brackets is there where it has that value; one that is blank is not there. */
  #tested(reference: Token, at: number): Token {
    const test = this.#take(XPATH_TEST)
    if (test === null) return reference
    const value: Token = { kind: 'string', value: test[2] ?? test[3] ?? '', at }
    const sign = (sign: Sign): Token => ({ kind: 'sign', value: sign, at })
    const isThere = [reference, sign('<>'), { kind: 'string', value: '', at } as const, sign('and')]
    this.#waiting.push(
      ...(test[1] === '!=' ? isThere : []),
      reference,
      sign(test[1] === '!=' ? '<>' : '='),
      value,
      sign(')'),
    )
    return sign('(')
  }

  #reference(name: FieldName, at: number): Token {
    this.names.push(name)
    return { kind: 'reference', value: `f${this.names.length - 1}`, at }
  }

  #sign(at: number, pattern: RegExp, signs: Readonly<Record<string, Sign>>): Token | null {
    const text = this.#take(pattern)?.[0]
    if (text === undefined) return null
    const sign = signs[text] ?? PLAIN_SIGNS.find((one) => one === text)
    return sign === undefined ? null : { kind: 'sign', value: sign, at }
  }

  #isCall(): boolean {
    return /^\s*\(/.test(this.#text.slice(this.#at, this.#at + 20))
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match !== null) this.#at = pattern.lastIndex
    return match
  }
}

const PLAIN_SIGNS: readonly Sign[] = ['(', ')', ',', '+', '-', '*', '/', '%', '^', '=', '<', '<=', '>', '>=']

/**
 * `not` binds to what follows it directly, where REDCap's takes all up to the next `and`: it gets brackets of its own.
 */
function bracketNot(tokens: readonly Token[]): readonly Token[] {
  const written: Token[] = []
  /** Depths of brackets at which a bracket of ours is still open. */
  const waiting: number[] = []
  let depth = 0
  const close = (at: number) => {
    while (waiting.at(-1) === depth) {
      waiting.pop()
      written.push({ kind: 'sign', value: ')', at })
    }
  }
  for (const token of tokens) {
    if (token.kind === 'sign' && token.value === 'not') {
      written.push({ kind: 'sign', value: '(', at: token.at }, token)
      waiting.push(depth)
      continue
    }
    written.push(token)
    if (token.kind === 'sign' && token.value === '(') depth += 1
    else if (token.kind === 'sign' && token.value === ')') {
      depth -= 1
      close(token.at)
    } else if (token.kind !== 'sign' && token.kind !== 'name') close(token.at)
  }
  return written
}
