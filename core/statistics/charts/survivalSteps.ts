import { countAtRisk } from '../survival/kaplanMeier.ts'
import type { SurvivalCurve } from '../survival/kaplanMeier.ts'
import type { Observation } from '../survival/observations.ts'
import { chooseTicks } from './ticks.ts'

export interface StepPoint {
  readonly time: number
  readonly survival: number
  /** Null where nobody is left. */
  readonly low: number | null
  readonly high: number | null
}

export interface SurvivalSteps {
  /** From 1 at time 0; each holds up to the next, and the last as far as somebody was seen. */
  readonly steps: readonly StepPoint[]
  readonly end: number
  /** Where somebody was lost sight of. */
  readonly marks: readonly { readonly time: number; readonly survival: number }[]
}

/** A curve as steps to draw. */
export function makeSurvivalSteps({ points }: SurvivalCurve): SurvivalSteps {
  const falls = points.filter(({ events }) => events > 0)
  return {
    steps: [
      // An event at time 0 falls from the start.
      ...(falls[0]?.time === 0 ? [] : [{ time: 0, survival: 1, low: 1, high: 1 }]),
      ...falls.map(({ time, survival, low, high }) => ({ time, survival, low, high })),
    ],
    end: points.at(-1)?.time ?? 0,
    marks: points.filter(({ censored }) => censored > 0).map(({ time, survival }) => ({ time, survival })),
  }
}

export interface RiskTable {
  readonly times: readonly number[]
  /** For each group, how many are still seen at each time. */
  readonly rows: readonly (readonly number[])[]
}

/** The numbers at risk below a chart, at round times. */
export function makeRiskTable(groups: readonly (readonly Observation[])[], count = 5): RiskTable {
  const end = groups.flat().reduce((latest, { time }) => Math.max(latest, time), 0)
  const times = chooseTicks(0, end, count).filter((time) => time >= 0 && time <= end)
  return { times, rows: groups.map((group) => countAtRisk(group, times)) }
}
