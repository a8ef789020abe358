import type { Report } from '#core/exchange/definition.ts'
import type { Column } from '#core/form/definition/column.ts'
import { requiredMessage } from '#core/form/definition/requiredColumn.ts'
import type { SourceRule, SourceRules } from '#core/exchange/xpath/form.ts'

import type { Languages } from './languages.ts'
import { bilingual, spokenIn } from './languages.ts'
import type { FormRow } from './table.ts'
import { cellText } from './table.ts'

/** What the columns of a row say that a rule may be made of. */

const YES: ReadonlySet<string> = new Set(['yes', 'true', 'true()', '1'])
const NO: ReadonlySet<string> = new Set(['', 'no', 'false', 'false()', '0'])

/** A cell that is a constant, or an expression. */
export function flagOf(text: string): boolean | null {
  const plain = text.toLowerCase()
  return YES.has(plain) ? true : NO.has(plain) ? false : null
}

interface RowPlace {
  readonly row: FormRow
  readonly path: readonly string[]
  readonly report: Report
  readonly languages: Languages
  /** Of the groups around it. */
  readonly around: readonly SourceRule[]
}

export function rulesOf({ row, path, report, languages, around }: RowPlace): SourceRules {
  const rule = (name: string): SourceRule | null => {
    const text = cellText(row, name)
    return text === '' ? null : { text, path, report }
  }
  const unless = (name: string): SourceRule | null => (flagOf(cellText(row, name)) === null ? rule(name) : null)
  const relevant = rule('relevant')
  return {
    show: relevant === null ? around : [...around, relevant],
    require: unless('required'),
    readOnly: unless('readonly'),
    constraint: rule('constraint'),
    message: bilingual(spokenIn(row, 'constraint_message', languages, report)),
    calculate: rule('calculation'),
    stop: null,
  }
}

/** The rules of a note. ODK stops at one that is required and shown, which forms use against contradictory answers. */
export function rulesOfNote(rules: SourceRules, { row, report, languages }: RowPlace): SourceRules {
  const isRequired = flagOf(cellText(row, 'required')) === true
  if (!isRequired && rules.require === null) return rules
  const message = bilingual(spokenIn(row, 'required_message', languages, report)) ?? DEFAULT_STOP
  return { ...rules, require: null, stop: { when: isRequired ? null : rules.require, message } }
}

export const DEFAULT_STOP = { zh: '请先按此提示改正，才能提交', en: 'Resolve what this note says before submitting' }

/** What a row says of its field without any rule. */
export function applyFlags(column: Column, row: FormRow, languages: Languages, report: Report): Column {
  const required = flagOf(cellText(row, 'required')) === true
  const own = spokenIn(row, 'required_message', languages, report).text
  const message = own === '' ? requiredMessage(column.label) : own
  return {
    ...column,
    ...(required ? { required, rules: [{ required, message, trigger: 'blur' }] } : {}),
    ...(flagOf(cellText(row, 'readonly')) === true ? { readonly: true } : {}),
  }
}
