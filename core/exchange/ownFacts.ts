import type { Column } from '#core/form/definition/column.ts'

import type { DefinedPage, DefinitionFacts } from './definition.ts'

/** Counts of a definition in a format of ours. */
export function factsOfPages(pages: readonly DefinedPage[]): DefinitionFacts {
  const below = (column: Column): readonly Column[] => [
    column,
    ...(column.type === 'dynamic' ? (column.children?.column ?? []).flatMap(below) : []),
  ]
  const columns = pages
    .flatMap(({ option }) => [...option.column, ...(option.group ?? []).flatMap((group) => group.column)])
    .flatMap(below)
  const types: Record<string, number> = {}
  for (const { type } of columns) types[type] = (types[type] ?? 0) + 1
  return {
    forms: pages.length,
    fields: columns.length,
    field_types: types,
    choices: columns.reduce((sum, { dicData = [] }) => sum + dicData.length, 0),
    required: columns.filter(({ required }) => required === true).length,
    branching_rules: columns.filter(({ zl }) => zl?.show !== undefined).length,
    calc_fields: columns.filter(({ zl }) => zl?.calculate !== undefined).length,
  }
}
