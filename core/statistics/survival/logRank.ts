import { err } from '#core/result.ts'

import { checkEvents, takeByDesign } from '../compare/assumptions.ts'
import type { TestResult } from '../compare/testResult.ts'
import { at, sum } from '../numbers.ts'
import { failTooFewGroups, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { chiSquareTail } from '../special/distributions.ts'
import { listTimes } from './observations.ts'
import type { Observation } from './observations.ts'

export interface LogRankGroup {
  readonly n: number
  readonly observed: number
  readonly expected: number
}

export interface LogRankResult extends TestResult<'log-rank'> {
  readonly groups: readonly LogRankGroup[]
}

/**
 * The log-rank test of two or more groups (Mantel), with the hypergeometric variance, as R's `survdiff`. Errors:
 * `too-few-groups`, `too-few` (an empty group), `no-event`, `constant` (curves that never meet at risk), `not-finite`,
 * `negative-time`.
 */
export function testLogRank(groups: readonly (readonly Observation[])[]): Statistic<LogRankResult> {
  const k = groups.length
  if (k < 2) return failTooFewGroups(2, k)
  for (const group of groups) {
    const times = listTimes(group)
    if (!times.ok) return times
  }
  const all = listTimes(groups.flat())
  if (!all.ok) return all
  const moments = all.value.filter(({ events }) => events > 0)
  if (moments.length === 0) return err({ kind: 'no-event' })
  const sorted = groups.map((group) => group.map(({ time }) => time).toSorted((a, b) => a - b))
  const expected = groups.map(() => 0)
  const variance = groups.map(() => groups.map(() => 0))
  const passed = groups.map(() => 0)
  for (const { time, events, atRisk } of moments) {
    const shares = sorted.map((times, group) => {
      while (at(passed, group) < times.length && at(times, at(passed, group)) < time)
        passed[group] = at(passed, group) + 1
      return (times.length - at(passed, group)) / atRisk
    })
    const factor = atRisk > 1 ? (events * (atRisk - events)) / (atRisk - 1) : 0
    shares.forEach((share, i) => {
      expected[i] = at(expected, i) + events * share
      const line = variance[i] ?? []
      shares.forEach((other, j) => {
        line[j] = at(line, j) + factor * share * ((i === j ? 1 : 0) - other)
      })
    })
  }
  const observed = groups.map((group) => group.filter(({ event }) => event).length)
  // A group that was never at risk when something happened says nothing, and has no degree of freedom.
  const used = [...groups.keys()].filter((group) => at(expected, group) > 0)
  if (used.length < 2) return err({ kind: 'constant' })
  const kept = used.slice(1)
  const distance = kept.map((group) => at(observed, group) - at(expected, group))
  const solved = solveSymmetric(
    kept.map((i) => kept.map((j) => at(variance[i] ?? [], j))),
    distance,
  )
  if (solved === null) return err({ kind: 'constant' })
  const statistic = Math.max(0, sum(distance.map((own, index) => own * at(solved, index))))
  const df = kept.length
  return settle({
    method: 'log-rank',
    statistic,
    df: [df],
    p: chiSquareTail(statistic, df),
    alternative: 'two-sided',
    assumptions: [
      ...takeByDesign('independence', 'independent-censoring', 'proportional-hazards'),
      checkEvents(used.map((group) => at(expected, group))),
    ],
    groups: groups.map(({ length }, group) => ({
      n: length,
      observed: at(observed, group),
      expected: at(expected, group),
    })),
  })
}

/** x of A x = b for a symmetric positive matrix, by Cholesky; null where it is not positive. */
function solveSymmetric(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] | null {
  const n = right.length
  const lower: number[][] = []
  for (const [i, line] of matrix.entries()) {
    const own: number[] = []
    lower.push(own)
    for (let j = 0; j <= i; j += 1) {
      const other = lower[j] ?? []
      const rest = at(line, j) - sum(own.slice(0, j).map((value, place) => value * at(other, place)))
      if (i === j && rest <= 1e-12 * at(line, i)) return null
      own.push(i === j ? Math.sqrt(rest) : rest / at(other, j))
    }
  }
  const forward: number[] = []
  for (const [i, line] of lower.entries())
    forward.push((at(right, i) - sum(forward.map((value, j) => value * at(line, j)))) / at(line, i))
  const solved = forward.map(() => 0)
  for (let i = n - 1; i >= 0; i -= 1) {
    const later = sum(solved.slice(i + 1).map((value, place) => value * at(lower[i + 1 + place] ?? [], i)))
    solved[i] = (at(forward, i) - later) / at(lower[i] ?? [], i)
  }
  return solved
}
