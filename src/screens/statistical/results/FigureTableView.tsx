import { DataTable } from '#src/ui/lists/DataTable.tsx'
import { TitledTable } from '#src/ui/lists/TitledTable.tsx'

import { columnsOf, keyOfRow, rowsOf } from './figureTable.ts'
import type { FigureTable } from './figureTable.ts'

interface FigureTableViewProps {
  readonly table: FigureTable
  /** Whether its title is shown: not where it is that of the panel. */
  readonly isTitled?: boolean
}

/** Figures as a table with its title. */
export function FigureTableView({ table, isTitled = true }: FigureTableViewProps) {
  if (table.rows.length === 0) return null
  const Table = isTitled ? TitledTable : DataTable
  return <Table caption={table.title} columns={columnsOf(table)} rows={rowsOf(table)} rowKey={keyOfRow} />
}
