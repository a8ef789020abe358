import type { ASTNode } from '@marcbachmann/cel-js'

import type { Name } from './conditions.ts'
import { numberLiteral } from './conditions.ts'
import { fieldName, momentName, numberOf } from './readConditions.ts'
import { syntaxOf } from './rule.ts'

/**
 * Calculations that a person picks, written as CEL and read back. A missing value leaves the result empty, as in any
 * calculation.
 */

export const CALCULATIONS_OF_MANY = ['sum', 'mean', 'min', 'max'] as const
export const CALCULATIONS_OF_TWO = ['difference', 'ratio', 'days', 'age', 'bmi'] as const

export type Calculation =
  | {
      readonly kind: (typeof CALCULATIONS_OF_MANY)[number]
      readonly names: readonly Name[]
      readonly digits: number | null
    }
  /**
   * `difference`: the first minus the second. `ratio`: the first divided by the second. `days`, `age`: from the first
   * date to the second. `bmi`: from a weight in kg and a height in cm. `digits`: to how many decimals the result is
   * rounded; null for no rounding.
   */
  | {
      readonly kind: (typeof CALCULATIONS_OF_TWO)[number]
      readonly first: Name
      readonly second: Name
      readonly digits: number | null
    }

/** A calculation as CEL. */
export function writeCalculation(calculation: Calculation): string {
  const text = 'names' in calculation ? `${calculation.kind}([${calculation.names.join(', ')}])` : ofTwo(calculation)
  return calculation.digits === null ? text : `round(${text}, ${numberLiteral(calculation.digits)})`
}

function ofTwo({ kind, first, second }: Extract<Calculation, { readonly first: Name }>): string {
  switch (kind) {
    case 'difference':
      return `${first} - ${second}`
    case 'ratio':
      return `${first} / ${second}`
    case 'days':
    case 'age':
      return `${kind}(${first}, ${second})`
    case 'bmi':
      return `${first} / pow(${second} / 100, 2)`
  }
}

/** The calculation in a rule; null where the pickers cannot show it. */
export function readCalculation(source: string): Calculation | null {
  const root = syntaxOf(source)
  if (root === null) return null
  if (root.op === 'call' && root.args[0] === 'round') {
    const [inner, digits, ...more] = root.args[1]
    const places = digits === undefined ? null : numberOf(digits)
    if (
      inner === undefined ||
      places === null ||
      more.length > 0 ||
      !Number.isInteger(places) ||
      places < 0 ||
      places > 15
    )
      return null
    return readUnrounded(inner, places)
  }
  return readUnrounded(root, null)
}

function readUnrounded(node: ASTNode, digits: number | null): Calculation | null {
  if (node.op === '-' || node.op === '/') {
    const [left, right] = node.args
    const first = fieldName(left)
    if (first === null) return null
    const second = fieldName(right)
    if (second !== null) return { kind: node.op === '-' ? 'difference' : 'ratio', first, second, digits }
    const height = node.op === '/' ? heightOf(right) : null
    return height === null ? null : { kind: 'bmi', first, second: height, digits }
  }
  if (node.op !== 'call') return null
  const [called, args] = node.args
  const many = CALCULATIONS_OF_MANY.find((one) => one === called)
  const [only] = args
  if (many !== undefined && only?.op === 'list' && args.length === 1) {
    const names = only.args.flatMap((one) => fieldName(one) ?? [])
    return names.length === only.args.length && names.length > 0 ? { kind: many, names, digits } : null
  }
  const [first, second] = args.map(momentName)
  const dates = called === 'days' || called === 'age' ? called : null
  return dates === null || args.length !== 2 || typeof first !== 'string' || typeof second !== 'string'
    ? null
    : { kind: dates, first, second, digits }
}

/** The height in `pow(height / 100, 2)`. */
function heightOf(node: ASTNode): Name | null {
  if (node.op !== 'call' || node.args[0] !== 'pow') return null
  const [base, exponent] = node.args[1]
  if (base?.op !== '/' || exponent === undefined || numberOf(exponent) !== 2 || numberOf(base.args[1]) !== 100)
    return null
  return fieldName(base.args[0])
}
