import type { DataSetFacts, FactField } from '#core/api/calls/data/dataset.ts'
import type { DataSetDefinition, PlacedField } from '#core/dataset/definition.ts'
import { isWanted } from '#core/dataset/definition.ts'
import { namesIn } from '#src/ui/words/useNames.ts'

/** Pages and fields to choose from, in the reader's words. */

export interface ShownField extends PlacedField {
  /** With its table, where it is a column of one. */
  readonly label: string
  readonly fact: FactField
}

export interface ShownPage {
  readonly pageId: string
  readonly name: string
  readonly visits: string
  readonly fields: readonly ShownField[]
}

export function pagesToChoose({ pages }: DataSetFacts, language: 'zh' | 'en'): readonly ShownPage[] {
  const names = namesIn(language)
  return pages.map((page) => ({
    pageId: page.pageId,
    name: names.page({ pageName: page.name, pageNameEn: page.nameEn }),
    visits: page.folders
      .map((folder) => names.visit({ folderName: folder.name, folderNameEn: folder.nameEn }))
      .join(language === 'zh' ? '、' : ', '),
    fields: page.fields.map((fact) => ({
      pageId: page.pageId,
      table: fact.table,
      code: fact.code,
      label: labelOf(fact, language),
      fact,
    })),
  }))
}

function labelOf({ label, labelEn, tableLabel }: FactField, language: 'zh' | 'en'): string {
  const own = language === 'en' && labelEn !== null && labelEn !== '' ? labelEn : label
  return tableLabel === null ? own : `${tableLabel} · ${own}`
}

export function fieldKey({ pageId, table, code }: PlacedField): string {
  return `${pageId} ${table ?? ''}.${code}`
}

/** Keys of all fields that a definition asks for. */
export function chosenKeys(pages: readonly ShownPage[], definition: DataSetDefinition): ReadonlySet<string> {
  return new Set(pages.flatMap(({ fields }) => fields.filter((one) => isWanted(definition, one)).map(fieldKey)))
}

/** Pages as a definition has them: a page of which all fields are chosen takes later ones as well. */
export function pagesOf(pages: readonly ShownPage[], keys: ReadonlySet<string>): DataSetDefinition['pages'] {
  return pages.flatMap(({ pageId, fields }): NonNullable<DataSetDefinition['pages']> => {
    const chosen = fields.filter((one) => keys.has(fieldKey(one)))
    if (chosen.length === 0) return []
    if (chosen.length === fields.length) return [{ pageId, fields: null }]
    return [{ pageId, fields: chosen.map(({ table, code }) => ({ table, code })) }]
  })
}
