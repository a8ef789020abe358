import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

import { followColumn } from './changed.ts'
import type { ChangeResult } from './changed.ts'
import { scaleOf, SUBJECT_NAME, VISIT_NAME } from './column.ts'
import { compareGroupsOf } from './compared.ts'
import type { CompareResult } from './compared.ts'
import { describeColumns } from './described.ts'
import type { DescribeResult } from './described.ts'
import { relateColumns } from './related.ts'
import type { RelateResult } from './related.ts'
import type { AnalysisRequest } from './request.ts'
import { countSubjects, findColumn, groupRows, rowsOfVisit } from './rows.ts'
import type { ColumnSet, Grouping } from './rows.ts'
import { followUntilEvent } from './survived.ts'
import type { SurvivalResult } from './survived.ts'
import { tabulateColumns } from './tabulated.ts'
import type { TableOneResult } from './tabulated.ts'

/** An analysis from what was asked and the columns that were read. */

export type AnalysisFound =
  | DescribeResult
  | CompareResult
  | RelateResult
  | ChangeResult
  | SurvivalResult
  | TableOneResult

export interface Analysis {
  /** Rows that it is of, and of how many subjects; null where the table does not say whose they are. */
  readonly rows: number
  readonly subjects: number | null
  readonly found: AnalysisFound
}

/**
 * Why nothing is computed: a variable that was asked for is not there (any more), one cannot be used so, or a visit has
 * no row.
 */
export type AnalysisFailure = 'unknown-variable' | 'not-fitting' | 'no-rows'

/** What the worker that computes does for the page. */
export interface StatisticsWorker {
  readonly runAnalysis: (request: AnalysisRequest, set: ColumnSet) => Result<Analysis, AnalysisFailure>
}

export function runAnalysis(request: AnalysisRequest, set: ColumnSet): Result<Analysis, AnalysisFailure> {
  const group = findColumn(set, request.group)
  const variables = request.variables.map((name) => findColumn(set, name)).filter((column) => column !== null)
  if (variables.length < request.variables.length || (group === null && request.group !== null))
    return err('unknown-variable')
  if (group !== null && scaleOf(group) !== 'category') return err('not-fitting')
  const rows = rowsOfVisit(set, request.kind === 'change' ? null : request.visit)
  if (rows.length === 0) return err('no-rows')
  const grouping = groupRows(group, rows)
  const found = find(request, { set, variables, grouping, rows, group })
  return found.ok ? ok({ rows: rows.length, subjects: countSubjects(set, rows), found: found.value }) : found
}

interface Given {
  readonly set: ColumnSet
  readonly variables: ColumnSet['columns']
  readonly grouping: Grouping
  readonly rows: readonly number[]
  readonly group: ColumnSet['columns'][number] | null
}

function find(request: AnalysisRequest, given: Given): Result<AnalysisFound, AnalysisFailure> {
  const { variables, grouping, rows, group } = given
  const [first, second] = variables
  if (first === undefined) return err('not-fitting')
  switch (request.kind) {
    case 'describe':
      return ok(describeColumns(variables, grouping))
    case 'compare': {
      const compared = group === null ? null : compareGroupsOf(first, grouping)
      return compared === null ? err('not-fitting') : ok(compared)
    }
    case 'relate': {
      const related = second === undefined ? null : relateColumns(first, second, rows)
      return related === null ? err('not-fitting') : ok(related)
    }
    case 'change':
      return findChange(first, given)
    case 'survival':
      return findSurvival(request, first, given)
    case 'tableOne':
      return ok(tabulateColumns(variables, group, rows))
  }
}

function findChange(
  column: ColumnSet['columns'][number],
  { set, grouping }: Given,
): Result<ChangeResult, AnalysisFailure> {
  const [subject, visit] = [findColumn(set, SUBJECT_NAME), findColumn(set, VISIT_NAME)]
  if (subject === null || visit === null || scaleOf(column) !== 'number') return err('not-fitting')
  return ok(followColumn(column, grouping, { subject, visit }))
}

function findSurvival(
  { event: eventName, eventCode, start: startName }: AnalysisRequest,
  time: ColumnSet['columns'][number],
  { set, grouping }: Given,
): Result<SurvivalResult, AnalysisFailure> {
  const [event, start] = [findColumn(set, eventName), findColumn(set, startName)]
  if (event === null || eventCode === null) return err('unknown-variable')
  const scale = scaleOf(time)
  if (scale === 'number') return ok(followUntilEvent({ time, start: null, event, eventCode }, grouping))
  if (scale !== 'date' || start === null || scaleOf(start) !== 'date') return err('not-fitting')
  return ok(followUntilEvent({ time, start, event, eventCode }, grouping))
}
