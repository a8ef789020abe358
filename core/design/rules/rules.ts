import type { DesignColumn, DesignPage } from '#core/design/design.ts'
import { childrenOf } from '#core/design/design.ts'
import { isRecord } from '#core/form/definition/option.ts'
import type { Raw } from '#core/form/definition/option.ts'

/** Rewrites the rules of a page in place. */

const RULES = ['show', 'require', 'readOnlyWhen', 'calculate'] as const

/** Another text for a rule. `table`: the table whose row the rule belongs to; null for a rule of the page. */
type Rewrite = (source: string, table: string | null) => string

/** The page with its columns edited; the same object where no column changes. */
export function mapColumns(
  page: DesignPage,
  edit: (column: DesignColumn, table: string | null) => DesignColumn,
): DesignPage {
  const { form } = page
  if (form === null) return page
  let changed = false
  const editColumn = (column: DesignColumn): DesignColumn => {
    const children = childrenOf(column)
    const inRow = children.map((child) => edit(child, column.prop))
    const withRow: DesignColumn = inRow.some((child, at) => child !== children[at])
      ? { ...column, children: { ...(column.children as Raw), column: inRow } }
      : column
    const result = edit(withRow, null)
    if (result !== column) changed = true
    return result
  }
  const sections = form.sections.map((section) => ({ ...section, columns: section.columns.map(editColumn) }))
  return changed ? { ...page, form: { ...form, sections }, stored: null } : page
}

/** A column with its rules rewritten; the same object where none of them changes. */
export function withRules(column: DesignColumn, table: string | null, rewrite: Rewrite): DesignColumn {
  const { zl } = column
  if (!isRecord(zl)) return column
  let changed = false
  const rewriteSource = (source: string): string => {
    const text = rewrite(source, table)
    if (text !== source) changed = true
    return text
  }
  const rules = Object.fromEntries(
    RULES.flatMap((role) => (typeof zl[role] === 'string' ? [[role, rewriteSource(zl[role])]] : [])),
  )
  const checks = Array.isArray(zl.checks)
    ? zl.checks.map((check: unknown) =>
        isRecord(check) && typeof check.when === 'string' ? { ...check, when: rewriteSource(check.when) } : check,
      )
    : null
  const reference = Array.isArray(zl.reference)
    ? zl.reference.map((range: unknown) =>
        isRecord(range) && typeof range.when === 'string' ? { ...range, when: rewriteSource(range.when) } : range,
      )
    : null
  return changed
    ? {
        ...column,
        zl: { ...zl, ...rules, ...(checks === null ? {} : { checks }), ...(reference === null ? {} : { reference }) },
      }
    : column
}

/** Quoted text in a rule is not a name. */
const QUOTED = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/

/**
 * A rule with a name in it replaced.
 *
 * @param before what comes before the name, as the source of a regular expression: `page`, `form.V1`; a dot is between
 *   them
 */
export function renamedAfter(source: string, before: readonly string[], name: string, to: string): string {
  if (!source.includes(name)) return source
  const patterns = before.map((names) => new RegExp(`((?:^|[^\\w.])${names}\\s*\\.\\s*)${name}(?!\\w|\\s*\\()`, 'g'))
  const parts = source.split(QUOTED)
  return parts
    .map((part, at) =>
      at % 2 === 1
        ? part
        : patterns.reduce((text, pattern) => text.replace(pattern, (_, kept: string) => `${kept}${to}`), part),
    )
    .join('')
}
