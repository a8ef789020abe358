import type { DefinitionFacts } from '#core/exchange/definition.ts'
import type { Sheet } from '#core/exchange/sheet/sheetTable.ts'

import { countedType, isQuestion, rowType } from './questionTypes.ts'
import { flagOf } from './rules.ts'
import type { FormTable } from './table.ts'
import { cellText } from './table.ts'

/** Counts of an XLSForm, taken from its sheets themselves. */
export function factsOf(sheets: readonly Sheet[], survey: FormTable, choices: FormTable): DefinitionFacts {
  const rows = survey.rows.filter((row) => cellText(row, 'type') !== '')
  const types: Record<string, number> = {}
  for (const row of rows) {
    const type = countedType(cellText(row, 'type'))
    types[type] = (types[type] ?? 0) + 1
  }
  const countFilled = (name: string) => rows.filter((row) => cellText(row, name) !== '').length
  const listed = choices.rows.filter((row) => cellText(row, 'list_name') !== '')
  const questions = rows.filter((row) => isQuestion(rowType(cellText(row, 'type')))).length
  return {
    forms: 1,
    fields: questions,
    field_types: types,
    choices: listed.length,
    required: rows.filter((row) => flagOf(cellText(row, 'required')) !== false).length,
    branching_rules: countFilled('relevant'),
    calc_fields: countFilled('calculation'),
    more: {
      format: 'XLSForm',
      sheets: sheets.map(({ name }) => name),
      survey_rows: rows.length,
      types,
      questions,
      groups: types['begin_group'] ?? 0,
      repeats: types['begin_repeat'] ?? 0,
      relevant: countFilled('relevant'),
      constraint: countFilled('constraint'),
      calculation: countFilled('calculation'),
      choice_filter: countFilled('choice_filter'),
      default: countFilled('default'),
      label_languages: survey.headers.filter(({ name }) => name === 'label').map(({ title }) => title),
      choice_lists: new Set(listed.map((row) => cellText(row, 'list_name'))).size,
    },
  }
}
