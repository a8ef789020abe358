import { answersOf, asNumber, asText, daysOf } from './xpathValues.ts'

/** Functions of XForms that give a number, under their own names. NaN where there is no number. */

type Numbers = (...values: number[]) => number

const OF_NUMBERS: Readonly<Record<string, Numbers>> = {
  pi: () => Math.PI,
  int: (x = Number.NaN) => Math.trunc(x),
  floor: (x = Number.NaN) => Math.floor(x),
  ceiling: (x = Number.NaN) => Math.ceil(x),
  round: (x = Number.NaN, digits = 0) => roundNumber(x, digits),
  abs: (x = Number.NaN) => Math.abs(x),
  sqrt: (x = Number.NaN) => Math.sqrt(x),
  pow: (x = Number.NaN, y = Number.NaN) => x ** y,
  exp: (x = Number.NaN) => Math.exp(x),
  exp10: (x = Number.NaN) => 10 ** x,
  log: (x = Number.NaN) => Math.log(x),
  log10: (x = Number.NaN) => Math.log10(x),
  sin: (x = Number.NaN) => Math.sin(x),
  cos: (x = Number.NaN) => Math.cos(x),
  tan: (x = Number.NaN) => Math.tan(x),
  asin: (x = Number.NaN) => Math.asin(x),
  acos: (x = Number.NaN) => Math.acos(x),
  atan: (x = Number.NaN) => Math.atan(x),
  atan2: (y = Number.NaN, x = Number.NaN) => Math.atan2(y, x),
}

/** @throws RangeError for an unknown function, which the translation never writes */
export function xpathNumber(name: string, args: readonly unknown[]): number {
  const plain = OF_NUMBERS[name]
  if (plain !== undefined && Object.hasOwn(OF_NUMBERS, name)) return plain(...args.map(asNumber))
  const [first] = args
  switch (name) {
    case 'sum':
      return numbersOf(args).reduce((sum, value) => sum + value, 0)
    case 'min':
      return extreme(args, Math.min)
    case 'max':
      return extreme(args, Math.max)
    case 'count':
      return Array.isArray(first) ? first.length : 0
    case 'count-non-empty':
      return (Array.isArray(first) ? first : [first]).filter((value) => asText(value) !== '').length
    case 'count-selected':
      return answersOf(first).length
    case 'string-length':
      return Array.from(asText(first)).length
    case 'decimal-date-time':
      return daysOf(asText(first).trim())
    case 'decimal-time': {
      const days = daysOf(asText(first).trim())
      return days - Math.floor(days)
    }
    default:
      throw new RangeError(`xpNumber: ${name}`)
  }
}

/** The numbers among the values, including those in a table's rows; blanks are left out. */
function numbersOf(args: readonly unknown[]): readonly number[] {
  return args
    .flatMap((arg) => (Array.isArray(arg) ? arg.map(asNumber) : [asNumber(arg)]))
    .filter((value) => !Number.isNaN(value))
}

function extreme(args: readonly unknown[], of: (...values: number[]) => number): number {
  const values = numbersOf(args)
  return values.length === 0 ? Number.NaN : of(...values)
}

/** Rounds halves upwards, as XPath does; binary noise in the last digits decides nothing. */
function roundNumber(value: number, digits: number): number {
  if (!Number.isFinite(value) || !Number.isFinite(digits)) return Number.NaN
  const places = Math.trunc(Math.min(Math.max(digits, -15), 15))
  const exact = Number(value.toPrecision(15))
  return movePoint(Math.round(movePoint(exact, places)), -places)
}

/** The decimal point moved by `places`, as text, so that no multiplication adds noise. */
function movePoint(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e')
  return Number(`${mantissa}e${Number(exponent) + places}`)
}
