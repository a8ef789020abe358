import type { ASTNode } from '@marcbachmann/cel-js'
import { ParseError, parse } from '@marcbachmann/cel-js'
import type { Column } from '#core/form/definition/column.ts'
import { namesOf } from '#core/rules/reads.ts'
import { parseDate } from '#core/values/dates.ts'
import { numberFromText } from '#core/values/numberText.ts'

/**
 * Writes a rule that came from REDCap as XPath of an XLSForm, where the two say the same of every value and of a blank.
 * REDCap compares numbers wherever both sides are one, whatever the field; XPath does so by the kind of the field. So
 * the field decides whether a comparison has words.
 */

/** How fields are named in the form, and what they are. */
export interface RedcapNames {
  /** @param page null for the page of the rule */
  field(page: string | null, prop: string): string | null
  columnOf(page: string | null, prop: string): Column | null
}

/** The XPath of a rule that is true or false; null where XPath has no words for it. */
export function writeRedcapTest(cel: string, names: RedcapNames): string | null {
  return attempt(cel, (node) => new RedcapWriter(names).test(node))
}

/** The XPath of a calculation. */
export function writeRedcapValue(cel: string, names: RedcapNames): string | null {
  return attempt(cel, (node) => new RedcapWriter(names).value(node).text)
}

/** What an expression gives. `codes` are those of one choice, `many` of several; `blank` is the empty text. */
type Kind = 'number' | 'maybe-number' | 'codes' | 'many' | 'date' | 'text' | 'truth' | 'blank'

interface Written {
  readonly text: string
  readonly kind: Kind
  /** A field: then it is '' where it is blank, and no number that is none. */
  readonly column?: Column
  /** A constant. */
  readonly constant?: string
}

class Unwritable extends Error {}

/** Longest rule: what a spreadsheet takes in a cell. */
const MAX_LENGTH = 20_000

function attempt(cel: string, write: (node: ASTNode) => string): string | null {
  try {
    const text = write(parse(cel).ast)
    return text.length > MAX_LENGTH ? null : text
  } catch (error) {
    if (error instanceof Unwritable || error instanceof ParseError) return null
    throw error
  }
}

const EQUALS: ReadonlyMap<string, string> = new Map([
  ['rcEq', '='],
  ['rcNe', '!='],
])
const ORDERS: ReadonlyMap<string, string> = new Map([
  ['rcLt', '<'],
  ['rcLe', '<='],
  ['rcGt', '>'],
  ['rcGe', '>='],
])
const ARITHMETIC: ReadonlyMap<string, string> = new Map([
  ['+', '+'],
  ['-', '-'],
  ['*', '*'],
  ['/', 'div'],
  ['%', 'mod'],
])
/** Functions of one number with a name of their own there. */
const OF_NUMBER: ReadonlyMap<string, string> = new Map([
  ['abs', 'abs'],
  ['sqrt', 'sqrt'],
  ['exp', 'exp'],
  ['ln', 'log'],
])
/** Days of a unit of time, as REDCap counts them. */
const DAYS: ReadonlyMap<string, string | null> = new Map([
  ['d', null],
  ['M', '30.44'],
  ['y', '365.2425'],
])
const PARTS: ReadonlyMap<string, string> = new Map([
  ['year', '%Y'],
  ['month', '%n'],
  ['day', '%e'],
])

class RedcapWriter {
  readonly #names: RedcapNames

  constructor(names: RedcapNames) {
    this.#names = names
  }

  test(node: ASTNode): string {
    if (node.op === '&&' || node.op === '||')
      return `(${this.#chain(node, node.op).join(node.op === '&&' ? ' and ' : ' or ')})`
    if (node.op === '!_') return `not(${this.test(node.args)})`
    if (node.op === 'value' && typeof node.args === 'boolean') return `${node.args}()`
    if (node.op === '?:')
      return `if(${this.test(node.args[0])}, ${this.test(node.args[1])}, ${this.test(node.args[2])})`
    if (node.op === 'call') return this.#testCall(node.args[0], node.args[1])
    throw new Unwritable()
  }

  value(node: ASTNode): Written {
    const field = this.#field(node)
    if (field !== null) return field
    if (node.op === 'value') return constantOf(node.args)
    if (node.op === 'id' && node.args === 'today') return { text: 'today()', kind: 'date' }
    if (node.op === '-_') return number(`-(${this.#number(node.args)})`)
    if (node.op === '+' || node.op === '-' || node.op === '*' || node.op === '/' || node.op === '%') {
      return number(`(${this.#number(node.args[0])} ${ARITHMETIC.get(node.op) ?? ''} ${this.#number(node.args[1])})`)
    }
    if (node.op === '?:') return this.#choice(node.args)
    if (node.op === 'call') return this.#call(node.args[0], node.args[1])
    throw new Unwritable()
  }

  /** The sides of a row of the same sign: a rule of many codes is no deep one. */
  #chain(node: ASTNode, op: '&&' | '||'): readonly string[] {
    const sides: string[] = []
    let first = node
    while (first.op === op) {
      const [left, right]: readonly [ASTNode, ASTNode] = first.args
      sides.push(this.test(right))
      first = left
    }
    return [this.test(first), ...sides.toReversed()]
  }

  #testCall(name: string, [first, second]: readonly ASTNode[]): string {
    if (first === undefined) throw new Unwritable()
    if (name === 'dyn') return this.test(first)
    if (name === 'rcTrue') return isTrue(this.value(first))
    if (second === undefined) throw new Unwritable()
    const sign = EQUALS.get(name)
    if (sign !== undefined)
      return this.#checked(first, second, sign) ?? equal(this.value(first), this.value(second), sign)
    const order = ORDERS.get(name)
    if (order !== undefined) return writeOrder(this.value(first), this.value(second), order)
    throw new Unwritable()
  }

  /** A box of a field of several, compared with ticked or not. */
  #checked(first: ASTNode, second: ASTNode, sign: string): string | null {
    const box = first.op === 'call' && first.args[0] === 'rcChecked' ? this.#box(first.args[1]) : null
    const state = second.op === 'value' || second.op === 'call' ? this.value(second).constant : undefined
    if (box === null || (state !== '1' && state !== '0')) return null
    return (state === '1') === (sign === '=') ? box : `not(${box})`
  }

  #box([field, code]: readonly ASTNode[]): string {
    const many = field === undefined ? null : this.#field(field)
    if (
      many === null ||
      (many.kind !== 'many' && many.kind !== 'codes') ||
      code?.op !== 'value' ||
      typeof code.args !== 'string' ||
      /\s/.test(code.args) ||
      code.args === ''
    )
      throw new Unwritable()
    return `selected(${many.text}, ${quoteText(code.args)})`
  }

  #number(node: ASTNode): string {
    const written = this.value(node)
    if (written.kind === 'number' || written.kind === 'maybe-number') return written.text
    if (written.kind === 'codes' || written.kind === 'text') return `number(${written.text})`
    throw new Unwritable()
  }

  #choice([condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode]): Written {
    const [first, second] = [this.value(yes), this.value(no)]
    const isNumeric = ({ kind, constant = '' }: Written) =>
      kind === 'number' ||
      kind === 'maybe-number' ||
      kind === 'blank' ||
      (kind === 'text' && numberOf(constant) !== null)
    const kind = isNumeric(first) && isNumeric(second) ? 'maybe-number' : 'text'
    if ([first, second].some((one) => one.kind === 'many' || one.kind === 'truth')) throw new Unwritable()
    return { text: `if(${this.test(condition)}, ${first.text}, ${second.text})`, kind }
  }

  #call(name: string, args: readonly ASTNode[]): Written {
    const [first, second, third, fourth] = args
    if (first === undefined) throw new Unwritable()
    if (name === 'dyn') return this.value(first)
    if (name === 'double' && first.op === 'value' && typeof first.args === 'string')
      return constantOf(Number(first.args))
    if (name === 'rcNum') return this.#asNumber(first)
    const plain = OF_NUMBER.get(name)
    if (plain !== undefined && second === undefined) return number(`${plain}(${this.#number(first)})`)
    if (name === 'pow' && second !== undefined) return number(`pow(${this.#number(first)}, ${this.#number(second)})`)
    if (name === 'rcRound' && second !== undefined) return this.#rounded(first, second)
    if ((name === 'rcSum' || name === 'rcMean') && first.op === 'list')
      return this.#summed(first.args, name === 'rcMean')
    if (name === 'rcConcat' && first.op === 'list')
      return { text: `concat(${first.args.map((one) => this.#text(one)).join(', ')})`, kind: 'text' }
    if (name === 'rcLength') return number(`string-length(${this.#text(first)})`)
    if (name === 'rcChecked') return { text: `if(${this.#box(args)}, 1, 0)`, kind: 'number' }
    if (name === 'rcDatediff' && second !== undefined && third?.op === 'value' && fourth?.op === 'value')
      return this.#difference(first, second, String(third.args), fourth.args === true)
    if (name === 'rcPart' && second?.op === 'value') {
      const format = PARTS.get(String(second.args))
      if (format !== undefined) return number(`number(format-date(${this.#date(first)}, '${format}'))`)
    }
    throw new Unwritable()
  }

  /** A truth counts 1 or 0. */
  #asNumber(node: ASTNode): Written {
    const isTest =
      node.op === '!_' ||
      node.op === '&&' ||
      node.op === '||' ||
      (node.op === 'call' && (EQUALS.has(node.args[0]) || ORDERS.has(node.args[0]) || node.args[0] === 'rcTrue'))
    return number(isTest ? `number(${this.test(node)})` : `number(${this.#number(node)})`)
  }

  /** Halves go away from zero there, and upwards in XPath. */
  #rounded(value: ASTNode, digits: ASTNode): Written {
    const [text, places] = [this.#number(value), this.value(digits)]
    if (!/^\d{1,2}$/.test(places.constant ?? '')) throw new Unwritable()
    return number(`if(${text} < 0, -(round(-(${text}), ${places.text})), round(${text}, ${places.text}))`)
  }

  /** Blanks are left out, and of blanks alone there is no sum. */
  #summed(list: readonly ASTNode[], isMean: boolean): Written {
    const parts = list.map((node) => this.value(node))
    if (!parts.every(({ kind, column }) => column !== undefined && kind === 'number')) throw new Unwritable()
    const texts = parts.map(({ text }) => text)
    const sum = texts.map((text) => `coalesce(${text}, 0)`).join(' + ')
    const count = texts.map((text) => `if(${text} = '', 0, 1)`).join(' + ')
    return {
      text: `if(concat(${texts.join(', ')}) = '', '', ${isMean ? `(${sum}) div (${count})` : sum})`,
      kind: 'maybe-number',
    }
  }

  #text(node: ASTNode): string {
    const { kind, text } = this.value(node)
    if (kind === 'many' || kind === 'truth') throw new Unwritable()
    return text
  }

  #difference(from: ASTNode, to: ASTNode, unit: string, signed: boolean): Written {
    const days = DAYS.get(unit)
    if (days === undefined) throw new Unwritable()
    const span = `(${this.#date(to)} - ${this.#date(from)})`
    const written = signed ? span : `abs${span}`
    return number(days === null ? written : `(${written} div ${days})`)
  }

  #date(node: ASTNode): string {
    const written = this.value(node)
    if (written.constant !== undefined && parseDate(written.constant) !== null) return `date('${written.constant}')`
    if (written.kind !== 'date') throw new Unwritable()
    return written.text
  }

  #field(node: ASTNode): Written | null {
    const [variable, ...path] = namesOf(node)
    const [first = '', second = ''] = path
    const isHere = variable === 'rc' && path.length === 1
    if (!isHere && (variable !== 'rcVisit' || path.length !== 2)) return null
    const [page, prop] = isHere ? [null, first] : [first, second]
    const [name, column] = [this.#names.field(page, prop), this.#names.columnOf(page, prop)]
    if (name === null || column === null) throw new Unwritable()
    return { text: `\${${name}}`, kind: kindOf(column), column }
  }
}

function number(text: string): Written {
  return { text, kind: 'number' }
}

function kindOf({ type, dicData = [], zl = {} }: Column): Kind {
  if (type === 'number' || type === 'slider') return 'number'
  if (type === 'radio' || type === 'select') return dicData.length === 0 ? 'text' : 'codes'
  if (type === 'checkbox') return 'many'
  if (type === 'input' || type === 'textarea') return 'text'
  if (type === 'date' && zl.partial === undefined) return 'date'
  throw new Unwritable()
}

function constantOf(value: unknown): Written {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value)
    if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Unwritable()
    return { text, kind: 'number', constant: text }
  }
  if (typeof value !== 'string') throw new Unwritable()
  return { text: quoteText(value), kind: value === '' ? 'blank' : 'text', constant: value }
}

function quoteText(text: string): string {
  if (!text.includes("'")) return `'${text}'`
  if (!text.includes('"')) return `"${text}"`
  // XPath has no way to write both quotation marks in one text.
  throw new Unwritable()
}

function numberOf(text: string): number | null {
  return text === '' ? null : numberFromText(text)
}

function isTrue({ kind, text, column }: Written): string {
  if (column !== undefined && kind !== 'many' && kind !== 'date') return `(${text} != '' and ${text} != 0)`
  if (kind === 'number') return `boolean(${text})`
  if (kind === 'maybe-number') return `boolean(number(${text}))`
  throw new Unwritable()
}

function equal(a: Written, b: Written, sign: string): string {
  if (a.constant !== undefined && b.constant === undefined) return equal(b, a, sign)
  const { constant } = b
  if (constant === undefined) {
    // Numbers of two fields; a blank is equal to a blank.
    if (a.column === undefined || b.column === undefined || a.kind !== 'number' || b.kind !== 'number')
      throw new Unwritable()
    return `(${a.text} ${sign} ${b.text})`
  }
  if (b.kind === 'blank') {
    if (a.column === undefined && a.kind !== 'maybe-number' && a.kind !== 'text') throw new Unwritable()
    return `(${a.text} ${sign} '')`
  }
  if (a.kind === 'many') throw new Unwritable()
  const figure = numberOf(constant)
  if (figure === null) {
    if (a.kind !== 'codes' && a.kind !== 'text' && a.kind !== 'date') throw new Unwritable()
    return `(${a.text} ${sign} ${quoteText(constant)})`
  }
  if (a.kind === 'date') throw new Unwritable()
  // A code that is written as the choice is compared as text, unless another choice is the same number.
  const twins = (a.column?.dicData ?? []).filter(({ value }) => numberOf(String(value)) === figure)
  if (a.kind === 'codes' && twins.length === 1 && String(twins[0]?.value) === constant)
    return `(${a.text} ${sign} ${quoteText(constant)})`
  return `(${a.text} ${sign} ${constantOf(figure).text})`
}

function writeOrder(a: Written, b: Written, sign: string): string {
  const [left, right] = [comparable(a), comparable(b)]
  if (left.of !== right.of) throw new Unwritable()
  return `(${left.text} ${sign} ${right.text})`
}

/** A side of an order: a number, or a day. Texts have an order there and none in XPath. */
function comparable({ kind, text, column, constant }: Written): {
  readonly of: 'number' | 'date'
  readonly text: string
} {
  if (kind === 'number' || kind === 'maybe-number') return { of: 'number', text }
  if (kind === 'codes' && column?.dicData?.every(({ value }) => numberOf(String(value)) !== null) === true)
    return { of: 'number', text: `number(${text})` }
  if (kind === 'date') return { of: 'date', text }
  const figure = constant === undefined ? null : numberOf(constant)
  if (figure !== null) return { of: 'number', text: constantOf(figure).text }
  if (constant !== undefined && parseDate(constant) !== null) return { of: 'date', text: `date('${constant}')` }
  throw new Unwritable()
}
