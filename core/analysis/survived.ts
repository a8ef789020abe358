import { makeRiskTable, makeSurvivalSteps } from '#core/statistics/charts/survivalSteps.ts'
import type { RiskTable, SurvivalSteps } from '#core/statistics/charts/survivalSteps.ts'
import type { MissingCount } from '#core/statistics/describe/describe.ts'
import type { Interval, Statistic } from '#core/statistics/problem.ts'
import { estimateSurvival } from '#core/statistics/survival/kaplanMeier.ts'
import type { SurvivalTime } from '#core/statistics/survival/kaplanMeier.ts'
import { testLogRank } from '#core/statistics/survival/logRank.ts'
import type { LogRankGroup } from '#core/statistics/survival/logRank.ts'
import type { Observation } from '#core/statistics/survival/observations.ts'

import { codesOf, dayOfCell, labelOf, numbersOf } from './column.ts'
import type { AnalysisColumn } from './column.ts'
import { factsOf } from './described.ts'
import type { VariableFacts } from './described.ts'
import type { OfferedTest } from './offeredTests.ts'
import type { Group, Grouping } from './rows.ts'

/** How long subjects stay without an event. */

export interface SurvivalAt {
  readonly time: number
  readonly survival: number
  readonly low: number | null
  readonly high: number | null
  readonly atRisk: number
}

export interface SurvivalGroup {
  /** Null for everybody together. */
  readonly group: string | null
  readonly n: number
  readonly events: number
  readonly median: SurvivalTime
  readonly level: Interval['level']
  readonly steps: SurvivalSteps
  /** At the round times of the table below the chart. */
  readonly at: readonly SurvivalAt[]
}

export interface SurvivalResult {
  readonly kind: 'survival'
  readonly time: VariableFacts
  /** Whether time is counted in days from one date to another. */
  readonly isDays: boolean
  readonly event: string
  readonly curves: readonly Statistic<SurvivalGroup>[]
  readonly risk: RiskTable
  readonly test: OfferedTest | null
  readonly counts: readonly LogRankGroup[]
  readonly withoutTime: number
  readonly withoutEvent: number
  readonly withoutGroup: readonly MissingCount[]
}

export interface SurvivalColumns {
  /** A number, or the date on which observation ended. */
  readonly time: AnalysisColumn
  /** The date from which time is counted, where `time` is a date. */
  readonly start: AnalysisColumn | null
  readonly event: AnalysisColumn
  readonly eventCode: string
}

/** Estimates curves by group and compares them. Whoever has no time, or of whom the event is not known, is left out. */
export function followUntilEvent(columns: SurvivalColumns, { groups, leftOut }: Grouping): SurvivalResult {
  const { time, start, event, eventCode } = columns
  const read = groups.map((group) => ({ group, ...readObservations(columns, group) }))
  const filled = read.filter(({ observations }) => observations.length > 0)
  const lists = filled.map(({ observations }) => observations)
  const risk = makeRiskTable(lists)
  const logRank = filled.length > 1 ? testLogRank(lists) : null
  return {
    kind: 'survival',
    time: factsOf(time),
    isDays: start !== null,
    event: labelOf(event, eventCode),
    curves: filled.map(({ group, observations }, place) =>
      curveOf(group, observations, { times: risk.times, atRisk: risk.rows[place] ?? [] }),
    ),
    risk,
    test: logRank === null ? null : { code: 'log-rank', result: logRank, effects: [] },
    counts: logRank?.ok === true ? logRank.value.groups : [],
    withoutTime: read.reduce((all, one) => all + one.withoutTime, 0),
    withoutEvent: read.reduce((all, one) => all + one.withoutEvent, 0),
    withoutGroup: leftOut,
  }
}

interface Read {
  readonly observations: readonly Observation[]
  readonly withoutTime: number
  readonly withoutEvent: number
}

function readObservations({ time, start, event, eventCode }: SurvivalColumns, { rows }: Group): Read {
  const codes = codesOf(event, rows)
  const times = start === null ? numbersOf(time, rows) : rows.map((row) => daysBetween(start, time, row))
  const observations: Observation[] = []
  let [withoutTime, withoutEvent] = [0, 0]
  times.forEach((own, index) => {
    const code = codes[index] ?? null
    if (typeof own !== 'number') withoutTime += 1
    else if (typeof code === 'string') observations.push({ time: own, event: code === eventCode })
    else withoutEvent += 1
  })
  return { observations, withoutTime, withoutEvent }
}

function daysBetween(start: AnalysisColumn, end: AnalysisColumn, row: number): number | null {
  const [from, to] = [dayOfCell(start.cells[row] ?? null), dayOfCell(end.cells[row] ?? null)]
  return from === null || to === null ? null : to - from
}

function curveOf(
  { label }: Group,
  observations: readonly Observation[],
  { times, atRisk }: { readonly times: readonly number[]; readonly atRisk: readonly number[] },
): Statistic<SurvivalGroup> {
  const curve = estimateSurvival(observations)
  if (!curve.ok) return curve
  const { n, events, median, level, points } = curve.value
  return {
    ok: true,
    value: {
      group: label === '' ? null : label,
      n,
      events,
      median,
      level,
      steps: makeSurvivalSteps(curve.value),
      at: times.map((time, place) => {
        const last = points.findLast((point) => point.time <= time)
        return {
          time,
          survival: last?.survival ?? 1,
          low: last === undefined ? 1 : last.low,
          high: last === undefined ? 1 : last.high,
          atRisk: atRisk[place] ?? 0,
        }
      }),
    },
  }
}
