import type { CompiledCheck } from '#core/form/compiled/compile.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { canonicalJson, jsonEqual } from '#core/json.ts'
import type { RuleScope } from '#core/rules/rule.ts'
import type { Confirmation } from '#core/sync/confirmation.ts'

import type { Issue } from './issue.ts'

/** Warnings ask for an answer: a person corrects the value or confirms it. */

/** An issue that asks for an answer. */
export type Warning = Extract<Issue, { readonly says: string }>

/** Whether an issue has to be confirmed or corrected. Checks of severity `query` have not: those are for reviewers. */
export function isWarning(issue: Issue): issue is Warning {
  return (
    issue.code === 'implausible-low' ||
    issue.code === 'implausible-high' ||
    (issue.code === 'check' && issue.severity === 'warning')
  )
}

/** Whether an issue is a warning that nobody has answered yet. */
export function isUnanswered(issue: Issue): boolean {
  return isWarning(issue) && issue.answer === null
}

/** The name of a warning among those of its field: a value is confirmed against each warning separately. */
export function warningName(warning: Warning): string {
  return warning.code === 'check' ? `check.${warning.id}` : 'plausible'
}

/** The warning with its valid answer: one that was given to the same text about the same value. */
export function answerWarning(warning: Warning, value: JsonValue | null, answers: readonly Confirmation[]): Warning {
  if (answers.length === 0) return warning
  const name = warningName(warning)
  const answer = answers.find((one) => one.warning === name && one.says === warning.says && jsonEqual(one.value, value))
  return answer === undefined ? warning : { ...warning, answer }
}

/** A short text of a plausible range. */
export function saysOfRange({ plausible: { min, max } }: Field): string {
  return digest(canonicalJson([min, max]))
}

/** A short text of a check: its rule, and the values of the page and the row that it reads. */
export function saysOfCheck({ rule, open }: CompiledCheck, scope: RuleScope): string {
  const values = [
    open.page.map((code) => scope.page.get(code) ?? null),
    open.row.map((code) => scope.row?.get(code) ?? null),
  ]
  return digest(`${rule.source}\n${JSON.stringify(values, plain)}`)
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Map ? Object.fromEntries(value) : value
}

/** 53 bits of a text: enough to compare two texts, and too few to find out what the text was. */
function digest(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
