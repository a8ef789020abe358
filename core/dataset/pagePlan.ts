import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { holdsData } from '#core/form/definition/page.ts'
import type { Field } from '#core/form/definition/page.ts'
import type { EntryData } from '#core/sync/entryData.ts'

import type { LeavingSubject } from './aboutColumns.ts'
import { isWanted, keyOfField } from './definition.ts'
import type { DataSetDefinition } from './definition.ts'
import { fieldsWithin, isMaskedField, judgeField, ruleOf, scrubEntry } from './deidentify.ts'
import type { FieldRule, Judged, LeftOut } from './deidentify.ts'
import { columnsOfPage, fieldsOfPage } from './pageColumns.ts'
import type { PageColumns } from './pageColumns.ts'
import type { StudyPage, SubjectEntry } from './source.ts'

/** What of a page leaves: its variables, and its entries without what stays behind. */

/** Who reads, and how the data leave. */
export interface Leaving {
  readonly definition: DataSetDefinition
  /** Whether the reader may see what identifies a person. */
  readonly isIdentifying: boolean
}

export interface PagePlan {
  readonly page: StudyPage
  readonly label: string
  readonly columns: PageColumns
  /** The data of an entry, of which nothing is left but what may leave. */
  dataOf(entry: SubjectEntry, who: LeavingSubject): EntryData
}

/** A field that was asked for and stays behind. */
export interface LeftField {
  readonly pageId: string
  readonly table: string | null
  readonly code: string
  readonly label: string
  readonly why: LeftOut
}

/** What becomes of a field that was asked for. */
function judgeWanted(field: Field, page: StudyPage, table: string | null, leaving: Leaving): Judged {
  const { deidentify } = leaving.definition
  if (deidentify.on) return judgeField(field, { pageId: page.pageId, table }, { deidentify, masked: page.masked })
  const isHidden = !leaving.isIdentifying && isMaskedField(field, table, page.masked)
  return isHidden ? { out: 'identifier' } : { keep: 'plain' }
}

/** The fields of a page that were asked for, each with what becomes of it. */
export function* judgedFields(
  page: StudyPage,
  leaving: Leaving,
): Generator<{ readonly table: string | null; readonly field: Field; readonly judged: Judged }> {
  for (const { table, field } of fieldsWithin(fieldsOfPage(page))) {
    if (!holdsData(field) || !isWanted(leaving.definition, { pageId: page.pageId, table, code: field.code })) continue
    yield { table, field, judged: judgeWanted(field, page, table, leaving) }
  }
}

/** @param taken names of the variables that stand before those of the page */
export function planPage(page: StudyPage, leaving: Leaving, taken: readonly string[]): PagePlan {
  const { language, values, reasons, deidentify } = leaving.definition
  const rules = new Map<string, FieldRule>()
  for (const { table, field, judged } of judgedFields(page, leaving))
    if ('keep' in judged) rules.set(keyOfField({ table, code: field.code }), ruleOf(field, judged.keep))
  const columns = columnsOfPage(page, {
    language,
    values,
    reasons,
    taken,
    isChosen: (field) => rules.has(keyOfField(field)),
  })
  return {
    page,
    label: inLanguage(language, page.name, page.nameEn),
    columns: deidentify.on ? withoutReasons(columns, rules) : columns,
    dataOf: (entry, { pseudonym }) => scrubEntry(entry, rules, pseudonym?.shiftDays ?? 0),
  }
}

/** Words of missing reasons are free text: they leave only with a text that is kept. */
function withoutReasons(columns: PageColumns, rules: ReadonlyMap<string, FieldRule>): PageColumns {
  const leaves = ({ variable }: PageColumns['columns'][number]): boolean =>
    variable.role !== 'reason' ||
    (variable.field !== null && rules.get(keyOfField(variable.field))?.treatment === 'plain')
  return {
    columns: columns.columns.filter(leaves),
    tables: columns.tables.map((table) => ({ ...table, columns: table.columns.filter(leaves) })),
  }
}

/** The fields that were asked for and stay behind. */
export function leftFields(pages: readonly StudyPage[], leaving: Leaving): readonly LeftField[] {
  const { language } = leaving.definition
  return pages.flatMap((page) =>
    [...judgedFields(page, leaving)].flatMap(({ table, field, judged }) =>
      'out' in judged
        ? [
            {
              pageId: page.pageId,
              table,
              code: field.code,
              label: inLanguage(language, field.label, field.labelEn),
              why: judged.out,
            },
          ]
        : [],
    ),
  )
}
