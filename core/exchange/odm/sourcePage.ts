import type { Report } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import type { CheckRule, Column, ColumnGroup, PageOption } from '#core/form/definition/column.ts'
import { isRecord } from '#core/form/definition/option.ts'

import { withOwnWords } from './ownWords.ts'
import type { PendingCheck } from './ranges.ts'

/** A page as it is read, before its rules are there; and as it becomes with them. */

/** A field of a page, or a table with the fields of its rows. */
export interface SourceField {
  readonly oid: string
  readonly report: Report
  readonly place: SourcePlace
  /** OIDs of the form and the groups that it stands in. */
  readonly above: readonly string[]
  readonly method: XmlElement | null
  /** When it is not asked for: its own condition and those of the groups that it is in. */
  readonly conditions: readonly XmlElement[]
  readonly checks: readonly (CheckRule | PendingCheck)[]
  /** What its own alias says; taken in once the rules are there. */
  words: Readonly<Record<string, unknown>>
  column: Column
  /** Of a table. */
  readonly children: SourceField[]
}

export interface SourcePlace {
  readonly page: string
  /** Code of the table that it is in a row of; null for a field of the page. */
  readonly table: string | null
  readonly prop: string
}

export interface SourceSection {
  /** Null for fields that stand in no group. */
  readonly label: string | null
  readonly labelEn: string | null
  readonly prop: string
  readonly fields: SourceField[]
}

export interface SourcePage {
  readonly oid: string
  readonly code: string
  readonly name: string
  readonly nameEn: string | null
  readonly repeatable: boolean
  readonly sections: SourceSection[]
  /** What its own alias says of the settings of the page. */
  readonly words: Readonly<Record<string, unknown>>
}

/** The option of a page as its fields stand now. */
export function optionOf({ sections, words, oid, code }: SourcePage): PageOption {
  const filled = sections.map((section) => ({ ...section, columns: section.fields.map(columnOf) }))
  const group = filled.flatMap(({ label, labelEn, prop, columns }): readonly ColumnGroup[] =>
    label === null ? [] : [{ label, ...(labelEn === null ? {} : { labelEn }), prop, column: columns }],
  )
  const zl = isRecord(words['zl']) ? words['zl'] : oid === code ? {} : { sourceOid: oid }
  return {
    ...(isRecord(words['layout']) ? words['layout'] : LAYOUT),
    column: filled.flatMap(({ label, columns }) => (label === null ? columns : [])),
    ...(group.length === 0 ? {} : { group }),
    ...(Object.keys(zl).length === 0 ? {} : { zl }),
  }
}

/** How a page is laid out that comes from elsewhere. */
export const LAYOUT = { labelPosition: 'top', labelSuffix: '', labelWidth: 120 } as const

/** A column with what its own alias says. */
export function columnOf(field: SourceField): Column {
  const rows = field.children.map(columnOf)
  const column = field.column.type === 'dynamic' ? { ...field.column, children: { column: rows } } : field.column
  if (Object.keys(field.words).length === 0) return column
  const said = withOwnWords(column, { ...field.words, prop: field.place.prop })
  // The rows are read each by itself; the alias of the table says nothing of them.
  return said === null
    ? column
    : field.column.type === 'dynamic'
      ? { ...said, children: { ...said.children, column: rows } }
      : said
}

/** All fields of a page, those of rows after their table. */
export function fieldsOf({ sections }: SourcePage): readonly SourceField[] {
  const withRows = (field: SourceField): readonly SourceField[] => [field, ...field.children.flatMap(withRows)]
  return sections.flatMap(({ fields }) => fields.flatMap(withRows))
}
