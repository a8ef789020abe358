import { jsonEqual } from '#core/json.ts'
import type { JsonValue } from '#core/json.ts'
import { isRecord } from '#core/form/definition/option.ts'

import type { Design, DesignColumn, DesignPage } from './design.ts'
import { columnsOf, optionOf, optionText, samePage } from './design.ts'
import { mapColumns } from './rules/rules.ts'

/**
 * Which right a change of a definition needs: its rules need one right, everything else another
 * (docs/adr/0030-rules.md).
 */
export interface Touched {
  readonly rules: boolean
  readonly form: boolean
}

/**
 * What was changed between two states of a definition. Rules that go with their field are not a change of rules; rules
 * that come with a new field are. An unreadable page may contain either, and counts as both.
 */
export function touchedBy(before: Design, after: Design): Touched {
  let touched: Touched = {
    rules: false,
    form:
      !jsonEqual(json(before.folders), json(after.folders)) ||
      [...before.pages.keys()].some((id) => !after.pages.has(id)),
  }
  for (const page of after.pages.values()) {
    if (touched.rules && touched.form) break
    const old = before.pages.get(page.id)
    if (old !== undefined && samePage(old, page)) continue
    const of = touchedOfPage(old, page)
    touched = { rules: touched.rules || of.rules, form: touched.form || of.form }
  }
  return touched
}

function touchedOfPage(before: DesignPage | undefined, after: DesignPage): Touched {
  if (after.form === null || (before !== undefined && before.form === null)) return { rules: true, form: true }
  const [old, now] = [before === undefined ? new Map<string, string>() : rulesByField(before), rulesByField(after)]
  return {
    rules: [...now].some(([field, rules]) => (old.get(field) ?? NO_RULES) !== rules),
    form: before === undefined || withoutRules(before) !== withoutRules(after),
  }
}

const RULE_KEYS = ['show', 'require', 'readOnlyWhen', 'calculate', 'checks'] as const
const NO_RULES = '{}'

/** The texts of each field's rules, by the field's name. */
function rulesByField({ form }: DesignPage): ReadonlyMap<string, string> {
  if (form === null) return new Map()
  return new Map(
    Array.from(columnsOf(form), ({ table, column }) => [
      table === null ? column.prop : `${table.prop}.${column.prop}`,
      rulesText(column),
    ]),
  )
}

function rulesText({ zl }: DesignColumn): string {
  if (!isRecord(zl)) return NO_RULES
  return JSON.stringify(Object.fromEntries(RULE_KEYS.flatMap((key) => (zl[key] === undefined ? [] : [[key, zl[key]]]))))
}

/** The whole page without its rules, as one text. */
function withoutRules(page: DesignPage): string {
  const { form } = mapColumns(page, (column) => stripColumn(column))
  const { pageName, pageNameEn, pageCode, repeatable } = page
  return JSON.stringify([pageName, pageNameEn, pageCode, repeatable, form === null ? optionText(page) : optionOf(form)])
}

function stripColumn(column: DesignColumn): DesignColumn {
  if (!isRecord(column.zl)) return column
  const rest = Object.fromEntries(Object.entries(column.zl).filter(([key]) => !RULE_KEYS.some((one) => one === key)))
  const { zl: _, ...own } = column
  return Object.keys(rest).length === 0 ? own : { ...own, zl: rest }
}

function json(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}
