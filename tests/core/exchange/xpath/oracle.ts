/**
 * XPath of XForms evaluated straight from its text, for tests alone: written from the documentation of ODK's functions
 * and of XPath 1.0, and sharing no code with the product. A number field that is blank is '', as any other; numbers are
 * numbers; several answers are joined by blanks.
 */

export type OracleValue = string | number | boolean

export interface OracleScope {
  /** What a field has, by its name; the last step of a path names it. */
  readonly record: ReadonlyMap<string, string | number>
  /** The field that the expression is of. */
  readonly self: string
  /** Fields of all rows of a table. */
  readonly columns: ReadonlyMap<string, readonly (string | number)[]>
  readonly rows: ReadonlyMap<string, number>
  readonly today: string
  readonly now: string
}

export function evaluateXPath(source: string, scope: OracleScope): OracleValue {
  const words = [
    ...source.matchAll(
      /"[^"]*"|'[^']*'|\$\{[^}]*\}|(?:\.\.|\/)[\w./ -]*\w|\d+\.?\d*|\.\d+|[A-Za-z_][\w-]*|!=|<=|>=|[-+*=<>(),.]/g,
    ),
  ].map(([word]) => word)
  const run = new Evaluation(words, scope)
  const value = run.level(0)
  if (run.rest() > 0) throw new Error(`the oracle does not understand ${source}: ${run.left()}`)
  return value
}

export function truth(value: OracleValue): boolean {
  if (typeof value === 'boolean') return value
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : value !== ''
}

export function text(value: OracleValue): string {
  return typeof value === 'number' && Number.isNaN(value) ? '' : String(value)
}

const SIGNS = [['or'], ['and'], ['=', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', 'div', 'mod']]

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

  left(): string {
    return this.#words.join(' ')
  }

  level(depth: number): OracleValue {
    const signs = SIGNS[depth]
    if (signs === undefined) return this.#unary()
    let value = this.level(depth + 1)
    while (signs.includes(this.#words[0] ?? '')) {
      const sign = this.#words.shift() ?? ''
      value = applied(sign, value, this.level(depth + 1))
    }
    return value
  }

  #unary(): OracleValue {
    if (this.#words[0] !== '-') return this.#value()
    this.#words.shift()
    return -number(this.#unary())
  }

  #value(): OracleValue {
    const word = this.#words.shift() ?? ''
    if (word === '(') {
      const inner = this.level(0)
      this.#words.shift()
      return inner
    }
    if (/^["']/.test(word)) return word.slice(1, -1)
    if (/^\.?\d/.test(word)) return Number(word)
    if (word === '.') return this.#field(this.#scope.self)
    if (word.startsWith('$')) return this.#field(word.slice(2, -1).trim())
    if (this.#words[0] === '(') return this.#call(word)
    if (/^(true|false)$/i.test(word)) return word.toLowerCase() === 'true'
    return this.#field(word.trim().split('/').at(-1) ?? '')
  }

  #field(name: string): OracleValue {
    return this.#scope.record.get(name) ?? ''
  }

  #call(name: string): OracleValue {
    this.#words.shift()
    const column = this.#words[1] === ')' || name === 'join' ? this.#many(name) : null
    if (column !== null) return column
    const args: OracleValue[] = []
    while (this.#words[0] !== ')') {
      args.push(this.level(0))
      if (this.#words[0] === ',') this.#words.shift()
    }
    this.#words.shift()
    return called(name, args, this.#scope)
  }

  /** Functions of all rows; null where the argument is none. */
  #many(name: string): OracleValue | null {
    const at = name === 'join' ? 2 : 0
    const field =
      (this.#words[at] ?? '')
        .replace(/^\$\{|\}$/g, '')
        .split('/')
        .at(-1) ?? ''
    const count = this.#scope.rows.get(field)
    const values = this.#scope.columns.get(field)
    if (count === undefined && values === undefined) return null
    const joint = at === 0 ? '' : (this.#words[0] ?? '').slice(1, -1)
    this.#words.splice(0, at + 2)
    if (name === 'count') return count ?? values?.length ?? 0
    const filled = (values ?? []).filter((value) => value !== '')
    if (name === 'count-non-empty') return filled.length
    if (name === 'join') return filled.join(joint)
    const numbers = filled.map(number).filter((value) => !Number.isNaN(value))
    if (name === 'sum') return numbers.reduce((sum, value) => sum + value, 0)
    if (numbers.length === 0) return Number.NaN
    return name === 'min' ? Math.min(...numbers) : Math.max(...numbers)
  }
}

function number(value: OracleValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value.trim() === '') return Number.NaN
  if (/^\d{4}-\d{2}-\d{2}/.test(value))
    return Date.parse(value.length > 10 ? `${value.replace(' ', 'T')}Z` : value) / 86_400_000
  if (/^\d{2}:\d{2}/.test(value)) return Date.parse(`1970-01-01T${value}Z`) / 86_400_000
  return Number(value)
}

function applied(sign: string, a: OracleValue, b: OracleValue): OracleValue {
  switch (sign) {
    case 'or':
      return truth(a) || truth(b)
    case 'and':
      return truth(a) && truth(b)
    case '=':
      return same(a, b)
    case '!=':
      return !same(a, b)
    case '<':
      return number(a) < number(b)
    case '<=':
      return number(a) <= number(b)
    case '>':
      return number(a) > number(b)
    case '>=':
      return number(a) >= number(b)
    case '+':
      return number(a) + number(b)
    case '-':
      return number(a) - number(b)
    case '*':
      return number(a) * number(b)
    case 'div':
      return number(a) / number(b)
    default:
      return number(a) % number(b)
  }
}

function same(a: OracleValue, b: OracleValue): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return truth(a) === truth(b)
  return typeof a === 'number' || typeof b === 'number' ? number(a) === number(b) : a === b
}

function called(name: string, args: readonly OracleValue[], { today, now }: OracleScope): OracleValue {
  const [a = '', b = '', c] = args
  const parts = text(a)
    .split(' ')
    .filter((part) => part !== '')
  switch (name) {
    case 'if':
      return truth(a) ? b : (c ?? '')
    case 'not':
      return !truth(a)
    case 'true':
      return true
    case 'false':
      return false
    case 'today':
      return today
    case 'now':
      return now
    case 'number':
      return number(a)
    case 'string':
      return text(a)
    case 'boolean':
      return truth(a)
    case 'selected':
      // As JavaRosa does it: with blanks around both.
      return ` ${text(a)} `.includes(` ${text(b).trim()} `)
    case 'count-selected':
      return parts.length
    case 'selected-at':
      return parts[number(b)] ?? ''
    case 'concat':
      return args.map(text).join('')
    case 'string-length':
      return text(a).length
    case 'contains':
      return text(a).includes(text(b))
    case 'starts-with':
      return text(a).startsWith(text(b))
    case 'substr':
      return text(a).slice(number(b), c === undefined ? undefined : number(c))
    case 'regex':
      return new RegExp(`^(${text(b)})$`).test(text(a))
    case 'round': {
      const scale = 10 ** (c === undefined && args.length < 2 ? 0 : number(b))
      return Math.round(number(a) * scale) / scale
    }
    case 'int':
      return Math.trunc(number(a))
    case 'pow':
      return number(a) ** number(b)
    case 'abs':
      return Math.abs(number(a))
    case 'coalesce':
      return text(a) === '' ? b : a
    case 'date':
      return text(a).slice(0, 10)
    case 'format-date':
      return text(a) === ''
        ? ''
        : text(b)
            .replace('%Y', text(a).slice(0, 4))
            .replace('%m', text(a).slice(5, 7))
            .replace('%d', text(a).slice(8, 10))
    case 'decimal-date-time':
      return number(a)
    case 'min':
    case 'max': {
      const numbers = args.map(number).filter((value) => !Number.isNaN(value))
      return numbers.length === 0 ? Number.NaN : Math[name](...numbers)
    }
    default:
      throw new Error(`the oracle does not know ${name}`)
  }
}
