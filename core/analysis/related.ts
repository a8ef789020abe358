import { testPearson, testSpearman } from '#core/statistics/compare/correlation.ts'
import { fitLine } from '#core/statistics/charts/scatter.ts'
import type { LinearFit } from '#core/statistics/charts/scatter.ts'
import { crossCategories } from '#core/statistics/describe/crossTable.ts'
import type { CrossTable } from '#core/statistics/describe/crossTable.ts'
import type { Statistic } from '#core/statistics/problem.ts'
import { chooseKind } from '#core/statistics/tableOne/variableKind.ts'

import { codesIn, codesOf, labelOf, numbersOf, scaleOf } from './column.ts'
import type { AnalysisColumn } from './column.ts'
import { factsOf } from './described.ts'
import type { VariableFacts } from './described.ts'
import { nameEffect, offerCountTests } from './offeredTests.ts'
import type { Offer } from './offeredTests.ts'

/** How two variables go together. */

export interface CorrelatedResult extends Offer {
  readonly kind: 'relate'
  readonly of: 'numbers'
  readonly x: VariableFacts
  readonly y: VariableFacts
  readonly n: number
  /** Rows of which one or both values are missing. */
  readonly leftOut: number
  /** To be drawn: at most 2,000, evenly taken. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly fit: Statistic<LinearFit>
}

export interface CrossedResult extends Offer {
  readonly kind: 'relate'
  readonly of: 'categories'
  readonly x: VariableFacts
  readonly y: VariableFacts
  /** Rows are the categories of the first variable. */
  readonly table: Statistic<CrossTable>
  /** The category of the second variable that risks and odds are of; null where there are more than two. */
  readonly event: string | null
}

/** A number and a category are compared by group instead. */
export interface MixedResult {
  readonly kind: 'relate'
  readonly of: 'mixed'
  readonly number: string
  readonly category: string
}

export type RelateResult = CorrelatedResult | CrossedResult | MixedResult

const MOST_POINTS = 2000

/** Relates two variables; null where one can be neither measured nor counted. */
export function relateColumns(x: AnalysisColumn, y: AnalysisColumn, rows: readonly number[]): RelateResult | null {
  const scales = [scaleOf(x), scaleOf(y)]
  if (scales.every((scale) => scale === 'number')) return correlate(x, y, rows)
  if (scales.every((scale) => scale === 'category')) return cross(x, y, rows)
  if (!scales.includes('number') || !scales.includes('category')) return null
  const [number, category] = scales[0] === 'number' ? [x, y] : [y, x]
  return { kind: 'relate', of: 'mixed', number: number.name, category: category.name }
}

function correlate(x: AnalysisColumn, y: AnalysisColumn, rows: readonly number[]): CorrelatedResult {
  const ys = numbersOf(y, rows)
  const points = numbersOf(x, rows).flatMap((own, index) => {
    const other = ys[index]
    return typeof own === 'number' && typeof other === 'number' ? [{ x: own, y: other }] : []
  })
  const [left, right] = [points.map((point) => point.x), points.map((point) => point.y)]
  const [pearson, spearman] = [testPearson(left, right), testSpearman(left, right)]
  const choice = chooseKind([left, right])
  const tests = [
    { code: 'pearson', result: pearson, effects: [nameEffect('pearson-r', pearson, (one) => one)] },
    { code: 'spearman', result: spearman, effects: [nameEffect('spearman-rho', spearman, (one) => one)] },
  ] as const
  return {
    kind: 'relate',
    of: 'numbers',
    x: factsOf(x),
    y: factsOf(y),
    n: points.length,
    leftOut: rows.length - points.length,
    points: takeEvenly(points, MOST_POINTS),
    fit: fitLine(left, right),
    tests: choice.kind === 'normal' ? tests : tests.toReversed(),
    favoured: { by: 'shape', choice: choice.kind === 'categorical' ? { kind: 'skewed', by: 'too-few' } : choice },
  }
}

function takeEvenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]).filter(
    (item) => item !== undefined,
  )
}

function cross(x: AnalysisColumn, y: AnalysisColumn, rows: readonly number[]): CrossedResult {
  const [down, across] = [codesOf(x, rows), codesOf(y, rows)]
  const [rowCodes, columnCodes] = [codesIn(x, down), codesIn(y, across)]
  const text = (cell: (typeof down)[number]) => (typeof cell === 'string' ? cell : null)
  const table = crossCategories(down.map(text), across.map(text), { rows: rowCodes, columns: columnCodes })
  const eventAt = columnCodes.length === 2 && columnCodes[1] === '1' && columnCodes[0] === '0' ? 1 : 0
  const counts = table.ok
    ? table.value.cells.map((line) => {
        const own = line.map(({ count }) => count)
        return eventAt === 1 ? own.toReversed() : own
      })
    : []
  const event = columnCodes[eventAt]
  return {
    kind: 'relate',
    of: 'categories',
    x: factsOf(x),
    y: factsOf(y),
    table: table.ok
      ? {
          ok: true,
          value: {
            ...table.value,
            rows: table.value.rows.map((code) => labelOf(x, code)),
            columns: table.value.columns.map((code) => labelOf(y, code)),
          },
        }
      : table,
    event: event === undefined || columnCodes.length !== 2 ? null : labelOf(y, event),
    ...offerCountTests(counts),
  }
}
