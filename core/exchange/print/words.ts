import type { FieldType } from '#core/form/definition/column.ts'

/** Words of an annotated form on paper. */
export interface PrintWords {
  readonly language: 'zh' | 'en'
  readonly title: string
  readonly visits: string
  readonly visit: string
  readonly code: string
  readonly type: string
  readonly choices: string
  readonly required: string
  readonly readOnly: string
  readonly hidden: string
  readonly identifier: string
  readonly unit: string
  readonly range: string
  readonly plausible: string
  readonly reference: string
  readonly precision: string
  readonly value: string
  readonly rows: string
  readonly repeatable: string
  readonly show: string
  readonly require: string
  readonly readOnlyWhen: string
  readonly calculate: string
  readonly check: string
  readonly severity: Readonly<Record<'error' | 'warning' | 'query', string>>
  readonly types: Readonly<Record<FieldType, string>>
  readonly rule: RuleWords
}

/** How rules are said. `{a}` and `{b}` stand for the two sides. */
export interface RuleWords {
  readonly and: string
  readonly or: string
  readonly not: string
  readonly equal: string
  readonly unequal: string
  readonly less: string
  readonly atMost: string
  readonly more: string
  readonly atLeast: string
  readonly chosen: string
  readonly filled: string
  readonly blank: string
  readonly today: string
  readonly now: string
}
