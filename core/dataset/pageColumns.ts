import { addressKey } from '#core/form/definition/address.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { inLanguage } from '#core/form/definition/inLanguage.ts'
import { holdsData, isTable } from '#core/form/definition/page.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import type { JsonValue } from '#core/json.ts'
import { isRowList } from '#core/sync/entryData.ts'
import type { EntryData } from '#core/sync/entryData.ts'
import { missingKey, stateOf } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'

import { columnsOfField } from './itemColumns.ts'
import type { ColumnOptions, ItemColumn } from './itemColumns.ts'
import type { CellValue, Row, Variable } from './table.ts'

/**
 * The variables of a page over all its versions, and the cells of its entries. A field is one field in all versions by
 * its code: the newest has the words, every version adds its choices. A page has a row for each entry; each of its
 * tables has a row for each row in it.
 */

/** A page as the versions of a project have it. */
export interface VersionedModels {
  readonly pageId: string
  /** The newest first. */
  readonly models: readonly PageModel[]
}

/** The variables of a table of a page. */
export interface TableColumns {
  /** Code of the table field. */
  readonly code: string
  readonly label: string
  readonly columns: readonly ItemColumn[]
}

export interface PageColumns {
  /** Of the fields that are in no table. */
  readonly columns: readonly ItemColumn[]
  readonly tables: readonly TableColumns[]
}

export interface PageColumnOptions extends ColumnOptions {
  /** Which fields are wanted, and may be seen. */
  readonly isChosen: (field: Pick<ItemPlace, 'table' | 'code'>) => boolean
  /** Names that other variables of the same row have already. */
  readonly taken: readonly string[]
}

/** The fields of a page over its versions, each once. */
export function fieldsOfPage({ models }: Pick<VersionedModels, 'models'>): readonly Field[] {
  return mergeFields(models.flatMap((model) => model.fields))
}

/** The variables of a page and of its tables. */
export function columnsOfPage(page: VersionedModels, options: PageColumnOptions): PageColumns {
  const { pageId } = page
  const fields = fieldsOfPage(page)
  const columnsIn = (within: readonly Field[], table: string | null) =>
    within.flatMap((field) =>
      holdsData(field) && options.isChosen({ table, code: field.code })
        ? columnsOfField(field, { pageId, table, code: field.code }, options)
        : [],
    )
  return {
    columns: withUniqueNames(
      columnsIn(
        fields.filter((field) => !isTable(field)),
        null,
      ),
      options.taken,
    ),
    tables: fields.filter(isTable).flatMap((field) => {
      const columns = columnsIn(field.children, field.code)
      if (columns.length === 0) return []
      const label = inLanguage(options.language, field.label, field.labelEn)
      return [{ code: field.code, label, columns: withUniqueNames(columns, options.taken) }]
    }),
  }
}

/** The cells of an entry in the fields that are in no table. What rules hide stands in no cell. */
export function cellsOfEntry(columns: readonly ItemColumn[], data: EntryData, hidden: ReadonlySet<string>): Row {
  return columns.map((column) => {
    const { code } = column.variable.field ?? { code: '' }
    if (hidden.has(code)) return null
    return column.read({ value: itemValue(data.values[code]), missing: data.missing[code] ?? null })
  })
}

/** A row of a table of an entry. */
export interface TableRow {
  readonly rid: string
  readonly cells: Row
}

/** The rows of a table of an entry in their order, without deleted ones and without what rules hide. */
export function rowsOfTable(
  { code: table, columns }: TableColumns,
  data: EntryData,
  hidden: ReadonlySet<string>,
): readonly TableRow[] {
  const value = data.values[table]
  if (value === undefined || hidden.has(table) || !isRowList(value)) return []
  const rows = value.filter((row) => !stateOf(row).deleted).toSorted((a, b) => compareText(orderOf(a), orderOf(b)))
  return rows.map((row) => {
    const rid = typeof row['_rid'] === 'string' ? row['_rid'] : ''
    return { rid, cells: columns.map((column) => cellOfRow(column, row, { table, rid, data, hidden })) }
  })
}

function cellOfRow(
  { variable, read }: ItemColumn,
  row: Readonly<Record<string, JsonValue>>,
  at: {
    readonly table: string
    readonly rid: string
    readonly data: EntryData
    readonly hidden: ReadonlySet<string>
  },
): CellValue {
  const place = { table: at.table, rid: at.rid, code: variable.field?.code ?? '' }
  if (at.hidden.has(addressKey(place))) return null
  return read({ value: row[place.code] ?? null, missing: at.data.missing[missingKey(place)] ?? null })
}

/** By their places, and where two tablets chose the same place by their ids, as screens show them. */
function orderOf(row: Readonly<Record<string, JsonValue>>): string {
  return `${stateOf(row).order}\u0000${typeof row['_rid'] === 'string' ? row['_rid'] : ''}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A value that is no table's: rows that a former version entered under the code belong to its table. */
function itemValue(value: JsonValue | undefined): JsonValue {
  return value === undefined || isRowList(value) ? null : value
}

/** Fields by their codes, in the order in which they first come. A field and a table of one code are two. */
function mergeFields(fields: readonly Field[]): readonly Field[] {
  return [...Map.groupBy(fields, (field) => `${isTable(field) ? 'table' : 'field'} ${field.code}`).values()].flatMap(
    ([newest, ...older]) =>
      newest === undefined
        ? []
        : [
            {
              ...newest,
              // Where once several could be chosen, their answers are several.
              multiple: newest.multiple || older.some(({ multiple, type }) => multiple && type === newest.type),
              choices: mergeChoices([newest, ...older].flatMap(({ choices }) => choices)),
              children: mergeFields([newest, ...older].flatMap(({ children }) => children)),
            },
          ],
  )
}

function mergeChoices(choices: readonly Choice[]): readonly Choice[] {
  return [...Map.groupBy(choices, ({ value }) => value).values()].flatMap(([newest, ...older]) =>
    newest === undefined
      ? []
      : [{ ...newest, children: mergeChoices([newest, ...older].flatMap(({ children }) => children)) }],
  )
}

/** The same columns, each with a name that no other has, without regard to case. */
export function withUniqueNames<Column extends { readonly variable: Variable }>(
  columns: readonly Column[],
  taken: readonly string[],
): readonly Column[] {
  const names = new UniqueNames(taken)
  return columns.map((column) => {
    const name = names.take(column.variable.name)
    return name === column.variable.name ? column : { ...column, variable: { ...column.variable, name } }
  })
}

/** Gives each name once, without regard to case: another that is the same gets a number. */
export class UniqueNames {
  readonly #used: Set<string>
  /** The last number that a name was given, so that many of one name are not counted anew each time. */
  readonly #counts = new Map<string, number>()

  constructor(taken: readonly string[] = []) {
    this.#used = new Set(taken.map((name) => name.toLowerCase()))
  }

  take(name: string): string {
    let unique = name
    let count = this.#counts.get(name.toLowerCase()) ?? 1
    while (this.#used.has(unique.toLowerCase())) {
      count += 1
      unique = `${name}_${count}`
    }
    this.#counts.set(name.toLowerCase(), count)
    this.#used.add(unique.toLowerCase())
    return unique
  }
}
