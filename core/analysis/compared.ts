import { readPresent } from '#core/statistics/describe/describe.ts'
import type { MissingCount } from '#core/statistics/describe/describe.ts'

import { codesIn, codesOf, labelOf, numbersOf, scaleOf } from './column.ts'
import type { AnalysisColumn } from './column.ts'
import { describeCategory, describeNumber } from './described.ts'
import type { Described } from './described.ts'
import { offerCountTests, offerNumberTests } from './offeredTests.ts'
import type { Offer } from './offeredTests.ts'
import type { Grouping } from './rows.ts'

/** Groups compared in one variable. */

export interface CompareResult extends Offer {
  readonly kind: 'compare'
  readonly described: Described
  /** What differs between them is said as the first less, or by, the second. */
  readonly groups: readonly string[]
  /** The category that risks and odds are of; null where there are more than two, and for numbers. */
  readonly event: string | null
  readonly missing: readonly MissingCount[]
  readonly withoutGroup: readonly MissingCount[]
}

/** Compares groups that have a value. Null where the variable can be neither measured nor counted. */
export function compareGroupsOf(column: AnalysisColumn, { groups, leftOut }: Grouping): CompareResult | null {
  const scale = scaleOf(column)
  const all = groups.flatMap(({ rows }) => rows)
  const parts = [...groups.map(({ label, rows }) => ({ group: label, rows })), { group: null, rows: all }]
  if (scale === 'number') {
    const values = groups.map(({ label, rows }) => ({ label, values: readPresent(numbersOf(column, rows)).values }))
    const filled = values.filter((group) => group.values.length > 0)
    return {
      kind: 'compare',
      ...offerNumberTests(filled.map((group) => group.values)),
      described: describeNumber(column, parts),
      groups: filled.map(({ label }) => label),
      event: null,
      missing: readPresent(numbersOf(column, all)).missing,
      withoutGroup: leftOut,
    }
  }
  if (scale !== 'category') return null
  const order = eventFirst(codesIn(column, codesOf(column, all)))
  const counted = groups.map(({ label, rows }) => {
    const { values } = readPresent(codesOf(column, rows))
    return { label, counts: order.map((code) => values.filter((value) => value === code).length) }
  })
  const filled = counted.filter(({ counts }) => counts.some((count) => count > 0))
  const [event] = order
  return {
    kind: 'compare',
    ...offerCountTests(filled.map(({ counts }) => counts)),
    described: describeCategory(column, parts),
    groups: filled.map(({ label }) => label),
    event: event === undefined || order.length !== 2 ? null : labelOf(column, event),
    missing: readPresent(codesOf(column, all)).missing,
    withoutGroup: leftOut,
  }
}

/** Of a no and a yes the yes is what risks are told of. */
export function eventFirst(codes: readonly string[]): readonly string[] {
  return codes.length === 2 && codes[0] === '0' && codes[1] === '1' ? ['1', '0'] : codes
}
