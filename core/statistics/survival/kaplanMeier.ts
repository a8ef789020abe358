import { err } from '#core/result.ts'

import { isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { Interval, Statistic } from '../problem.ts'
import { normalLimit } from '../special/distributions.ts'
import { listTimes } from './observations.ts'
import type { Observation, TimePoint } from './observations.ts'

/** Kaplan and Meier's estimate of who is still without the event. */

/**
 * How intervals are made: `log-log` stays between 0 and 1 and is the usual one of protocols and of SAS; `log` is R's
 * usual one; `plain` is Greenwood's, cut at 0 and 1.
 */
export type SurvivalInterval = 'log-log' | 'log' | 'plain'

export interface SurvivalPoint extends TimePoint {
  /** The share without the event, from this time on. */
  readonly survival: number
  /** By Greenwood; null where nobody is left. */
  readonly se: number | null
  /** Null where nobody is left. */
  readonly low: number | null
  readonly high: number | null
}

/** A time at which so many are left. Null: the curve, or that end of its interval, does not fall so far. */
export interface SurvivalTime {
  readonly estimate: number | null
  readonly low: number | null
  readonly high: number | null
}

export interface SurvivalCurve {
  readonly n: number
  readonly events: number
  readonly level: number
  readonly points: readonly SurvivalPoint[]
  readonly median: SurvivalTime
}

export interface SurvivalOptions {
  readonly level?: number
  readonly interval?: SurvivalInterval
}

/** Estimates the curve. Errors: `too-few` (nobody), `not-finite`, `negative-time`, `wrong-level`. */
export function estimateSurvival(
  observations: readonly Observation[],
  { level = USUAL_LEVEL, interval = 'log-log' }: SurvivalOptions = {},
): Statistic<SurvivalCurve> {
  const times = listTimes(observations)
  if (!times.ok) return times
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const z = normalLimit(level)
  let [survival, greenwood] = [1, 0]
  const points = times.value.map((point): SurvivalPoint => {
    const left = point.atRisk - point.events
    survival *= left / point.atRisk
    if (left === 0 || survival === 0) return { ...point, survival: 0, se: null, low: null, high: null }
    greenwood += point.events / point.atRisk / left
    const ends = endsOf(survival, z * Math.sqrt(greenwood), interval)
    return { ...point, survival, se: survival * Math.sqrt(greenwood), ...ends }
  })
  const events = points.reduce((all, point) => all + point.events, 0)
  return settle({ n: observations.length, events, level, points, median: survivalTime(points, 0.5) })
}

/** The ends of an interval; `reach` is in standard errors of the logarithm of survival. */
function endsOf(survival: number, reach: number, interval: SurvivalInterval): Pick<Interval, 'low' | 'high'> {
  if (survival === 1) return { low: 1, high: 1 }
  switch (interval) {
    case 'log-log': {
      const factor = Math.exp(reach / -Math.log(survival))
      return { low: survival ** factor, high: survival ** (1 / factor) }
    }
    case 'log':
      return { low: survival * Math.exp(-reach), high: Math.min(1, survival * Math.exp(reach)) }
    case 'plain':
      return { low: Math.max(0, survival * (1 - reach)), high: Math.min(1, survival * (1 + reach)) }
  }
}

/** Rounding of products that should be exactly a share. */
const ROUNDING = Math.sqrt(Number.EPSILON)

/**
 * The first time at which at most `share` are left; where the curve lies exactly there for a while the middle of that
 * while, as R has it. The interval is read from the ends of the curve's interval in the same way (Brookmeyer and
 * Crowley).
 */
export function survivalTime(points: readonly SurvivalPoint[], share: number): SurvivalTime {
  return {
    estimate: firstTime(points, share, ({ survival }) => survival),
    low: firstTime(points, share, ({ low }) => low),
    high: firstTime(points, share, ({ high }) => high),
  }
}

function firstTime(
  points: readonly SurvivalPoint[],
  share: number,
  read: (point: SurvivalPoint) => number | null,
): number | null {
  const below = points.flatMap((point) => {
    const value = read(point)
    return value !== null && value < share + ROUNDING ? [{ time: point.time, value }] : []
  })
  const [first] = below
  if (first === undefined) return null
  if (Math.abs(first.value - share) >= ROUNDING) return first.time
  const next = below.find(({ value }) => value < first.value - ROUNDING)
  return next === undefined ? first.time : (first.time + next.time) / 2
}

/** How many are still seen at each of some times (just before what happens then), as a row below a chart. */
export function countAtRisk(observations: readonly Observation[], times: readonly number[]): readonly number[] {
  return times.map((time) => observations.filter((own) => own.time >= time).length)
}

/** The share without the event at a time: 1 before the first one. */
export function survivalAt(points: readonly SurvivalPoint[], time: number): number {
  return points.findLast((point) => point.time <= time)?.survival ?? 1
}
