import { nameOf } from '#core/dataset/itemColumns.ts'
import type { ItemColumn } from '#core/dataset/itemColumns.ts'
import type { LeavingEntry } from '#core/dataset/aboutColumns.ts'
import { cellsOfEntry, rowsOfTable } from '#core/dataset/pageColumns.ts'
import { planPage } from '#core/dataset/pagePlan.ts'
import type { Leaving, PagePlan } from '#core/dataset/pagePlan.ts'
import type { StudyPage } from '#core/dataset/source.ts'
import type { CellValue, Variable } from '#core/dataset/table.ts'
import type { SdtmSource, SdtmValue } from '#core/dataset/sdtm/mapping.ts'

/**
 * The pages that a source of a mapping names, as they leave: their variables and cells are those of the tables of the
 * other formats, so that a field that stays behind is not here either.
 */

/** A field as a mapping names it. */
export type FieldName = Pick<SdtmValue, 'part' | 'choice'> & { readonly field: string }

/** A field in a row of a source. */
export interface CellPlace {
  readonly variable: Variable
  /** The variable in which the words of its missing reasons stand; null without one. */
  readonly reason: number | null
  readonly at: number
}

/** What a row of SDTM's tables is made of: an entry of a page, or a row of a table in it. */
export interface SourceRow {
  readonly at: LeavingEntry
  readonly cells: readonly CellValue[]
}

export class PageReader {
  readonly page: StudyPage
  readonly #plan: PagePlan
  /** Those of the table, and behind them those of the page. */
  readonly #columns: readonly ItemColumn[]
  readonly #table: PagePlan['columns']['tables'][number] | null

  constructor(page: StudyPage, leaving: Leaving, { table }: Pick<SdtmSource, 'table'>) {
    this.page = page
    this.#plan = planPage(page, leaving, [])
    const { columns, tables } = this.#plan.columns
    this.#table = tables.find(({ code }) => code === table) ?? null
    this.#columns = table === undefined ? columns : [...(this.#table?.columns ?? []), ...columns]
  }

  /** Null where the page has no such field, or where it does not leave. */
  find({ field, part, choice }: FieldName): CellPlace | null {
    const found = [...this.#columns.entries()].filter(([, { variable }]) => variable.field?.code === field)
    const first = found[0]?.[1].variable.field?.table
    // A field of the table comes before one of its page that has the same code.
    const own = found.filter(([, { variable }]) => variable.field?.table === first)
    const items = own.filter(([, { variable }]) => variable.role === 'item')
    const chosen =
      choice === undefined
        ? items[part === 'end' ? 1 : 0]
        : items.find(([, { variable }]) => variable.name === nameOf(`${field}___${choice}`))
    if (chosen === undefined) return null
    const [at, { variable }] = chosen
    return { variable, at, reason: own.find(([, one]) => one.variable.role === 'reason')?.[0] ?? null }
  }

  rowsOf(at: LeavingEntry): readonly SourceRow[] {
    const hidden = new Set(at.entry.hidden)
    const data = this.#plan.dataOf(at.entry, at.who)
    const cells = cellsOfEntry(this.#plan.columns.columns, data, hidden)
    if (this.#columns === this.#plan.columns.columns) return [{ at, cells }]
    if (this.#table === null) return []
    return rowsOfTable(this.#table, data, hidden).map((row) => ({ at, cells: [...row.cells, ...cells] }))
  }
}

/** The fields of a page that leave, each once; of a table with its code before it. */
export function leavingFields(page: StudyPage, leaving: Leaving): readonly string[] {
  const { columns, tables } = planPage(page, leaving, []).columns
  const named = [...columns, ...tables.flatMap((table) => table.columns)].flatMap(({ variable: { field } }) =>
    field === null ? [] : [field.table === null ? field.code : `${field.table}.${field.code}`],
  )
  return [...new Set(named)]
}
