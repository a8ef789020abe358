import { err, ok } from '#core/result.ts'

import { describeNumbers } from '../describe/describe.ts'
import type { Cell } from '../describe/describe.ts'
import { USUAL_LEVEL } from '../problem.ts'
import type { Statistic } from '../problem.ts'

/** What the bars of a line show: the spread of values, the error of the mean, or its interval. */
export type ErrorBar = 'sd' | 'se' | 'interval'

export interface VisitValues {
  /** The visit, as the caller names it. */
  readonly visit: string
  readonly values: readonly Cell<number>[]
}

export interface ChangePoint {
  readonly visit: string
  readonly n: number
  readonly missingCount: number
  /** Null where nobody has a value: the line is broken there. */
  readonly mean: number | null
  /** Null where there are fewer than two values. */
  readonly low: number | null
  readonly high: number | null
}

/** The means of a group over its visits, in their order. Errors: `not-finite`, `wrong-level`, `out-of-reach`. */
export function makeChangeLine(
  visits: readonly VisitValues[],
  bar: ErrorBar,
  level: number = USUAL_LEVEL,
): Statistic<readonly ChangePoint[]> {
  const points: ChangePoint[] = []
  for (const { visit, values } of visits) {
    const described = describeNumbers(values, { level })
    if (!described.ok) return described
    const { n, missingCount, mean, sd, se, interval } = described.value
    const reach = bar === 'sd' ? sd : se
    const ends =
      bar === 'interval'
        ? { low: interval?.low ?? null, high: interval?.high ?? null }
        : { low: add(mean, reach, -1), high: add(mean, reach, 1) }
    points.push({ visit, n, missingCount, mean, ...ends })
  }
  return ok(points)
}

function add(mean: number | null, reach: number | null, sign: 1 | -1): number | null {
  return mean === null || reach === null ? null : mean + sign * reach
}

/**
 * The changes of the same people since a first visit: a value where both are there, otherwise null. Error:
 * `unequal-lengths`.
 */
export function changesSince(
  first: readonly Cell<number>[],
  later: readonly Cell<number>[],
): Statistic<readonly (number | null)[]> {
  if (first.length !== later.length) return err({ kind: 'unequal-lengths' })
  return ok(
    first.map((before, index) => {
      const after = later[index]
      return typeof before === 'number' && typeof after === 'number' ? after - before : null
    }),
  )
}
