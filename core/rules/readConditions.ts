import type { ASTNode } from '@marcbachmann/cel-js'

import type { Comparison, Condition, ConditionGroup, Name, Operand, Subject } from './conditions.ts'
import { normalConditions } from './conditions.ts'
import { namesOf } from './reads.ts'
import { syntaxOf } from './rule.ts'

/** Reads CEL as conditions that pickers can show. Null where pickers cannot show it: then it stays CEL. */

/** Most conditions that are shown as pickers; a longer rule is easier to read as text. */
const MAX_CONDITIONS = 100

/** The conditions of a rule; null where pickers cannot show all of them. An empty text has none. */
export function readConditions(source: string): ConditionGroup | null {
  if (source.trim() === '') return { kind: 'group', join: 'all', items: [] }
  const root = syntaxOf(source)
  if (root === null) return null
  const count = { left: MAX_CONDITIONS }
  const item = itemOf(root, count)
  if (item === null) return null
  return normalConditions(item.kind === 'group' ? item : { kind: 'group', join: 'all', items: [item] })
}

function itemOf(node: ASTNode, count: { left: number }): Condition | ConditionGroup | null {
  if (node.op !== '&&' && node.op !== '||') {
    count.left -= 1
    return count.left < 0 ? null : conditionOf(node)
  }
  const items: (Condition | ConditionGroup)[] = []
  for (const part of partsOf(node, node.op)) {
    const item = itemOf(part, count)
    if (item === null) return null
    items.push(item)
  }
  return { kind: 'group', join: node.op === '&&' ? 'all' : 'any', items }
}

/**
 * The members of a chain of one operator. The syntax tree of a chain hangs to the left and may be long, so it is walked
 * by a loop and not by recursion.
 */
function partsOf(node: ASTNode, op: '&&' | '||'): readonly ASTNode[] {
  const parts: ASTNode[] = []
  let at = node
  while (at.op === '&&' || at.op === '||') {
    if (at.op !== op) break
    parts.unshift(at.args[1])
    at = at.args[0]
  }
  return [at, ...parts]
}

function conditionOf(node: ASTNode): Condition | null {
  if (node.op === '!_') return negateCondition(conditionOf(node.args))
  if (node.op === 'call') {
    const [name, [argument]] = node.args
    const field = argument === undefined ? null : fieldName(argument)
    return name === 'has' && field !== null ? { kind: 'answered', name: field } : null
  }
  if (node.op === 'in') return membershipOf(...node.args)
  const by = comparisonOf(node)
  if (by === null) return null
  const [left, right] = by.args
  const [of, to] = [subjectOf(left), operandOf(right)]
  return of === null || to === null ? null : { kind: 'compare', of, by: by.sign, to }
}

/** The sign and the sides of a comparison; null for any other expression. */
export function comparisonOf(
  node: ASTNode,
): { readonly sign: Comparison; readonly args: readonly [ASTNode, ASTNode] } | null {
  if (
    node.op === '==' ||
    node.op === '!=' ||
    node.op === '<' ||
    node.op === '<=' ||
    node.op === '>' ||
    node.op === '>='
  )
    return { sign: node.op, args: node.args }
  return null
}

function negateCondition(condition: Condition | null): Condition | null {
  if (condition?.kind === 'answered') return { kind: 'missing', name: condition.name }
  if (condition?.kind === 'oneOf') return { kind: 'noneOf', name: condition.name, values: condition.values }
  return condition?.kind === 'includes' ? { kind: 'excludes', name: condition.name, value: condition.value } : null
}

function membershipOf(left: ASTNode, right: ASTNode): Condition | null {
  if (left.op === 'value' && typeof left.args === 'string') {
    const name = fieldName(right)
    return name === null ? null : { kind: 'includes', name, value: left.args }
  }
  const name = fieldName(left)
  if (name === null || right.op !== 'list') return null
  const values = right.args.flatMap((one) => (one.op === 'value' && typeof one.args === 'string' ? [one.args] : []))
  return values.length === right.args.length ? { kind: 'oneOf', name, values } : null
}

function subjectOf(node: ASTNode): Subject | null {
  if (node.op === 'call') {
    const [kind, args] = node.args
    const [from, to] = args.map(momentName)
    return (kind === 'days' || kind === 'age') && args.length === 2 && isName(from) && isName(to)
      ? { kind, from, to }
      : null
  }
  const name = fieldName(node)
  return name === null ? null : { kind: 'field', name }
}

function isName(name: Name | null | undefined): name is Name {
  return name !== null && name !== undefined
}

function operandOf(node: ASTNode): Operand | null {
  if (node.op === 'value' && typeof node.args === 'string') return { kind: 'text', text: node.args }
  const number = numberOf(node)
  if (number !== null) return { kind: 'number', number }
  const name = momentName(node)
  return name === null ? null : { kind: 'field', name }
}

/** A number that is written in a rule; null where the text is no number, or no double holds it exactly. */
export function numberOf(node: ASTNode): number | null {
  if (node.op === '-_') {
    const positive = numberOf(node.args)
    return positive === null ? null : 0 - positive
  }
  if (node.op !== 'value') return null
  if (typeof node.args === 'number') return node.args
  return typeof node.args === 'bigint' && Number.isSafeInteger(Number(node.args)) ? Number(node.args) : null
}

const VARIABLES: ReadonlySet<string> = new Set(['page', 'row', 'visit', 'form', 'visits'])

/** `page.x`, where a rule names a field so; null for anything else. */
export function fieldName(node: ASTNode): Name | null {
  const names = namesOf(node)
  return names.length > 1 && VARIABLES.has(names[0] ?? '') ? names.join('.') : null
}

/** The same, or `today` or `now`. */
export function momentName(node: ASTNode): Name | null {
  return node.op === 'id' && (node.args === 'today' || node.args === 'now') ? node.args : fieldName(node)
}
