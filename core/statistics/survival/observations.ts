import { err, ok } from '#core/result.ts'

import { failTooFew } from '../problem.ts'
import type { Statistic } from '../problem.ts'

/** How long somebody was seen, and whether the event came then (otherwise they were lost sight of: censored). */
export interface Observation {
  /** In any unit, not negative. */
  readonly time: number
  readonly event: boolean
}

/** What happened at a time. */
export interface TimePoint {
  readonly time: number
  /** Who was still seen just before. */
  readonly atRisk: number
  readonly events: number
  readonly censored: number
}

/** The times at which something happened, in order. Errors: `too-few` (nobody), `not-finite`, `negative-time`. */
export function listTimes(observations: readonly Observation[]): Statistic<readonly TimePoint[]> {
  if (observations.length === 0) return failTooFew(1, 0)
  if (observations.some(({ time }) => !Number.isFinite(time))) return err({ kind: 'not-finite' })
  if (observations.some(({ time }) => time < 0)) return err({ kind: 'negative-time' })
  const times = [...Map.groupBy(observations, ({ time }) => time)].toSorted(([a], [b]) => a - b)
  let atRisk = observations.length
  return ok(
    times.map(([time, own]) => {
      const events = own.filter(({ event }) => event).length
      const point = { time, atRisk, events, censored: own.length - events }
      atRisk -= own.length
      return point
    }),
  )
}
