import { pathOf } from './reads.ts'
import type { Rule, RuleOutcome } from './rule.ts'
import type { CelValue, OtherPageValues, Moment, NamedValues } from './values.ts'
import { PageValues, RedcapValues, RowValues } from './values.ts'

/**
 * Runs a rule on made-up values, which are given by the names of the rule (`page.x`, `row.x`, `form.V1.vitals.x`). A
 * name without a value is missing.
 */
export function tryRule(rule: Rule, values: ReadonlyMap<string, CelValue>, moment: Moment): RuleOutcome {
  const page = new PageValues()
  const row = new RowValues()
  const otherPages: Record<keyof OtherPageValues, Names> = {
    visit: new Map(),
    rcVisit: new Map(),
    form: new Map(),
    visits: new Map(),
  }
  for (const code of rule.reads) put(page, [code], values.get(`page.${code}`))
  for (const code of rule.readsRow) put(row, [code], values.get(`row.${code}`))
  for (const reference of rule.readsOtherPages) {
    const [variable, ...names] = pathOf(reference)
    const value = values.get([variable, ...names].join('.'))
    put(otherPages[variable], names, value)
    // Imported logic reads the same pages under the name `rcVisit`, with '' for a missing value.
    if (variable === 'visit') put(otherPages.rcVisit, names, value ?? '')
  }
  return rule.evaluate({ page, rc: new RedcapValues(page), row, moment, otherPages })
}

/** The names of all that a rule reads, each once. */
export function namesRead(rule: Rule): readonly string[] {
  return [
    ...rule.reads.map((code) => `page.${code}`),
    ...rule.readsRow.map((code) => `row.${code}`),
    ...rule.readsOtherPages.map((reference) => pathOf(reference).join('.')),
  ]
}

/** `NamedValues` that can be written to. */
interface Names extends Map<string, NamedValues | CelValue> {}

function put(into: Names, [name = '', ...more]: readonly string[], value: CelValue | undefined): void {
  if (more.length === 0) {
    if (value !== undefined) into.set(name, value)
    return
  }
  const known = into.get(name)
  const inner: Names = known instanceof Map ? known : new Map()
  into.set(name, inner)
  put(inner, more, value)
}
