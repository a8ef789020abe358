import type { CheckRule } from '#core/form/definition/column.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import type { Limits, Reference } from '#core/form/definition/readLimits.ts'

import type { RuleField, RuleFields } from './ruleWords.ts'
import { ruleInWords } from './ruleWords.ts'
import type { PrintWords } from './words.ts'

/** What an annotated form says of a field beside its label, code and choices. */

/** The pages of a version by their codes; null for one that cannot be read. */
export type Models = ReadonlyMap<string, PageModel | null>

/** Where a field stands. */
export interface Around {
  readonly words: PrintWords
  /** The page's code. */
  readonly own: string
  readonly models: Models
  /** The table that the fields are columns of. */
  readonly table: Field | null
}

export type Fact = readonly [name: string, text: string]

/** What a field asks of its answer, but for rules. */
export function plainFacts(field: Field, words: PrintWords): readonly Fact[] {
  const between = (name: string, { min, max }: Limits): readonly Fact[] =>
    min === null && max === null ? [] : [[name, `${min ?? ''} – ${max ?? ''}`]]
  return [
    ...(field.required ? [[words.required, ''] as const] : []),
    ...(field.readOnly.add && field.readOnly.input ? [[words.readOnly, ''] as const] : []),
    ...(field.hidden.add && field.hidden.input ? [[words.hidden, ''] as const] : []),
    ...(field.identifier ? [[words.identifier, ''] as const] : []),
    ...(field.unit === null ? [] : [[words.unit, inLanguage(words.language, field.unit, field.unitEn)] as const]),
    ...between(words.range, field),
    ...between(words.plausible, field.plausible),
    ...(field.precision === null ? [] : [[words.precision, String(field.precision)] as const]),
    ...(field.limit === null ? [] : [[words.rows, String(field.limit)] as const]),
    ...(field.initial === null || field.initial === ''
      ? []
      : [[words.value, typeof field.initial === 'string' ? field.initial : JSON.stringify(field.initial)] as const]),
  ]
}

/** Rules of a field in words. */
export function ruleFacts(field: Field, around: Around): readonly Fact[] {
  const { words } = around
  const putInWords = (cel: string) => ruleInWords(cel, fieldsFor(around), words.rule)
  const of = (name: string, cel: string | null): readonly Fact[] => (cel === null ? [] : [[name, putInWords(cel)]])
  const reference = ({ when, min, max }: Reference): Fact => [
    words.reference,
    `${min ?? ''} – ${max ?? ''}${when === null ? '' : ` (${putInWords(when)})`}`,
  ]
  const check = ({ when, severity, message }: CheckRule): Fact => [
    `${words.check} (${words.severity[severity]})`,
    `${putInWords(when)} → ${inLanguage(words.language, message.zh, message.en)}`,
  ]
  return [
    ...of(words.show, field.show),
    ...of(words.require, field.require),
    ...of(words.readOnlyWhen, field.readOnlyWhen),
    ...of(words.calculate, field.calculate),
    ...field.references.map(reference),
    ...field.checks.map(check),
  ]
}

/** What the names in a rule stand for, as they are seen from a page or from the rows of a table. */
function fieldsFor({ own, models, table, words }: Around): RuleFields {
  return ([variable, ...names]) => {
    const prop = names.at(-1) ?? ''
    if (variable === 'row')
      return describeField(
        table?.children.find((child) => child.code === prop),
        words,
      )
    if (variable === 'page' || variable === 'rc' || variable === 'rcStored')
      return names.length === 1 ? describeField(models.get(own)?.byCode.get(prop), words) : null
    const isOther = variable === 'visit' || variable === 'rcVisit' || variable === 'visits' || variable === 'form'
    const page = isOther ? (variable === 'form' ? names[1] : names[0]) : undefined
    return page === undefined ? null : describeField(models.get(page)?.byCode.get(prop), words)
  }
}

function describeField(field: Field | undefined, { language }: PrintWords): RuleField | null {
  if (field === undefined) return null
  return {
    label: inLanguage(language, field.label, field.labelEn),
    choices: new Map(field.choices.map(({ value, label, labelEn }) => [value, inLanguage(language, label, labelEn)])),
  }
}
