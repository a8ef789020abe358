import { makeBoxPlot } from '#core/statistics/charts/boxPlot.ts'
import type { BoxPlot } from '#core/statistics/charts/boxPlot.ts'
import { makeHistogram } from '#core/statistics/charts/histogram.ts'
import type { Histogram } from '#core/statistics/charts/histogram.ts'
import { describeNumbers, readPresent } from '#core/statistics/describe/describe.ts'
import type { MissingCount, NumberDescription } from '#core/statistics/describe/describe.ts'
import { describeCategories } from '#core/statistics/describe/proportions.ts'
import type { CategoryDescription } from '#core/statistics/describe/proportions.ts'
import type { Statistic } from '#core/statistics/problem.ts'

import { codesIn, codesOf, labelOf, numbersOf, scaleOf } from './column.ts'
import type { AnalysisColumn } from './column.ts'
import type { Group, Grouping } from './rows.ts'

/** Descriptions of variables, of everybody and by group. */

/** What is told of a variable beside its figures. */
export interface VariableFacts {
  readonly name: string
  readonly label: string
  readonly unit: string | null
  /** Digits after the point that its values have. */
  readonly decimals: number
}

export interface NumberPart {
  /** Null for everybody together. */
  readonly group: string | null
  readonly description: Statistic<NumberDescription>
  readonly box: Statistic<BoxPlot>
}

export interface CategoryPart {
  readonly group: string | null
  readonly description: Statistic<CategoryDescription>
}

export interface DescribedNumber {
  readonly scale: 'number'
  readonly variable: VariableFacts
  /** Groups, and at last everybody who has one. */
  readonly parts: readonly NumberPart[]
  readonly histogram: Statistic<Histogram>
}

export interface DescribedCategory {
  readonly scale: 'category'
  readonly variable: VariableFacts
  readonly categories: readonly { readonly code: string; readonly label: string }[]
  readonly parts: readonly CategoryPart[]
}

export type Described = DescribedNumber | DescribedCategory

export interface DescribeResult {
  readonly kind: 'describe'
  readonly described: readonly Described[]
  readonly isGrouped: boolean
  readonly withoutGroup: readonly MissingCount[]
}

const MOST_DECIMALS = 4

export function factsOf(column: AnalysisColumn): VariableFacts {
  const { name, label, unit, decimals } = column
  return { name, label, unit, decimals: decimals ?? decimalsIn(column) }
}

/** The most digits after the point that a value has. */
function decimalsIn({ cells }: AnalysisColumn): number {
  let most = 0
  for (const cell of cells) {
    if (typeof cell !== 'number') continue
    const digits = String(cell).split('.')[1]?.length ?? 0
    if (digits > most) most = digits
  }
  return Math.min(MOST_DECIMALS, most)
}

/** Describes variables. Those that are neither numbers nor categories are left out. */
export function describeColumns(columns: readonly AnalysisColumn[], { groups, leftOut }: Grouping): DescribeResult {
  const isGrouped = !(groups.length === 1 && groups[0]?.label === '' && groups[0].code === '')
  return {
    kind: 'describe',
    described: columns.flatMap((column): Described[] => {
      const scale = scaleOf(column)
      if (scale === 'number') return [describeNumber(column, partsOf(groups, isGrouped))]
      return scale === 'category' ? [describeCategory(column, partsOf(groups, isGrouped))] : []
    }),
    isGrouped,
    withoutGroup: leftOut,
  }
}

interface Part {
  readonly group: string | null
  readonly rows: readonly number[]
}

function partsOf(groups: readonly Group[], isGrouped: boolean): readonly Part[] {
  const all = { group: null, rows: groups.flatMap(({ rows }) => rows) }
  return isGrouped ? [...groups.map(({ label, rows }) => ({ group: label, rows })), all] : [all]
}

export function describeNumber(column: AnalysisColumn, parts: readonly Part[]): DescribedNumber {
  const all = readPresent(numbersOf(column, parts.at(-1)?.rows ?? [])).values
  return {
    scale: 'number',
    variable: factsOf(column),
    parts: parts.map(({ group, rows }) => {
      const cells = numbersOf(column, rows)
      return { group, description: describeNumbers(cells), box: makeBoxPlot(readPresent(cells).values) }
    }),
    histogram: makeHistogram(all),
  }
}

export function describeCategory(column: AnalysisColumn, parts: readonly Part[]): DescribedCategory {
  const all = codesOf(column, parts.at(-1)?.rows ?? [])
  const order = column.codes.length === 0 ? codesIn(column, all) : column.codes.map(({ code }) => code)
  // Long lists, such as those of drugs, are told by what somebody has.
  const told = order.length > 12 ? codesIn(column, all) : order
  return {
    scale: 'category',
    variable: factsOf(column),
    categories: told.map((code) => ({ code, label: labelOf(column, code) })),
    parts: parts.map(({ group, rows }) => ({
      group,
      description: describeCategories(codesOf(column, rows), { order: told }),
    })),
  }
}
