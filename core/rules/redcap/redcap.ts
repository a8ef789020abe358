import type { Environment } from '@marcbachmann/cel-js'
import { dateDifference, yearsBetween } from '#core/rules/functions.ts'
import { mean, median, roundDown, roundHalfAway, roundUp, standardDeviation, sum } from '#core/rules/numbers.ts'

import { registerRedcapTextFunctions } from './redcapText.ts'
import type { Scalar } from './redcapValues.ts'
import { numberOf, scalar, textOf } from './redcapValues.ts'

/**
 * Functions into which imported REDCap logic is translated. REDCap has two truth values and a blank: `[x] <> '1'` is
 * true for a blank, `[x] = ''` asks for one, arithmetic with a blank gives a blank, and `sum` and similar functions
 * leave blanks out. A blank is '' or NaN here. A comparison by order (<, >) with a blank is false: this is our choice,
 * not known to be REDCap's (docs/adr/0007-cel-and-blanks.md).
 */

/** Adds the functions named `rc…` to a CEL environment. */
export function registerRedcapFunctions(env: Environment): void {
  registerRedcapTextFunctions(env)
  env.registerFunction('rcEq(dyn, dyn): bool', (a: unknown, b: unknown) => equal(scalar(a), scalar(b)))
  env.registerFunction('rcNe(dyn, dyn): bool', (a: unknown, b: unknown) => !equal(scalar(a), scalar(b)))
  env.registerFunction(
    'rcLt(dyn, dyn): bool',
    compareBy((order) => order < 0),
  )
  env.registerFunction(
    'rcLe(dyn, dyn): bool',
    compareBy((order) => order <= 0),
  )
  env.registerFunction(
    'rcGt(dyn, dyn): bool',
    compareBy((order) => order > 0),
  )
  env.registerFunction(
    'rcGe(dyn, dyn): bool',
    compareBy((order) => order >= 0),
  )
  env.registerFunction('rcTrue(dyn): bool', (value: unknown) => truth(value))
  env.registerFunction('rcNum(dyn): double', numberOf)
  env.registerFunction('rcChecked(dyn, string): string', (value: unknown, code: string) =>
    (Array.isArray(value) ? value.includes(code) : value === code) ? '1' : '0',
  )
  env.registerFunction('rcIsNumber(dyn): bool', (value: unknown) => !Number.isNaN(numberOf(value)))
  env.registerFunction('rcIsInteger(dyn): bool', (value: unknown) => Number.isInteger(numberOf(value)))
  env.registerFunction(
    'rcDatediff(dyn, dyn, string, bool): double',
    (from: unknown, to: unknown, unit: string, signed: boolean) => {
      const difference = momentDifference(String(scalar(from)), String(scalar(to)), unit)
      return signed ? difference : Math.abs(difference)
    },
  )
  env.registerFunction('rcAge(dyn, dyn): double', (from: unknown, to: unknown) =>
    yearsBetween(textOf(from), textOf(to)),
  )
  env.registerFunction('rcRound(dyn, dyn): double', (value: unknown, digits: unknown) =>
    roundHalfAway(numberOf(value), numberOf(digits)),
  )
  env.registerFunction('rcRoundUp(dyn, dyn): double', (value: unknown, digits: unknown) =>
    roundUp(numberOf(value), numberOf(digits)),
  )
  env.registerFunction('rcRoundDown(dyn, dyn): double', (value: unknown, digits: unknown) =>
    roundDown(numberOf(value), numberOf(digits)),
  )

  aggregate(env, 'rcSum', (values) => (values.length === 0 ? Number.NaN : sum(values)))
  aggregate(env, 'rcMean', mean)
  aggregate(env, 'rcMedian', median)
  aggregate(env, 'rcStdev', standardDeviation)
  aggregate(env, 'rcMin', (values) => (values.length === 0 ? Number.NaN : Math.min(...values)))
  aggregate(env, 'rcMax', (values) => (values.length === 0 ? Number.NaN : Math.max(...values)))
}

/** A time of day: hours and minutes, perhaps seconds. */
const TIME = /^\d{2}:\d{2}(?::\d{2})?$/

/**
 * The difference of two moments. As in REDCap, two times of day belong to the same day, and a time and a date have no
 * difference.
 */
function momentDifference(from: string, to: string, unit: string): number {
  return TIME.test(from) && TIME.test(to)
    ? dateDifference(`2000-01-01 ${from}`, `2000-01-01 ${to}`, unit)
    : dateDifference(from, to, unit)
}

function aggregate(env: Environment, name: string, apply: (values: readonly number[]) => number): void {
  env.registerFunction(`${name}(list): double`, (values: readonly unknown[]) =>
    apply(values.map(numberOf).filter((value) => !Number.isNaN(value))),
  )
}

function compareBy(holds: (order: number) => boolean): (a: unknown, b: unknown) => boolean {
  return (left, right) => {
    const [a, b] = [scalar(left), scalar(right)]
    if (a === '' || b === '') return false
    const [x, y] = [numberOf(a), numberOf(b)]
    if (!Number.isNaN(x) && !Number.isNaN(y)) return holds(x - y)
    const [s, t] = [String(a), String(b)]
    return holds(s < t ? -1 : s > t ? 1 : 0)
  }
}

/** Numbers compare as numbers ('01' = 1), everything else as text. */
function equal(a: Scalar, b: Scalar): boolean {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x === y
  return String(a) === String(b)
}

function truth(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const plain = scalar(value)
  return plain !== '' && !equal(plain, 0)
}
