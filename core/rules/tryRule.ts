import { pathOf } from './reads.ts'
import type { Rule, RuleOutcome } from './rule.ts'
import type { CelValue, OtherPageValues, Moment, NamedValues } from './values.ts'
import { PageValues, RedcapValues, RowValues } from './values.ts'

/**
 * A rule on values that somebody makes up: by the names of the rule (`page.x`, `row.x`, `form.V1.vitals.x`). What has
 * no value is missing.
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
    // Imported logic has the same pages under a name of its own, with '' for what is missing.
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

/** The same as `NamedValues`, to be filled. */
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
