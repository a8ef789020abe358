/**
 * Conditions that a person builds from pickers: fields, operators and values, joined by all or any. They are written as
 * CEL and read back (`readConditions.ts`). A missing value makes them unknown, as in any rule.
 */

/** A field as rules name it (`page.x`, `row.x`, `form.V1.vitals.last.x`), or `today` or `now`. */
export type Name = string

/** What a condition looks at: a field, or the time between two dates. */
export type Subject =
  | { readonly kind: 'field'; readonly name: Name }
  /** `days`: whole days from the first date to the second; `age`: completed years. */
  | { readonly kind: 'days' | 'age'; readonly from: Name; readonly to: Name }

/** What the subject is compared with. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'field'; readonly name: Name }

export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const
export type Comparison = (typeof COMPARISONS)[number]

export type Condition =
  | { readonly kind: 'compare'; readonly of: Subject; readonly by: Comparison; readonly to: Operand }
  /** Both ends belong to the range. */
  | { readonly kind: 'between'; readonly of: Subject; readonly from: Operand; readonly to: Operand }
  /** A single answer is one of these values, or none of them. */
  | { readonly kind: 'oneOf' | 'noneOf'; readonly name: Name; readonly values: readonly string[] }
  /** One of several answers is this value, or none is. */
  | { readonly kind: 'includes' | 'excludes'; readonly name: Name; readonly value: string }
  | { readonly kind: 'answered' | 'missing'; readonly name: Name }

export interface ConditionGroup {
  readonly kind: 'group'
  readonly join: 'all' | 'any'
  readonly items: readonly (Condition | ConditionGroup)[]
}

/** Conditions as CEL; `''` where there are none. */
export function writeConditions(group: ConditionGroup): string {
  const parts = group.items.flatMap((item) => {
    const text = item.kind === 'group' ? writeConditions(item) : writeCondition(item)
    if (text === '') return []
    return [item.kind === 'group' || (item.kind === 'between' && group.join === 'any') ? `(${text})` : text]
  })
  // A group with one member is written as that member.
  const [only] = group.items
  if (parts.length === 1 && only?.kind === 'group') return writeConditions(only)
  return parts.length === 1 && only?.kind === 'between'
    ? writeCondition(only)
    : parts.join(group.join === 'all' ? ' && ' : ' || ')
}

function writeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
      return `${subjectText(condition.of)} ${condition.by} ${operandText(condition.to)}`
    case 'between': {
      const subject = subjectText(condition.of)
      return `${subject} >= ${operandText(condition.from)} && ${subject} <= ${operandText(condition.to)}`
    }
    case 'oneOf':
      return `${condition.name} in [${condition.values.map(textLiteral).join(', ')}]`
    case 'noneOf':
      return `!(${condition.name} in [${condition.values.map(textLiteral).join(', ')}])`
    case 'includes':
      return `${textLiteral(condition.value)} in ${condition.name}`
    case 'excludes':
      return `!(${textLiteral(condition.value)} in ${condition.name})`
    case 'answered':
      return `has(${condition.name})`
    case 'missing':
      return `!has(${condition.name})`
  }
}

function subjectText(subject: Subject): string {
  return subject.kind === 'field' ? subject.name : `${subject.kind}(${subject.from}, ${subject.to})`
}

function operandText(operand: Operand): string {
  switch (operand.kind) {
    case 'text':
      return textLiteral(operand.text)
    case 'number':
      return numberLiteral(operand.number)
    case 'field':
      return operand.name
  }
}

/** A text as CEL writes it. */
export function textLiteral(text: string): string {
  return JSON.stringify(text)
}

/** A number as CEL writes it; whole numbers beyond what a double holds exactly are written as doubles. */
export function numberLiteral(value: number): string {
  const text = String(value)
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`
}

/**
 * The same conditions in the one form in which they are read back. No group is within a group of its own kind, and none
 * has a single member. Two bounds of one subject that stand side by side, where all must hold, become `between`.
 */
export function normalConditions(group: ConditionGroup): ConditionGroup {
  const items = flattenGroup(group)
  const merged = group.join === 'all' ? withBetween(items) : items
  const [only] = merged
  if (merged.length === 1 && only?.kind === 'group') return only
  return { kind: 'group', join: merged.length < 2 ? 'all' : group.join, items: merged }
}

function flattenGroup({ join, items }: ConditionGroup): readonly (Condition | ConditionGroup)[] {
  return items.flatMap((item) => {
    if (item.kind !== 'group') return [item]
    const inner = normalConditions(item)
    return inner.items.length < 2 || inner.join === join ? inner.items : [inner]
  })
}

function withBetween(items: readonly (Condition | ConditionGroup)[]): readonly (Condition | ConditionGroup)[] {
  const merged: (Condition | ConditionGroup)[] = []
  for (const item of items) {
    const last = merged.at(-1)
    const isPair =
      last?.kind === 'compare' &&
      last.by === '>=' &&
      item.kind === 'compare' &&
      item.by === '<=' &&
      subjectText(last.of) === subjectText(item.of)
    if (isPair) merged[merged.length - 1] = { kind: 'between', of: last.of, from: last.to, to: item.to }
    else merged.push(item)
  }
  return merged
}
