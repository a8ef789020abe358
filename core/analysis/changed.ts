import type { CellValue } from '#core/dataset/table.ts'
import { changesSince, makeChangeLine } from '#core/statistics/charts/change.ts'
import type { ChangePoint } from '#core/statistics/charts/change.ts'
import { testSignedRank } from '#core/statistics/compare/signedRank.ts'
import { testOneMean } from '#core/statistics/compare/tTest.ts'
import { describeNumbers } from '#core/statistics/describe/describe.ts'
import type { Cell, MissingCount, NumberDescription } from '#core/statistics/describe/describe.ts'
import type { Statistic } from '#core/statistics/problem.ts'

import { codesIn, codesOf, labelOf, numbersOf } from './column.ts'
import type { AnalysisColumn } from './column.ts'
import { factsOf } from './described.ts'
import type { VariableFacts } from './described.ts'
import type { Grouping } from './rows.ts'

/** A number over the visits, and how far the same subjects are from where they began. */

export interface VisitChange {
  readonly visit: string
  /** Of those who have a value at both visits. */
  readonly description: Statistic<NumberDescription>
  /** p of the paired t test, and of the signed-rank test. */
  readonly meanP: Statistic<number>
  readonly rankP: Statistic<number>
}

export interface ChangeGroup {
  /** Null for everybody together. */
  readonly group: string | null
  readonly subjects: number
  readonly points: Statistic<readonly ChangePoint[]>
  /** For each visit after the first. */
  readonly changes: readonly VisitChange[]
}

export interface ChangeResult {
  readonly kind: 'change'
  readonly variable: VariableFacts
  readonly visits: readonly string[]
  readonly groups: readonly ChangeGroup[]
  readonly withoutGroup: readonly MissingCount[]
  /** Rows beyond the first of a subject in a visit, which are not used. */
  readonly repeats: number
}

/**
 * Follows a number over visits. Of several rows that a subject has in one visit the first counts.
 *
 * @param keys the subject and the visit of each row
 */
export function followColumn(
  column: AnalysisColumn,
  { groups, leftOut }: Grouping,
  keys: { readonly subject: AnalysisColumn; readonly visit: AnalysisColumn },
): ChangeResult {
  const all = groups.flatMap(({ rows }) => rows)
  const codes = codesIn(keys.visit, codesOf(keys.visit, all))
  let repeats = 0
  const followed = groups.map(({ label, rows }): ChangeGroup => {
    const byVisit = new Map(codes.map((code) => [code, new Map<string, number>()]))
    for (const row of rows) {
      const own = byVisit.get(textOf(keys.visit.cells[row]))
      const subject = textOf(keys.subject.cells[row]) || String(row)
      if (own === undefined) continue
      if (own.has(subject)) repeats += 1
      else own.set(subject, row)
    }
    const subjects = [...new Set([...byVisit.values()].flatMap((own) => [...own.keys()]))]
    const cellsAt = (code: string): readonly Cell<number>[] => {
      const own = byVisit.get(code) ?? new Map<string, number>()
      // Nobody has the row −1: who was not there has no value there.
      return numbersOf(
        column,
        subjects.map((subject) => own.get(subject) ?? -1),
      )
    }
    const visits = codes.map((code) => ({ visit: labelOf(keys.visit, code), values: cellsAt(code) }))
    return {
      group: label === '' ? null : label,
      subjects: subjects.length,
      points: makeChangeLine(visits, 'interval'),
      changes: visits.slice(1).map(({ visit, values }) => changeAt(visit, visits[0]?.values ?? [], values)),
    }
  })
  return {
    kind: 'change',
    variable: factsOf(column),
    visits: codes.map((code) => labelOf(keys.visit, code)),
    groups: followed,
    withoutGroup: leftOut,
    repeats,
  }
}

/** A key as text; keys are never missing. */
function textOf(cell: CellValue | undefined): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : ''
}

function changeAt(visit: string, first: readonly Cell<number>[], later: readonly Cell<number>[]): VisitChange {
  const changes = changesSince(first, later)
  if (!changes.ok) return { visit, description: changes, meanP: changes, rankP: changes }
  const values = changes.value.filter((change) => change !== null)
  const [mean, ranks] = [testOneMean(values, 0), testSignedRank(values)]
  return {
    visit,
    description: describeNumbers(values),
    meanP: mean.ok ? { ok: true, value: mean.value.p } : mean,
    rankP: ranks.ok ? { ok: true, value: ranks.value.p } : ranks,
  }
}
