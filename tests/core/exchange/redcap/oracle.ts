/**
 * REDCap logic evaluated straight from its text, for tests alone: written from REDCap's documented meaning (its help
 * texts on branching logic, calculations and special functions) and sharing no code with the product. Values are what
 * REDCap stores: texts, '' for a blank, and a set of codes for check boxes. Where the documents are silent on an order
 * with a blank, it is false, as docs/adr/0007 says.
 */

export type Stored = string | ReadonlySet<string>
export type OracleValue = string | number | boolean

export interface OracleScope {
  readonly record: ReadonlyMap<string, Stored>
  readonly today: string
  readonly now: string
}

/** Evaluates an expression; a blank result is ''. */
export function evaluateRedcap(source: string, scope: OracleScope): OracleValue {
  const words = [
    ...source.matchAll(/"[^"]*"|'[^']*'|\[[^\]]*\]|\d+\.?\d*|\.\d+|[a-z_]\w*|<>|!=|<=|>=|&&|\|\||[-+*/%^=<>(),!]/gi),
  ].map(([word]) => word)
  const run = new Evaluation(words, scope)
  const value = run.or()
  if (run.rest() > 0) throw new Error(`the oracle does not understand ${source}`)
  return typeof value === 'number' && !Number.isFinite(value) ? '' : value
}

/** Whether a result shows a field. */
export function isTruthy(value: OracleValue): boolean {
  if (typeof value === 'boolean') return value
  return toText(value) !== '' && (isNumeric(value) ? Number(value) !== 0 : true)
}

class Evaluation {
  readonly #words: string[]
  readonly #scope: OracleScope

  constructor(words: readonly string[], scope: OracleScope) {
    this.#words = [...words]
    this.#scope = scope
  }

  rest(): number {
    return this.#words.length
  }

  or(): OracleValue {
    let value = this.#and()
    while (this.#eat('or', '||') !== null) {
      const right = this.#and()
      value = isTruthy(value) || isTruthy(right)
    }
    return value
  }

  #and(): OracleValue {
    let value = this.#not()
    while (this.#eat('and', '&&') !== null) {
      const right = this.#not()
      value = isTruthy(value) && isTruthy(right)
    }
    return value
  }

  #not(): OracleValue {
    return this.#eat('!', 'not') === null ? this.#comparison() : !isTruthy(this.#not())
  }

  #comparison(): OracleValue {
    let left = this.#sum()
    for (
      let sign = this.#eat('=', '<>', '!=', '<', '<=', '>', '>=');
      sign !== null;
      sign = this.#eat('=', '<>', '!=', '<', '<=', '>', '>=')
    ) {
      left = compare(left, sign, this.#sum())
    }
    return left
  }

  #sum(): OracleValue {
    let left = this.#product()
    for (let sign = this.#eat('+', '-'); sign !== null; sign = this.#eat('+', '-')) {
      const [a, b] = [toNumber(left), toNumber(this.#product())]
      left = sign === '+' ? a + b : a - b
    }
    return left
  }

  #product(): OracleValue {
    let left = this.#signed()
    for (let sign = this.#eat('*', '/', '%'); sign !== null; sign = this.#eat('*', '/', '%')) {
      const [a, b] = [toNumber(left), toNumber(this.#signed())]
      left = sign === '*' ? a * b : sign === '/' ? a / b : a % b
    }
    return left
  }

  #signed(): OracleValue {
    if (this.#eat('-') !== null) return -toNumber(this.#signed())
    if (this.#eat('+') !== null) return this.#signed()
    const base = this.#atom()
    return this.#eat('^') === null ? base : toNumber(base) ** toNumber(this.#signed())
  }

  #atom(): OracleValue {
    const word = this.#words.shift() ?? ''
    if (word === '(') {
      const value = this.or()
      this.#expect(')')
      return value
    }
    if (/^["']/.test(word)) return word.slice(1, -1) === 'NaN' ? '' : word.slice(1, -1)
    if (word.startsWith('[')) return this.#field(word.slice(1, -1))
    if (/^[\d.]/.test(word)) return Number(word)
    const name = word.toLowerCase()
    if (name === 'true' || name === 'false') return name
    this.#expect('(')
    const args: OracleValue[] = []
    while (this.#eat(')') === null) {
      args.push(this.or())
      this.#eat(',')
    }
    return callFunction(name, args, this.#scope)
  }

  #field(text: string): OracleValue {
    const [, name = '', code] = /^(\w+)(?:\(([^)]*)\))?$/.exec(text.trim()) ?? []
    const value = this.#scope.record.get(name.toLowerCase())
    if (value === undefined) throw new Error(`the oracle has no field ${text}`)
    // Documented for check boxes; a real dictionary asks it of a single choice too, where it can only mean "this one
    // was chosen".
    if (code !== undefined)
      return (typeof value === 'string' ? value === code.trim() : value.has(code.trim())) ? '1' : '0'
    return typeof value === 'string' ? value : [...value].join(',')
  }

  #eat(...wanted: readonly string[]): string | null {
    const word = this.#words[0]?.toLowerCase()
    if (word === undefined || !wanted.includes(word)) return null
    this.#words.shift()
    return word
  }

  #expect(word: string): void {
    if (this.#eat(word) === null) throw new Error(`the oracle expects ${word} before ${this.#words.join(' ')}`)
  }
}

function compare(left: OracleValue, sign: string, right: OracleValue): boolean {
  const [a, b] = [toText(left), toText(right)]
  const numbers = isNumeric(a) && isNumeric(b)
  const same = numbers ? Number(a) === Number(b) : a === b
  if (sign === '=') return same
  if (sign === '<>' || sign === '!=') return !same
  if (a === '' || b === '') return false
  const before = numbers ? Number(a) < Number(b) : a < b
  return sign.startsWith('<') ? before || (sign === '<=' && same) : !before && (sign === '>=' || !same)
}

const SECONDS: Readonly<Record<string, number>> = {
  y: 365.2425 * 86_400,
  M: 30.44 * 86_400,
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
}

function callFunction(name: string, args: readonly OracleValue[], scope: OracleScope): OracleValue {
  const [first = '', second = '', third = ''] = args
  const numbers = args.map(toNumber).filter((value) => !Number.isNaN(value))
  const [text, other] = [toText(first), toText(second)]
  const [low, otherLow] = [text.toLowerCase(), other.toLowerCase()]
  switch (name) {
    case 'if':
      return isTruthy(first) ? second : third
    case 'round':
      return roundedTo(toNumber(first), toNumber(args[1] ?? 0), (value) => Math.floor(value + 0.5))
    case 'roundup':
      return roundedTo(toNumber(first), toNumber(args[1] ?? 0), Math.ceil)
    case 'rounddown':
      return roundedTo(toNumber(first), toNumber(args[1] ?? 0), Math.floor)
    case 'abs':
      return Math.abs(toNumber(first))
    case 'sqrt':
      return Math.sqrt(toNumber(first))
    case 'exponential':
      return Math.exp(toNumber(first))
    case 'mod':
      return toNumber(first) % toNumber(second)
    case 'sum':
      return numbers.length === 0 ? '' : numbers.reduce((a, b) => a + b)
    case 'mean':
      return numbers.length === 0 ? '' : numbers.reduce((a, b) => a + b) / numbers.length
    case 'min':
      return numbers.length === 0 ? '' : Math.min(...numbers)
    case 'max':
      return numbers.length === 0 ? '' : Math.max(...numbers)
    case 'median': {
      const sorted = [...numbers].sort((a, b) => a - b)
      const [low2, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
      return low2 === undefined || high === undefined ? '' : (low2 + high) / 2
    }
    case 'stdev': {
      if (numbers.length < 2) return ''
      const mean = numbers.reduce((a, b) => a + b) / numbers.length
      return Math.sqrt(
        numbers.reduce((total, value) => total + (value - mean) * (value - mean), 0) / (numbers.length - 1),
      )
    }
    case 'datediff': {
      const moment = (value: string) => secondsOf(value === 'today' ? scope.today : value === 'now' ? scope.now : value)
      const difference = (moment(other) - moment(text)) / (SECONDS[toText(third)] ?? Number.NaN)
      return args.slice(3).some((option) => toText(option).toLowerCase() === 'true') ? difference : Math.abs(difference)
    }
    case 'contains':
      return low.includes(otherLow)
    case 'not_contain':
      return !low.includes(otherLow)
    case 'starts_with':
      return low.startsWith(otherLow)
    case 'ends_with':
      return low.endsWith(otherLow)
    case 'isnumber':
      return isNumeric(text)
    case 'isinteger':
      return /^[-+]?\d+$/.test(text) || (isNumeric(text) && Number(text) % 1 === 0)
    case 'isblankormissingcode':
      return text === ''
    case 'left':
      return text.substring(0, toNumber(second) || 0)
    case 'right':
      return text.substring(text.length - (toNumber(second) || 0))
    case 'mid':
      return text.substring(toNumber(second) - 1, toNumber(second) - 1 + toNumber(third))
    case 'length':
      return text.length
    case 'find':
      return otherLow.indexOf(low) + 1
    case 'replace_text':
      return other === '' ? text : text.replaceAll(other, toText(third))
    case 'concat':
      return args.map(toText).join('')
    case 'concat_ws':
      return args
        .slice(1)
        .map(toText)
        .filter((part) => part !== '')
        .join(text)
    case 'log':
      return toNumber(first) > 0 ? Math.log(toNumber(first)) / (args.length > 1 ? Math.log(toNumber(second)) : 1) : ''
    case 'age_at_date': {
      const digits = (value: string) => Number(dayOf(value, scope).replaceAll('-', ''))
      const years = Math.trunc((digits(other) - digits(text)) / 10_000)
      return Number.isNaN(years) || text === '' || other === '' ? '' : years
    }
    case 'dayoftheweek': {
      const day = new Date(`${dayOf(text, scope)}T00:00:00Z`).getUTCDay()
      return Number.isNaN(day) ? '' : day === 0 ? 7 : day
    }
    case 'upper':
      return text.toUpperCase()
    case 'lower':
      return low
    case 'trim':
      return text.trim()
    case 'year':
      return numberOrBlank(/^(\d{4})-/.exec(dayOf(text, scope))?.[1])
    case 'month':
      return numberOrBlank(/^\d{4}-(\d\d)/.exec(dayOf(text, scope))?.[1])
    case 'day':
      return numberOrBlank(/^\d{4}-\d\d-(\d\d)/.exec(dayOf(text, scope))?.[1])
    default:
      throw new Error(`the oracle has no function ${name}`)
  }
}

/** The date of a text, where 'today' and 'now' stand for the captured moment. */
function dayOf(text: string, scope: OracleScope): string {
  return (text === 'today' ? scope.today : text === 'now' ? scope.now : text).slice(0, 10)
}

function roundedTo(value: number, digits: number, whole: (value: number) => number): number {
  // Fifteen digits are what people wrote; the sixteenth is noise of binary fractions.
  const scaled = Number((Math.abs(value) * 10 ** digits).toPrecision(15))
  return (Math.sign(value) * whole(scaled)) / 10 ** digits
}

function secondsOf(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)
  if (match === null) return Number.NaN
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000
}

function isNumeric(value: string | number): boolean {
  return typeof value === 'number' ? !Number.isNaN(value) : /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)
}

function toNumber(value: OracleValue): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  return isNumeric(value) ? Number(value) : Number.NaN
}

function toText(value: OracleValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'number' && Number.isNaN(value) ? '' : String(value)
}

function numberOrBlank(text: string | undefined): OracleValue {
  return text === undefined ? '' : Number(text)
}
