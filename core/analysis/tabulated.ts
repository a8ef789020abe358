import type { MissingCount } from '#core/statistics/describe/describe.ts'
import type { Statistic } from '#core/statistics/problem.ts'
import { makeTableOne } from '#core/statistics/tableOne/tableOne.ts'
import type { TableOne, TableOneVariable } from '#core/statistics/tableOne/tableOne.ts'

import { codesIn, codesOf, labelOf, numbersOf, scaleOf } from './column.ts'
import type { AnalysisColumn } from './column.ts'
import { groupRows } from './rows.ts'

/** The first table of a paper. */

export interface TableOneResult {
  readonly kind: 'tableOne'
  readonly table: Statistic<TableOne>
  readonly withoutGroup: readonly MissingCount[]
}

/** Makes table one of variables that can be measured or counted. */
export function tabulateColumns(
  columns: readonly AnalysisColumn[],
  group: AnalysisColumn | null,
  rows: readonly number[],
): TableOneResult {
  const variables = columns.flatMap((column) => variableOf(column, rows))
  if (group === null) return { kind: 'tableOne', table: makeTableOne({ variables }), withoutGroup: [] }
  const { groups, leftOut } = groupRows(group, rows)
  const codes = codesOf(group, rows).map((cell) => (typeof cell === 'string' ? cell : null))
  const made = makeTableOne({ variables, groups: codes, groupOrder: groups.map(({ code }) => code) })
  const table: Statistic<TableOne> = made.ok
    ? {
        ok: true,
        // Groups are told apart by their codes: two choices may have one label.
        value: {
          ...made.value,
          columns: made.value.columns.map(({ group: code, n }) => ({ group: labelOf(group, code), n })),
        },
      }
    : made
  return { kind: 'tableOne', table, withoutGroup: leftOut }
}

function variableOf(column: AnalysisColumn, rows: readonly number[]): readonly TableOneVariable[] {
  const { name, label, unit, decimals } = column
  const scale = scaleOf(column)
  if (scale === 'number') {
    const own = decimals === null ? {} : { decimals: Math.min(4, decimals + 1) }
    return [{ id: name, label, unit, cells: numbersOf(column, rows), ...own }]
  }
  if (scale !== 'category') return []
  const cells = codesOf(column, rows)
  const order = codesIn(column, cells)
  const labels = Object.fromEntries(order.map((code) => [code, labelOf(column, code)]))
  return [{ id: name, label, unit: null, cells, kind: 'categorical', order, labels }]
}
