import type { ASTNode } from '@marcbachmann/cel-js'
import { ParseError, parse } from '@marcbachmann/cel-js'

import type { Comparison } from '#core/rules/conditions.ts'
import { comparisonOf } from '#core/rules/readConditions.ts'
import { namesOf } from '#core/rules/reads.ts'

/**
 * Writes a rule of ours as XPath 1.0 without the functions of forms. A field that is blank is no node there, so no
 * comparison holds of it, as here; what would hold of one, and what XPath compares otherwise (dates, two fields), has
 * no words.
 */

/** The path to the value of a field; null for one that no path leads to. */
export interface PlainNames {
  field(prop: string): string | null
  /** A field of the rows that the rule is of. */
  row(prop: string): string | null
}

/** A rule that is true or false; null where it has no words. */
export function writePlainTest(cel: string, names: PlainNames): string | null {
  return attempt(cel, (node) => test(node, names))
}

/** A rule that gives a number. */
export function writePlainNumber(cel: string, names: PlainNames): string | null {
  return attempt(cel, (node) => (node.op === 'value' || pathOf(node, names) !== null ? null : number(node, names)))
}

function attempt(cel: string, write: (node: ASTNode) => string | null): string | null {
  try {
    return write(parse(cel).ast)
  } catch (error) {
    if (error instanceof ParseError) return null
    throw error
  }
}

function test(node: ASTNode, names: PlainNames): string | null {
  if (node.op === '&&' || node.op === '||') {
    const [left, right] = [test(node.args[0], names), test(node.args[1], names)]
    return left === null || right === null ? null : `(${left} ${node.op === '&&' ? 'and' : 'or'} ${right})`
  }
  const compared = comparisonOf(node)
  if (compared !== null) return writeComparison(compared.sign, compared.args, names)
  if (node.op === 'value') return typeof node.args === 'boolean' ? `${node.args}()` : null
  if (node.op !== 'call') return null
  const [name, [asked]] = node.args
  const path = name === 'has' && asked !== undefined ? pathOf(asked, names) : null
  return path === null ? null : `(${path} != '')`
}

/** A field with a constant, or numbers that are computed. */
function writeComparison(
  sign: Comparison,
  [left, right]: readonly [ASTNode, ASTNode],
  names: PlainNames,
): string | null {
  const [a, b] = [pathOf(left, names), pathOf(right, names)]
  const constant = right.op === 'value' && typeof right.args === 'string' ? quoteText(right.args) : null
  const written = sign === '==' ? '=' : sign
  if (a !== null && constant !== null) {
    if (constant === "''") return null
    if (sign === '==') return `(${a} = ${constant})`
    return sign === '!=' ? `(${a} != '' and ${a} != ${constant})` : null
  }
  // Of two fields it is not known whether they are numbers, dates or texts.
  if (a !== null && b !== null) return null
  const [x, y] = [number(left, names), number(right, names)]
  if (x === null || y === null) return null
  // What is no number is unequal to each, and here unknown.
  if (sign === '!=') return a === null || b !== null ? null : `(${a} != '' and ${a} != ${y})`
  return `(${x} ${written} ${y})`
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['+', '+'],
  ['-', '-'],
  ['*', '*'],
  ['/', 'div'],
])

function number(node: ASTNode, names: PlainNames): string | null {
  const path = pathOf(node, names)
  if (path !== null) return path
  if (node.op === 'value')
    return typeof node.args === 'number' || typeof node.args === 'bigint' ? plainNumber(Number(node.args)) : null
  if (node.op === '-_') {
    const inner = number(node.args, names)
    return inner === null ? null : `(-${inner})`
  }
  if (node.op !== '+' && node.op !== '-' && node.op !== '*' && node.op !== '/') return null
  const [left, right] = [number(node.args[0], names), number(node.args[1], names)]
  return left === null || right === null ? null : `(${left} ${SIGNS.get(node.op) ?? ''} ${right})`
}

function pathOf(node: ASTNode, names: PlainNames): string | null {
  const [variable, prop, ...more] = namesOf(node)
  if (prop === undefined || more.length > 0) return null
  return variable === 'page' ? names.field(prop) : variable === 'row' ? names.row(prop) : null
}

/** XPath has no powers of ten. */
function plainNumber(value: number): string | null {
  const text = String(value)
  return /^-?\d+(\.\d+)?$/.test(text) ? text : null
}

function quoteText(text: string): string | null {
  if (!text.includes("'")) return `'${text}'`
  return text.includes('"') ? null : `"${text}"`
}
