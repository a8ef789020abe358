import type { Design } from '#core/design/design.ts'
import { columnAt, foldersOf, optionOf } from '#core/design/design.ts'
import type { DesignFieldKey } from '#core/design/designEdit.ts'
import { calculationResult } from '#core/form/compiled/compile.ts'
import type { Field } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'
import { VersionPages, fieldTypes, sourcesOf } from '#core/form/compiled/version.ts'
import type { RuleExpectation, RuleProblem } from '#core/rules/problem.ts'
import type { RuleResult } from '#core/rules/rule.ts'
import { ruleCompiler } from '#core/rules/rule.ts'

/** Reads the rules of a field: which names they may use, and what type they must give. */
export interface FieldRuleReader {
  /** Compiles a rule of the field as it is typed. */
  readonly compile: (text: string, expected: RuleExpectation) => RuleResult
  /** The type that a calculation of the field must give. */
  readonly calculation: RuleExpectation
  /** The field that a name in a rule means (`page.x`, `form.V1.vitals.x`); null where there is none. */
  readonly fieldNamed: (name: string) => Field | null
}

/** Null for a field of a page that cannot be read: then its rules cannot be checked. */
export function fieldRuleReader(design: Design, { pageId, table, prop }: DesignFieldKey): FieldRuleReader | null {
  const form = design.pages.get(pageId)?.form ?? null
  const read = form === null ? null : readPage(optionOf(form))
  if (form === null || read?.ok !== true || columnAt(form, table, prop) === null) return null
  const others = new VersionPages(foldersOf(design))
  const { page } = read
  const row: readonly Field[] | null = table === null ? null : (page.byCode.get(table)?.children ?? [])
  const types = fieldTypes(page.fields)
  const own = (row ?? page.fields).find((field) => field.code === prop)
  return {
    compile: (text, expected) =>
      ruleCompiler(
        types,
        others,
        [...sourcesOf(page.fields), ...sourcesOf(row ?? []), text],
        row === null ? null : fieldTypes(row),
      ).compile(text, expected),
    calculation: own === undefined ? 'value' : calculationResult(own),
    fieldNamed: (name) => {
      const [variable, ...path] = name.split('.')
      const code = path.at(-1) ?? ''
      if (variable === 'page') return page.byCode.get(code) ?? null
      if (variable === 'row') return row?.find((field) => field.code === code) ?? null
      return others.model(path[variable === 'form' ? 1 : 0] ?? '')?.byCode.get(code) ?? null
    },
  }
}

/** Says what is wrong with a rule of a field as it is typed, or null. */
export function ruleReader(
  design: Design,
  field: DesignFieldKey,
): (text: string, expected: RuleExpectation) => RuleProblem | null {
  const reader = fieldRuleReader(design, field)
  return (text, expected) => {
    const result = reader?.compile(text, expected)
    return result === undefined || result.ok ? null : result.problem
  }
}
