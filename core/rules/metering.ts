import type { ASTNode } from '@marcbachmann/cel-js'

import { lengthJoined, make, makeList, spend, spendError, spendReading, spendSearch } from './budget.ts'

/**
 * Makes a type-checked rule count its work (docs/adr/0032-budget-of-rules.md). Without a loop a rule costs no more than
 * its nodes, of which there are at most ten thousand. So only two things are counted: passes of loops, and operators
 * and functions that read or make texts, lists and maps. Numbers and truth values are not counted.
 *
 * The language has no means for this, so this file relies on how the library keeps a checked tree. A tree that is kept
 * in any other way is refused.
 */

/** A node as the library keeps it once its types are checked. */
interface Inner {
  readonly op: string
  readonly args: unknown
  readonly meta: { readonly alternate?: Inner; readonly macro?: unknown; readonly evaluate: Evaluate }
  readonly checkedType: { readonly name: string }
  handle?: Handle
  evaluate: Evaluate
}

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown
/** An operator gets both operands first. A function gets its arguments, including the receiver, as one list. */
type Handle = (first: unknown, second: unknown, third: unknown, fourth: unknown) => unknown

interface Loop {
  readonly iterable: Inner
  readonly init: Inner
  readonly step: Inner
}

/** Makes the nodes of a checked tree count. @throws where the library keeps them in an unknown way */
export function meter(root: ASTNode): void {
  meterNode(inner(root), false)
}

/** @returns the most nodes that one evaluation runs, not counting the passes of its loops */
function meterNode(node: Inner, inLoop: boolean): number {
  // The text around an error is for the author of the rule. At run time, finding its line would cost more than the rule
  // itself.
  Object.defineProperty(node, 'input', { value: undefined })
  if (node.meta.alternate !== undefined) return meterNode(inner(node.meta.alternate), inLoop)
  // The only macro of the language that rules may use asks whether a name has a value.
  if (node.meta.macro !== undefined) return 4
  if (node.op === 'comprehension') return meterLoop(node, inLoop)
  let weight = 1
  for (const child of childrenOf(node)) {
    weight += meterNode(child, inLoop)
    if (inLoop && (node.op === '||' || node.op === '&&')) countErrors(child)
  }
  if (node.op === 'call' || node.op === 'rcall') meterCall(node)
  else if (OPERATORS.has(node.op)) meterOperator(node)
  return weight
}

/** Each pass of a loop is counted before it runs, with all nodes that it may run. */
function meterLoop(node: Inner, inLoop: boolean): number {
  const loop = node.args
  if (!isLoop(loop)) throw unknownTree(node)
  const weight = 2 + meterNode(loop.iterable, inLoop) + meterNode(loop.init, inLoop)
  const turn = 2 + meterNode(loop.step, true)
  const run = evaluationOf(loop.step)
  loop.step.evaluate = (evaluator, step, context) => {
    spend(turn)
    try {
      return run(evaluator, step, context)
    } catch (error) {
      spendError()
      throw error
    }
  }
  const handle = handleOf(node)
  // A loop over a map goes through its names, which are listed first.
  node.handle = (items, second, third, fourth) => {
    if (!Array.isArray(items)) spendReading(items)
    return handle(items, second, third, fourth)
  }
  return weight
}

/** `a || b` goes on when one side fails. */
function countErrors(operand: Inner): void {
  if (operand.op === '||' || operand.op === '&&') return
  const run = evaluationOf(operand)
  operand.evaluate = (evaluator, node, context) => {
    try {
      return run(evaluator, node, context)
    } catch (error) {
      spendError()
      throw error
    }
  }
}

function meterCall(node: Inner): void {
  const args = childrenOf(node)
  if (args.every(isPlain)) return
  const name: unknown = Array.isArray(node.args) ? node.args[0] : ''
  const more = MORE.get(String(name))
  const handle = handleOf(node)
  node.handle = (given, second, third, fourth) => {
    const values: readonly unknown[] = Array.isArray(given) ? given : []
    for (const value of values) if (typeof value === 'string' || typeof value === 'object') spendReading(value)
    more?.(values)
    const result = handle(given, second, third, fourth)
    if (typeof result === 'string') make(result.length)
    else if (Array.isArray(result)) makeList(result.length)
    return result
  }
}

/**
 * What some calls cost beyond reading their arguments, or make beyond their length. By the name of the call; the
 * receiver is the first value.
 */
const MORE: ReadonlyMap<string, (values: readonly unknown[]) => void> = new Map<
  string,
  (values: readonly unknown[]) => void
>([
  ['contains', ([text, part]) => spendSearch(text, part)],
  ['indexOf', ([text, part]) => spendSearch(text, part)],
  ['lastIndexOf', ([text, part]) => spendSearch(text, part)],
  ['split', ([text, part]) => spendSplit(text, part)],
  [
    'join',
    ([list, separator]) =>
      make(Array.isArray(list) ? lengthJoined(list, typeof separator === 'string' ? separator.length : 0) : 0),
  ],
  ['rcContains', ([text, part]) => spendSearch(text, part)],
  ['rcFind', ([part, text]) => spendSearch(text, part)],
  ['rcReplace', ([text, part]) => spendSplit(text, part)],
  ['xpTest', ([, given]) => spendPairs(given)],
  ['xpString', ([, given]) => spendPairs(given)],
])

function spendSplit(text: unknown, part: unknown): void {
  spendSearch(text, part)
  // In the worst case one part for each character.
  if (typeof text === 'string') makeList(text.length)
}

/** Functions that search for their second argument in the first. */
function spendPairs(given: unknown): void {
  if (Array.isArray(given)) spendSearch(given[0], given[1])
}

/** Operators that read or make more than numbers. */
const OPERATORS: ReadonlySet<string> = new Set(['+', '==', '!=', '<', '<=', '>', '>=', 'in'])

function meterOperator(node: Inner): void {
  if (childrenOf(node).every(isPlain)) return
  const handle = handleOf(node)
  if (node.op === '+') {
    node.handle = (left, right, third, fourth) => {
      if (typeof left === 'string' && typeof right === 'string') make(left.length + right.length)
      else if (typeof left === 'object' && typeof right === 'object') makeList(lengthOf(left) + lengthOf(right))
      return handle(left, right, third, fourth)
    }
    return
  }
  node.handle = (left, right, third, fourth) => {
    // Two texts are compared up to the end of the shorter one, other values up to the end of each.
    if (typeof left === 'string' && typeof right === 'string') {
      if (left.length > 64 && right.length > 64) spend(Math.min(left.length, right.length) >> 4)
    } else if (typeof left === 'object' || typeof right === 'object') {
      spendReading(left)
      spendReading(right)
    }
    return handle(left, right, third, fourth)
  }
}

function lengthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return value instanceof Set ? value.size : Array.isArray(value) || value instanceof Uint8Array ? value.length : 0
}

/** Types whose values all have one size. */
const PLAIN: ReadonlySet<string> = new Set(['double', 'int', 'uint', 'bool', 'null'])

function isPlain(node: Inner): boolean {
  return PLAIN.has(node.checkedType.name)
}

/** How a node is run, also where another node replaces it. */
function evaluationOf({ meta: { alternate, macro, evaluate } }: Inner): Evaluate {
  if (alternate !== undefined) return (evaluator, _node, context) => alternate.evaluate(evaluator, alternate, context)
  if (isMacro(macro)) return (evaluator, _node, context) => macro.evaluate(evaluator, macro, context)
  return evaluate
}

function isMacro(value: unknown): value is { readonly evaluate: Evaluate } {
  return typeof value === 'object' && value !== null && 'evaluate' in value && typeof value.evaluate === 'function'
}

function handleOf(node: Inner): Handle {
  if (node.handle === undefined) throw unknownTree(node)
  return node.handle
}

function childrenOf(node: Inner): readonly Inner[] {
  switch (node.op) {
    case 'value':
    case 'id':
    case 'accuValue':
    case 'accuInc':
      return []
    case 'accuPush':
    case '!_':
    case '-_':
      return [inner(node.args)]
    case '.':
    case '.?':
      return Array.isArray(node.args) ? [inner(node.args[0])] : []
    case 'call':
    case 'rcall':
      // The first argument is the name, a text; the others are nodes, some of them in a list.
      return Array.isArray(node.args) ? node.args.slice(1).flat().map(inner) : []
    default:
      return Array.isArray(node.args) ? node.args.flat().map(inner) : []
  }
}

function inner(node: unknown): Inner {
  if (!isInner(node)) throw new TypeError('a rule is kept in a way that is not known')
  return node
}

function isInner(node: unknown): node is Inner {
  return (
    typeof node === 'object' &&
    node !== null &&
    'op' in node &&
    'meta' in node &&
    'checkedType' in node &&
    'evaluate' in node
  )
}

function isLoop(args: unknown): args is Loop {
  return (
    typeof args === 'object' &&
    args !== null &&
    'iterable' in args &&
    isInner(args.iterable) &&
    'init' in args &&
    isInner(args.init) &&
    'step' in args &&
    isInner(args.step)
  )
}

function unknownTree({ op }: Inner): Error {
  return new TypeError(`a rule is kept in a way that is not known: ${op}`)
}
