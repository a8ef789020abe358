import type { DataTable } from '#core/dataset/table.ts'

import type { WriteOptions } from './contract.ts'

/** A table with as many variables as a format takes; each that it leaves out is told. */
export function limitVariables(table: DataTable, most: number, { note }: WriteOptions): DataTable {
  if (table.variables.length <= most) return table
  for (const { name } of table.variables.slice(most)) {
    note({ kind: 'variable-left-out', table: table.name, variable: name })
  }
  // Rows keep their cells: writers go by the variables.
  return { ...table, variables: table.variables.slice(0, most), rows: () => table.rows() }
}
