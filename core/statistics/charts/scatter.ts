import { err } from '#core/result.ts'

import { at, meanOf, squaresOf, sum } from '../numbers.ts'
import { findValueProblem, isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { BoundedInterval, Statistic } from '../problem.ts'
import { tQuantile } from '../special/distributions.ts'

export interface BandPoint {
  readonly x: number
  readonly y: number
  /** Within which the line lies. */
  readonly low: number
  readonly high: number
}

export interface LinearFit {
  readonly n: number
  readonly slope: number
  readonly intercept: number
  /** The share of the variation of y that the line explains. */
  readonly rSquared: number
  /** The standard deviation of what is left (n − 2). */
  readonly residualSd: number
  readonly slopeInterval: BoundedInterval
  /** Over the range of x, in equal steps. */
  readonly band: readonly BandPoint[]
}

export interface FitOptions {
  readonly level?: number
  /** How many points the band has: at least two. */
  readonly steps?: number
}

/**
 * The line of least squares with its band. Errors: `unequal-lengths`, `too-few` (three points), `constant` (x),
 * `not-finite`, `wrong-level`, `out-of-reach`.
 */
export function fitLine(
  x: readonly number[],
  y: readonly number[],
  { level = USUAL_LEVEL, steps = 41 }: FitOptions = {},
): Statistic<LinearFit> {
  if (x.length !== y.length) return err({ kind: 'unequal-lengths' })
  const problem = findValueProblem([x, y], 3)
  if (problem !== undefined) return problem
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const [n, mx, my, sx, sy] = [x.length, meanOf(x), meanOf(y), squaresOf(x), squaresOf(y)]
  if (sx === 0) return err({ kind: 'constant' })
  const slope = sum(x.map((value, index) => (value - mx) * (at(y, index) - my))) / sx
  const rest = sum(x.map((value, index) => (at(y, index) - my - slope * (value - mx)) ** 2))
  const residualSd = Math.sqrt(rest / (n - 2))
  const t = tQuantile((1 - level) / 2, n - 2)
  const [low, high] = x.reduce(([from, to], value) => [Math.min(from, value), Math.max(to, value)], [mx, mx])
  const count = Math.max(2, Math.floor(steps))
  const band = Array.from({ length: count }, (_, index): BandPoint => {
    const place = low + ((high - low) * index) / (count - 1)
    const value = my + slope * (place - mx)
    const reach = t * residualSd * Math.sqrt(1 / n + (place - mx) ** 2 / sx)
    return { x: place, y: value, low: value - reach, high: value + reach }
  })
  const slopeReach = (t * residualSd) / Math.sqrt(sx)
  return settle({
    n,
    slope,
    intercept: my - slope * mx,
    // Not from what is left over: that would lose a small one in rounding.
    rSquared: sy === 0 ? 0 : Math.min(1, (slope * slope * sx) / sy),
    residualSd,
    slopeInterval: { low: slope - slopeReach, high: slope + slopeReach, level },
    band,
  })
}
