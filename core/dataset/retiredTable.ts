import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { valueText } from '#core/form/definition/value.ts'
import type { RetiredValue } from '#core/sync/retired.ts'

import { toldVariable } from './aboutColumns.ts'
import type { LeavingEntry } from './aboutColumns.ts'
import { isWanted, keyOfField } from './definition.ts'
import { cellsOf } from './longTables.ts'
import type { Leaving } from './pagePlan.ts'
import { keysOfEntry, rowsOfEntries } from './rowsOf.ts'
import type { Reading } from './rowsOf.ts'
import type { StudyPage } from './source.ts'
import type { CellValue, DataTable, Row } from './table.ts'
import { codeLabels } from './words.ts'
import type { DataWord } from './words.ts'

/**
 * Values that no field of the forms has a place for any more. They leave beside the data, as a person reads them. Where
 * data are de-identified, only that there is one leaves: nobody can say what such a text tells.
 */

export function retiredTable(pages: readonly StudyPage[], leaving: Leaving, reading: Reading, name: string): DataTable {
  const { definition } = leaving
  const { language, deidentify } = definition
  const keys = keysOfEntry(definition)
  const variable = (word: DataWord) => toldVariable(word, word, language)
  const byId = new Map(pages.map((page) => [page.pageId, page]))
  return {
    name,
    label: inLanguage(language, '现行表单中已无位置的值', 'Values without a place in the current forms'),
    variables: [
      ...keys.map((key) => key.variable),
      ...(['page', 'table', 'code', 'label'] as const).map(variable),
      { ...variable('why'), codes: codeLabels('why', language) },
      ...(deidentify.on ? [] : (['value', 'missing'] as const).map(variable)),
    ],
    rows: () =>
      rowsOfEntries(reading, { pageId: null, retired: true }, (at) => {
        const page = byId.get(at.entry.pageId)
        return page === undefined ? [] : retiredRows(at, page, leaving).map((row) => [...cellsOf(keys, at), ...row])
      }),
  }
}

function retiredRows({ entry }: LeavingEntry, page: StudyPage, leaving: Leaving): readonly Row[] {
  const { definition, isIdentifying } = leaving
  return Object.entries(entry.retired).flatMap(([key, one]): readonly Row[] => {
    const place = { table: one.table, code: one.code ?? key.slice(key.lastIndexOf('.') + 1) }
    if (!isWanted(definition, { pageId: page.pageId, ...place })) return []
    const isMasked = page.masked.has(keyOfField(place)) || (place.table !== null && page.masked.has(place.table))
    if (isMasked && (definition.deidentify.on || !isIdentifying)) return []
    const told: readonly CellValue[] = [page.code, place.table, place.code, one.label ?? null, one.why ?? null]
    return [definition.deidentify.on ? told : [...told, textOf(one), one.missing?.reason ?? null]]
  })
}

function textOf({ value, text, missing }: RetiredValue): CellValue {
  return text ?? (value === null ? missing : valueText(value))
}
