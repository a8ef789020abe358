import type { DesignForm } from '#core/design/design.ts'
import { columnAt, optionOf } from '#core/design/design.ts'
import type { FieldAddress } from '#core/design/designEdit.ts'
import type { Field } from '#core/form/page.ts'
import { readPage } from '#core/form/page.ts'
import { VersionPages, fieldTypes, sourcesOf } from '#core/form/version.ts'
import type { RuleExpectation, RuleProblem } from '#core/rules/problem.ts'
import { ruleCompiler } from '#core/rules/rule.ts'
import type { FolderRow } from '#core/sync/rows.ts'

/** Reads a rule of a field as it is typed: what is wrong with it, or null. A page that cannot be read has no rules to be checked against. */
export function ruleReader(folders: readonly FolderRow[], form: DesignForm, field: FieldAddress): (text: string, expected: RuleExpectation) => RuleProblem | null {
  const read = readPage(optionOf(form))
  if (!read.ok || columnAt(form, field.table, field.prop) === null) return () => null
  const others = new VersionPages(folders)
  const { page } = read
  const row: readonly Field[] | null = field.table === null ? null : (page.byProp.get(field.table)?.children ?? [])
  const types = fieldTypes(page.fields)
  return (text, expected) => {
    const compiler = ruleCompiler(types, others, [...sourcesOf(page.fields), ...sourcesOf(row ?? []), text], row === null ? null : fieldTypes(row))
    const result = compiler.compile(text, expected)
    return result.ok ? null : result.problem
  }
}
