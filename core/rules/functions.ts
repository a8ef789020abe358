import type { Environment } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { dayNumber, parseDate, parseInstant, wholeYears } from '#core/values/dates.ts'
import { numberFromText } from '#core/values/numberText.ts'

import { spend } from './budget.ts'
import { mean, median, roundDown, roundHalfAway, roundUp, standardDeviation, sum } from './numbers.ts'

/**
 * Functions of rules; the clinical meaning of each is defined here once. A function without an answer gives NaN, which
 * makes the rule unknown. Dates are texts `yyyy-MM-dd`, with a time where the function says so.
 */

type Numeric = (...values: number[]) => number

/** Longest pattern and longest text of a regular expression. The engine is linear in both. */
const MAX_PATTERN = 500
const MAX_SUBJECT = 10_000
/**
 * How many steps of a compiled pattern take the time of one rule step. A pattern is linear in the text, which still
 * takes long where both are long.
 */
const PATTERN_STEPS = 10

/** Seconds of the units of `datediff`. */
export const SECONDS_OF_UNIT: Readonly<Record<string, number>> = {
  y: 31_556_952,
  M: 2_630_016,
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
}

/** Adds every function and mixed operator of rules to a CEL environment. */
export function registerFunctions(env: Environment): void {
  registerMixedArithmetic(env)

  numeric(env, 'round', 1, (x) => roundHalfAway(x, 0))
  numeric(env, 'round', 2, roundHalfAway)
  numeric(env, 'roundUp', 2, roundUp)
  numeric(env, 'roundDown', 2, roundDown)
  numeric(env, 'abs', 1, Math.abs)
  numeric(env, 'sqrt', 1, Math.sqrt)
  numeric(env, 'exp', 1, Math.exp)
  numeric(env, 'ln', 1, (x) => (x > 0 ? Math.log(x) : Number.NaN))
  numeric(env, 'log10', 1, (x) => (x > 0 ? Math.log10(x) : Number.NaN))
  numeric(env, 'pow', 2, Math.pow)

  aggregate(env, 'sum', sum)
  aggregate(env, 'mean', mean)
  aggregate(env, 'median', median)
  aggregate(env, 'stdev', standardDeviation)
  aggregate(env, 'min', (values) => (values.length === 0 ? Number.NaN : Math.min(...values)))
  aggregate(env, 'max', (values) => (values.length === 0 ? Number.NaN : Math.max(...values)))

  env.registerFunction('number(string): double', (text: string) => numberFromText(text) ?? Number.NaN)
  env.registerFunction('days(string, string): double', daysBetween)
  env.registerFunction('age(string, string): double', yearsBetween)
  env.registerFunction('datediff(string, string, string): double', dateDifference)
  env.registerFunction('matches(string, string): bool', matches)
}

/**
 * Whole days from the first date to the second, negative when the second is earlier. Times of day are left out. NaN
 * when one is no date.
 */
export function daysBetween(from: string, to: string): number {
  const [a, b] = [parseDate(from.slice(0, 10)), parseDate(to.slice(0, 10))]
  return a === null || b === null ? Number.NaN : dayNumber(b) - dayNumber(a)
}

/** Completed years from the first date (of birth) to the second. NaN when one is no date. */
export function yearsBetween(from: string, to: string): number {
  const [a, b] = [parseDate(from.slice(0, 10)), parseDate(to.slice(0, 10))]
  return a === null || b === null ? Number.NaN : wholeYears(a, b)
}

/**
 * Signed difference from the first to the second in a unit: y (365.2425 days), M (30.44 days), d, h, m, s, as REDCap
 * counts them: with fractions. NaN when one is no date or the unit is unknown.
 */
export function dateDifference(from: string, to: string, unit: string): number {
  const [a, b] = [parseInstant(from), parseInstant(to)]
  const seconds = SECONDS_OF_UNIT[unit]
  return a === null || b === null || seconds === undefined ? Number.NaN : (b - a) / seconds
}

/** Rule steps for each step of a pattern that is compiled. */
const COMPILING = 40

const patterns = new Map<string, RE2JS>()

/** About how many steps a compiled pattern has, with its repeats written out. */
function compiledSize(pattern: string): number {
  const groups: number[] = []
  let [sum, last] = [2, 0]
  // A repeat multiplies what stands before it: a group, a class, an escaped character, any other character.
  for (const [token, least = '', most = ''] of pattern.matchAll(/\\.|\[\^?\]?[^\]]*\]|\{(\d+)(?:,(\d*))?\}|[^]/g)) {
    if (token === '(') {
      groups.push(sum)
      ;[sum, last] = [0, 0]
    } else if (token === ')') {
      last = sum + 2
      sum = last + (groups.pop() ?? 0)
    } else if (least !== '') {
      const times = Math.max(Number(least), Number(most))
      sum += last * (times - 1)
      last *= times
    } else {
      last = 1
      sum += 1
    }
  }
  return sum + groups.reduce((total, group) => total + group, 0)
}

/** Whether the pattern is found in the text. RE2 syntax, time linear in the text. */
function matches(text: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN || text.length > MAX_SUBJECT)
    throw new RangeError('matches: pattern or text is too long')
  const known = patterns.get(pattern)
  // A loop may make patterns of its own, and nested repeats make a small pattern large.
  if (known === undefined) spend(COMPILING * compiledSize(pattern))
  const compiled = known ?? RE2JS.compile(pattern)
  if (known === undefined) {
    // Patterns come from definitions, a few dozen per project; the limit only guards against patterns built from
    // values.
    if (patterns.size >= 500) patterns.clear()
    patterns.set(pattern, compiled)
  }
  spend(Math.ceil((compiled.programSize() * text.length) / PATTERN_STEPS))
  return compiled.matcher(text).find()
}

/**
 * `weight / (height / 100)` as a data manager writes it: form numbers are doubles, whole numbers in a rule are ints.
 */
function registerMixedArithmetic(env: Environment): void {
  const operators: readonly (readonly [string, Numeric])[] = [
    ['+', (a = 0, b = 0) => a + b],
    ['-', (a = 0, b = 0) => a - b],
    ['*', (a = 0, b = 0) => a * b],
    ['/', (a = 0, b = 0) => a / b],
    ['%', (a = 0, b = 0) => a % b],
  ]
  for (const [sign, apply] of operators) {
    const applyMixed = (a: number | bigint, b: number | bigint) => apply(Number(a), Number(b))
    env.registerOperator(`double ${sign} int: double`, applyMixed)
    env.registerOperator(`int ${sign} double: double`, applyMixed)
  }
  env.registerOperator('double % double: double', (a: number, b: number) => a % b)
  env.registerOperator('double == int', (a: number, b: bigint) => a === Number(b))
}

/** Registers a function of one or two numbers for every mix of double and int. */
function numeric(env: Environment, name: string, arity: 1 | 2, apply: Numeric): void {
  const handler = (...values: (number | bigint)[]) => apply(...values.map(Number))
  const types = ['double', 'int']
  const signatures = arity === 1 ? types : types.flatMap((a) => types.map((b) => `${a}, ${b}`))
  for (const signature of signatures) env.registerFunction(`${name}(${signature}): double`, handler)
}

function aggregate(env: Environment, name: string, apply: (values: readonly number[]) => number): void {
  env.registerFunction(`${name}(list): double`, (values: readonly unknown[]) =>
    apply(values.map((value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN))),
  )
}
