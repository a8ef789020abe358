import { entryFacts, toldVariable } from './aboutColumns.ts'
import type { LeavingEntry, Told } from './aboutColumns.ts'
import { cellsOfEntry, rowsOfTable } from './pageColumns.ts'
import type { UniqueNames } from './pageColumns.ts'
import { nameOf } from './itemColumns.ts'
import { planPage } from './pagePlan.ts'
import type { Leaving, PagePlan } from './pagePlan.ts'
import { keysOfEntry, rowsOfEntries } from './rowsOf.ts'
import type { Reading } from './rowsOf.ts'
import type { StudyPage } from './source.ts'
import type { CellValue, DataTable } from './table.ts'

/** Data in the long shape: a table for each page, with a row for each entry, and one for each of its tables. */

export function longTables(
  pages: readonly StudyPage[],
  leaving: Leaving,
  reading: Reading,
  names: UniqueNames,
): readonly DataTable[] {
  const keys = keysOfEntry(leaving.definition)
  const facts = entryFacts(leaving.definition)
  const rowNo = toldVariable('row_no', 'row_no', leaving.definition.language, { type: 'number', role: 'key' })
  const told = [...keys, ...facts]
  const taken = [...told.map(({ variable }) => variable.name), rowNo.name]
  return pages.flatMap((page) => {
    const plan = planPage(page, leaving, taken)
    const name = names.take(nameOf(page.code))
    return [pageTable({ name, plan, told, reading }), ...tablesOfPage({ name, plan, keys, rowNo, reading, names })]
  })
}

function pageTable(of: {
  readonly name: string
  readonly plan: PagePlan
  readonly told: readonly Told<LeavingEntry>[]
  readonly reading: Reading
}): DataTable {
  const { name, plan, told, reading } = of
  const { columns } = plan.columns
  return {
    name,
    label: plan.label,
    variables: [...told, ...columns].map(({ variable }) => variable),
    rows: () =>
      rowsOfEntries(reading, { pageId: plan.page.pageId }, (at) => [
        [...cellsOf(told, at), ...cellsOfEntry(columns, plan.dataOf(at.entry, at.who), new Set(at.entry.hidden))],
      ]),
  }
}

function tablesOfPage(of: {
  readonly name: string
  readonly plan: PagePlan
  readonly keys: readonly Told<LeavingEntry>[]
  readonly rowNo: ReturnType<typeof toldVariable>
  readonly reading: Reading
  readonly names: UniqueNames
}): readonly DataTable[] {
  const { name, plan, keys, rowNo, reading, names } = of
  return plan.columns.tables.map((table) => ({
    name: names.take(`${name}_${nameOf(table.code)}`),
    label: `${plan.label}: ${table.label}`,
    variables: [...keys.map(({ variable }) => variable), rowNo, ...table.columns.map(({ variable }) => variable)],
    rows: () =>
      rowsOfEntries(reading, { pageId: plan.page.pageId, table: table.code }, (at) => {
        const told = cellsOf(keys, at)
        const rows = rowsOfTable(table, plan.dataOf(at.entry, at.who), new Set(at.entry.hidden))
        return rows.map(({ cells }, index) => [...told, index + 1, ...cells])
      }),
  }))
}

export function cellsOf<From>(told: readonly Told<From>[], from: From): readonly CellValue[] {
  return told.map(({ read }) => read(from))
}
