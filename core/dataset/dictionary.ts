import type { Language } from '#core/language.ts'

import { toldVariable } from './aboutColumns.ts'
import type { DataTable, Row } from './table.ts'
import { dataWord } from './words.ts'
import type { DataWord } from './words.ts'

/** The dictionary of a data set: a row for each variable of each table. */

const COLUMNS = [
  'table',
  'variable',
  'variable_label',
  'role',
  'type',
  'decimals',
  'unit',
  'codes',
  'page',
  'code',
] as const satisfies readonly DataWord[]

/** @param pageCodes codes of the pages by their ids */
export function dictionaryTable(
  tables: readonly DataTable[],
  language: Language,
  pageCodes: ReadonlyMap<string, string>,
): DataTable {
  const rows = tables.flatMap((table) =>
    table.variables.map(({ name, label, role, type, decimals, unit, codes, field }): Row => {
      const page = field === null ? null : (pageCodes.get(field.pageId) ?? null)
      const code = field === null ? null : field.table === null ? field.code : `${field.table}.${field.code}`
      const list = codes.map((one) => `${one.code}=${one.label}`).join('; ')
      return [table.name, name, label, role, type, decimals, unit, list === '' ? null : list, page, code]
    }),
  )
  return {
    name: 'dictionary',
    label: dataWord('dictionary', language),
    variables: COLUMNS.map((word) => toldVariable(word, word, language, word === 'decimals' ? { type: 'number' } : {})),
    rows: () => once(rows),
  }
}

async function* once(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield await Promise.resolve(rows)
}
