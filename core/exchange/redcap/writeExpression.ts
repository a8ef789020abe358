import type { ASTNode } from '@marcbachmann/cel-js'
import { ParseError, parse } from '@marcbachmann/cel-js'

import { namesOf } from '#core/rules/reads.ts'

/**
 * Writes a rule back as REDCap logic. Rules that came from REDCap all have a way back, since each function of the
 * translation has one name there. Of rules written here in CEL of their own the arithmetic has one: a body mass index,
 * a score. What compares has none, since a blank field counts otherwise there.
 */

/** The REDCap text of a rule, or null when REDCap cannot say it. */
export function writeExpression(cel: string): string | null {
  try {
    return writeNode(parse(cel).ast)
  } catch (error) {
    if (error instanceof Unwritable || error instanceof ParseError) return null
    throw error
  }
}

class Unwritable extends Error {}

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['rcEq', '='],
  ['rcNe', '<>'],
  ['rcLt', '<'],
  ['rcLe', '<='],
  ['rcGt', '>'],
  ['rcGe', '>='],
])

/** Functions of the translation by the names that they have in REDCap. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['abs', 'abs'],
  ['sqrt', 'sqrt'],
  ['exp', 'exponential'],
  ['ln', 'log'],
  ['round', 'round'],
  ['roundUp', 'roundup'],
  ['roundDown', 'rounddown'],
  ['rcSum', 'sum'],
  ['rcMean', 'mean'],
  ['rcMedian', 'median'],
  ['rcStdev', 'stdev'],
  ['rcMin', 'min'],
  ['rcMax', 'max'],
  ['rcRound', 'round'],
  ['rcRoundUp', 'roundup'],
  ['rcRoundDown', 'rounddown'],
  ['rcLength', 'length'],
  ['rcFind', 'find'],
  ['rcLeft', 'left'],
  ['rcRight', 'right'],
  ['rcMid', 'mid'],
  ['rcReplace', 'replace_text'],
  ['rcConcat', 'concat'],
  ['rcConcatWs', 'concat_ws'],
  ['rcUpper', 'upper'],
  ['rcLower', 'lower'],
  ['rcTrim', 'trim'],
  ['rcContains', 'contains'],
  ['rcStartsWith', 'starts_with'],
  ['rcEndsWith', 'ends_with'],
  ['rcAge', 'age_at_date'],
  ['rcIsNumber', 'isnumber'],
  ['rcIsInteger', 'isinteger'],
])

const CHAINS: readonly (readonly string[])[] = [['&&'], ['||'], ['+', '-'], ['*', '/'], ['%']]
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
])

/** Conversions that the translation puts around what REDCap converts by itself. */
const CONVERSIONS: ReadonlySet<string> = new Set(['dyn', 'rcNum', 'rcTrue', 'double'])

function writeNode(node: ASTNode): string {
  if (isLink(node)) return `(${writeChain(node)})`
  switch (node.op) {
    case 'value':
      return literal(node.args)
    case 'id':
      if (node.args === 'today' || node.args === 'now') return `"${node.args}"`
      break
    case '.':
      if (isVariable(node.args[0], 'rc') || isVariable(node.args[0], 'rcStored') || isVariable(node.args[0], 'page'))
        return `[${node.args[1]}]`
      // Names of fields are REDCap's for all forms together.
      if (node.args[0].op === '.' && isVariable(node.args[0].args[0], 'rcVisit')) return `[${node.args[1]}]`
      break
    case '!_':
      // In brackets of its own, as REDCap's `!` takes all that follows up to `and` or `or`.
      return `(!(${writeNode(node.args)}))`
    case '-_':
      return `-(${writeNode(node.args)})`
    case '?:':
      return ofEvent(node.args) ?? `if(${node.args.map(writeNode).join(', ')})`
    case 'call':
      return writtenCall(node.args[0], node.args[1])
    // The translation never writes these.
    case '.?':
    case '[]':
    case '[?]':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case 'list':
    case 'map':
    case 'rcall':
      break
  }
  throw new Unwritable()
}

/**
 * The field of another event: `has(form.Event_x.page.field) ? … : …`, where REDCap's own names of events are in the
 * codes of the visits.
 */
function ofEvent([condition, read]: readonly ASTNode[]): string | null {
  if (condition?.op !== 'call' || condition.args[0] !== 'has' || read?.op !== 'call' || read.args[0] !== 'dyn')
    return null
  const [variable, folder = '', , field = ''] = read.args[1][0] === undefined ? [] : namesOf(read.args[1][0])
  const event = variable === 'form' ? /^Event_([a-z0-9_]+)$/.exec(folder)?.[1] : undefined
  return event === undefined || field === '' ? null : `[${event}][${field}]`
}

function isVariable(node: ASTNode, name: string): boolean {
  return node.op === 'id' && node.args === name
}

/** A chain of signs that bind equally, without brackets of its own: `a + b - c`. */
function writeChain(node: ASTNode): string {
  const parts: string[] = []
  const chain = chainOf(node)
  let first = node
  while (isLink(first) && chain.includes(first.op)) {
    parts.push(` ${SIGNS.get(first.op) ?? first.op} ${writeNode(first.args[1])}`)
    first = first.args[0]
  }
  return [writeNode(first), ...parts.toReversed()].join('')
}

function chainOf({ op }: ASTNode): readonly string[] {
  return CHAINS.find((chain) => chain.includes(op)) ?? []
}

function isLink(node: ASTNode): node is Extract<ASTNode, { readonly op: '&&' | '||' | '+' | '-' | '*' | '/' | '%' }> {
  return chainOf(node).length > 0
}

function writtenCall(name: string, args: readonly ASTNode[]): string {
  const [first, second, third, fourth] = args
  if (first === undefined) throw new Unwritable()
  if (name === 'double' && first.op === 'value' && typeof first.args === 'string') return first.args
  if (CONVERSIONS.has(name)) return writeNode(first)
  const comparison = COMPARISONS.get(name)
  if (comparison !== undefined && second !== undefined)
    return `(${writeNode(first)} ${comparison} ${writeNode(second)})`
  const known = NAMES.get(name)
  if (known !== undefined)
    return `${known}(${args
      .flatMap((arg) => (arg.op === 'list' ? arg.args : [arg]))
      .map(writeNode)
      .join(', ')})`
  switch (name) {
    case 'pow':
      if (second !== undefined) return `((${writeNode(first)})^(${writeNode(second)}))`
      break
    case 'rcChecked':
      return `${writeNode(first).slice(0, -1)}(${textOf(second)})]`
    case 'rcPart':
      return `${textOf(second) === 'weekday' ? 'dayoftheweek' : textOf(second)}(${writeNode(first)})`
    case 'rcDatediff': {
      const signed = fourth?.op === 'value' && fourth.args === true
      return `datediff(${writeNode(first)}, ${second === undefined ? '' : writeNode(second)}, "${textOf(third)}", "ymd", ${signed})`
    }
    case 'rcCalcDate':
      return `@CALCDATE(${writeNode(first)}, ${second === undefined ? '' : writeNode(second)}, "${textOf(third)}")`
    default:
      break
  }
  throw new Unwritable()
}

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') throw new Unwritable()
  if (!value.includes('"')) return `"${value}"`
  if (!value.includes("'")) return `'${value}'`
  // REDCap has no way to write both quotation marks in one text.
  throw new Unwritable()
}

function textOf(node: ASTNode | undefined): string {
  if (node?.op !== 'value' || typeof node.args !== 'string') throw new Unwritable()
  return node.args
}
