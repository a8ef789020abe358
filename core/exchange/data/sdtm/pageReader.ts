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

/** The pages of a study as they leave, each planned once, however many sources name it. */
export class PagePlans {
  readonly #leaving: Leaving
  readonly #known = new Map<string, PagePlan>()

  constructor(leaving: Leaving) {
    this.#leaving = leaving
  }

  planOf(page: StudyPage): PagePlan {
    const known = this.#known.get(page.pageId)
    if (known !== undefined) return known
    const plan = planPage(page, this.#leaving, [])
    this.#known.set(page.pageId, plan)
    return plan
  }
}

interface PlacedColumn extends ItemColumn {
  readonly at: number
}

export class PageReader {
  readonly page: StudyPage
  readonly #plan: PagePlan
  readonly #isOfTable: boolean
  readonly #table: PagePlan['columns']['tables'][number] | null
  /** By the codes of fields: those of the table, and behind them those of the page. */
  readonly #columns: ReadonlyMap<string, readonly PlacedColumn[]>

  constructor(page: StudyPage, plans: PagePlans, { table }: Pick<SdtmSource, 'table'>) {
    this.page = page
    this.#plan = plans.planOf(page)
    this.#isOfTable = table !== undefined
    const { columns, tables } = this.#plan.columns
    this.#table = tables.find(({ code }) => code === table) ?? null
    const all = [...(this.#table?.columns ?? []), ...columns].map((column, at) => ({ ...column, at }))
    this.#columns = Map.groupBy(all, ({ variable: { field } }) => field?.code ?? '')
  }

  /** Null where the page has no such field, or where it does not leave. */
  find({ field, part, choice }: FieldName): CellPlace | null {
    const found = this.#columns.get(field) ?? []
    const first = found[0]?.variable.field?.table
    // A field of the table comes before one of its page that has the same code.
    const own = found.filter(({ variable }) => variable.field?.table === first)
    const items = own.filter(({ variable }) => variable.role === 'item')
    const chosen =
      choice === undefined
        ? items[part === 'end' ? 1 : 0]
        : items.find(({ variable }) => variable.name === nameOf(`${field}___${choice}`))
    if (chosen === undefined) return null
    const { at, variable } = chosen
    return { variable, at, reason: own.find((one) => one.variable.role === 'reason')?.at ?? null }
  }

  rowsOf(at: LeavingEntry): readonly SourceRow[] {
    const hidden = new Set(at.entry.hidden)
    const data = this.#plan.dataOf(at.entry, at.who)
    const cells = cellsOfEntry(this.#plan.columns.columns, data, hidden)
    if (!this.#isOfTable) return [{ at, cells }]
    if (this.#table === null) return []
    return rowsOfTable(this.#table, data, hidden).map((row) => ({ at, cells: [...row.cells, ...cells] }))
  }
}

/** The fields of a page that leave, each once; of a table with its code before it. */
export function leavingFields({ columns: { columns, tables } }: Pick<PagePlan, 'columns'>): readonly string[] {
  const named = [...columns, ...tables.flatMap((table) => table.columns)].flatMap(({ variable: { field } }) =>
    field === null ? [] : [field.table === null ? field.code : `${field.table}.${field.code}`],
  )
  return [...new Set(named)]
}
