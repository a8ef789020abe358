import { columnAt, optionOf, readForm } from '#core/design/design.ts'
import { addFields, codesIn, freeCode } from '#core/design/fields.ts'
import type { CompiledPage } from '#core/form/compiled/compile.ts'
import type { OtherPages } from '#core/form/engine/otherPages.ts'
import { evaluateEntry } from '#core/form/engine/evaluate.ts'
import type { Moment } from '#core/rules/values.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'

/**
 * A rule tried on entered data. It is put on its page as the calculation of an invisible field, so that it reads what
 * the page's own rules would read: calculated values as they must be, and hidden values as missing.
 */

export interface RuleProbe {
  /** The table on whose rows it is tried; null for the page itself. */
  readonly table: string | null
  /** The code of the field that it calculates. */
  readonly prop: string
}

/** The result of a rule on an entry. For a table, one row is enough to fire. */
export type RuleRunOutcome = 'fires' | 'silent' | 'unknown' | 'fault'

/** The option of a page with the tried rule added; null where the page is unreadable or has no such table. */
export function addProbe(
  option: string,
  { table, kind, source }: { readonly table: string | null; readonly kind: RuleKind; readonly source: string },
): { readonly option: string; readonly probe: RuleProbe } | null {
  const form = readForm(option)
  if (form === null || (table !== null && columnAt(form, null, table)?.type !== 'dynamic')) return null
  const prop = freeCode('zlRun', codesIn(form, table))
  // The line break ends a comment at the end of the rule.
  const calculate = kind === 'calculate' ? source : `(${source}\n) ? 1.0 : 0.0`
  const column = { prop, label: prop, type: kind === 'calculate' ? 'input' : 'number', zl: { calculate } }
  return {
    option: JSON.stringify(optionOf(addFields(form, { pageId: '', table, section: '', at: 0 }, [column]))),
    probe: { table, prop },
  }
}

/** The result of the tried rule on an entry of its page. */
export function tryOnEntry(
  compiled: CompiledPage,
  { table, prop }: RuleProbe,
  kind: RuleKind,
  data: EntryData,
  moment: Moment,
  otherPages: OtherPages,
): RuleRunOutcome {
  const { calculated, faults } = evaluateEntry(compiled, data, moment, otherPages)
  const values = calculated.flatMap((item) => (item.table === table && item.code === prop ? [item.value] : []))
  if (values.some((value) => value !== null && (kind === 'calculate' || value === 1))) return 'fires'
  if (faults.some((fault) => fault.code === prop)) return 'fault'
  return values.includes(null) ? 'unknown' : 'silent'
}
