import type { Field } from '#core/form/definition/page.ts'
import { valueKind } from '#core/form/definition/value.ts'
import type { Comparison, Condition, ConditionGroup, Operand, Subject } from '#core/rules/conditions.ts'
import { COMPARISONS, writeConditions } from '#core/rules/conditions.ts'
import type { RuleNames } from '#core/rules/complete.ts'
import { readConditions } from '#core/rules/readConditions.ts'

import type { FieldRuleReader } from '../ruleReader.ts'

/** Which conditions a field can have, and how a condition changes when another part of it is picked. */

/** What every part of the pickers needs. */
export interface ConditionParts {
  readonly names: RuleNames
  readonly reader: FieldRuleReader
  readonly canEdit: boolean
}

export type FieldKind = 'number' | 'date' | 'choice' | 'choices' | 'text' | 'other'

const DATES: ReadonlySet<string> = new Set(['date', 'datetime', 'year', 'month', 'week', 'time'])

export function kindOfField(field: Field | null): FieldKind {
  if (field === null) return 'other'
  switch (valueKind(field)) {
    case 'number':
      return 'number'
    case 'text':
      if (DATES.has(field.type)) return 'date'
      return field.choices.length > 0 ? 'choice' : 'text'
    case 'texts':
      return field.choices.length > 0 ? 'choices' : 'other'
    case 'numbers':
    case 'paths':
    case 'files':
    case 'rows':
      return 'other'
  }
}

/** The operator that is picked between the field and the value. */
export type Operator = Comparison | 'between' | 'oneOf' | 'noneOf' | 'includes' | 'excludes' | 'answered' | 'missing'

const OPERATORS: Readonly<Record<FieldKind, readonly Operator[]>> = {
  number: [...COMPARISONS, 'between', 'answered', 'missing'],
  date: [...COMPARISONS, 'between', 'answered', 'missing'],
  choice: ['==', '!=', 'oneOf', 'noneOf', 'answered', 'missing'],
  choices: ['includes', 'excludes', 'answered', 'missing'],
  text: ['==', '!=', 'oneOf', 'noneOf', 'answered', 'missing'],
  other: ['answered', 'missing'],
}

/** The operators of a field, and the present operator of the condition even where it no longer fits. */
export function operatorsOf(kind: FieldKind, condition: Condition): readonly Operator[] {
  const has = operatorOf(condition)
  // The time between two dates can only be compared.
  const offered =
    'of' in condition && condition.of.kind !== 'field' ? ([...COMPARISONS, 'between'] as const) : OPERATORS[kind]
  return (offered as readonly Operator[]).includes(has) ? offered : [...offered, has]
}

export function operatorOf(condition: Condition): Operator {
  return condition.kind === 'compare' ? condition.by : condition.kind
}

/** The field of a condition; `''` where none is picked yet. */
export function nameOf(condition: Condition): string {
  if (!('of' in condition)) return condition.name
  return condition.of.kind === 'field' ? condition.of.name : condition.of.from
}

/** A condition that nobody has filled in yet: it adds nothing to the rule. */
export const BLANK: Condition = {
  kind: 'compare',
  of: { kind: 'field', name: '' },
  by: '==',
  to: { kind: 'text', text: '' },
}

const EMPTY_TEXT: Operand = { kind: 'text', text: '' }

/** The same condition for another field; its value begins empty again. */
export function withField(name: string, kind: FieldKind): Condition {
  return withOperator({ kind: 'answered', name }, kind === 'other' ? 'answered' : (OPERATORS[kind][0] ?? 'answered'))
}

/** The same field with another operator; the value is kept as far as possible. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  const name = nameOf(condition)
  const of: Subject = 'of' in condition ? condition.of : { kind: 'field', name }
  const to: Operand =
    condition.kind === 'compare'
      ? condition.to
      : condition.kind === 'between'
        ? condition.from
        : 'values' in condition
          ? { kind: 'text', text: condition.values[0] ?? '' }
          : EMPTY_TEXT
  switch (operator) {
    case 'answered':
    case 'missing':
      return { kind: operator, name }
    case 'between':
      return { kind: 'between', of, from: to, to: condition.kind === 'between' ? condition.to : EMPTY_TEXT }
    case 'oneOf':
    case 'noneOf':
      return {
        kind: operator,
        name,
        values: 'values' in condition ? condition.values : to.kind === 'text' && to.text !== '' ? [to.text] : [],
      }
    case 'includes':
    case 'excludes':
      return { kind: operator, name, value: 'value' in condition ? condition.value : '' }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { kind: 'compare', of, by: operator, to }
  }
}

/** Whether every part of the condition is picked. */
function isWhole(condition: Condition): boolean {
  const isGiven = (operand: Operand): boolean =>
    operand.kind === 'text' ? operand.text !== '' : operand.kind === 'number' || operand.name !== ''
  const named =
    'of' in condition && condition.of.kind !== 'field'
      ? condition.of.from !== '' && condition.of.to !== ''
      : nameOf(condition) !== ''
  if (!named) return false
  switch (condition.kind) {
    case 'compare':
      return isGiven(condition.to)
    case 'between':
      return isGiven(condition.from) && isGiven(condition.to)
    case 'oneOf':
    case 'noneOf':
      return condition.values.length > 0
    case 'includes':
    case 'excludes':
      return condition.value !== ''
    case 'answered':
    case 'missing':
      return true
  }
}

/** The conditions of a group that are filled in. */
function wholeOf(group: ConditionGroup): ConditionGroup {
  return {
    ...group,
    items: group.items.flatMap((item): readonly (Condition | ConditionGroup)[] =>
      item.kind === 'group' ? [wholeOf(item)] : isWhole(item) ? [item] : [],
    ),
  }
}

/** Conditions as CEL, without those that are not filled in. */
export function textOf(group: ConditionGroup): string {
  return writeConditions(wholeOf(group))
}

/** The text of a check that nobody has written yet: it never fails. */
export const NEVER = 'false'

/** The conditions of a rule; null where the pickers cannot show it. */
export function conditionsOf(source: string): ConditionGroup | null {
  return readConditions(source.trim() === NEVER ? '' : source)
}
