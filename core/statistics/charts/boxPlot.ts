import { at, meanOf, sortNumbers } from '../numbers.ts'
import { findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { quantileOf } from '../describe/quantiles.ts'
import type { QuantileRule } from '../describe/quantiles.ts'

export interface BoxPlot {
  readonly n: number
  readonly mean: number
  readonly median: number
  readonly q1: number
  readonly q3: number
  /** The outermost values within 1.5 times the box's length of the box (Tukey). */
  readonly lowWhisker: number
  readonly highWhisker: number
  /** The values beyond, in order. */
  readonly outliers: readonly number[]
}

const WHISKER = 1.5

/** Makes a box. Errors: `too-few` (none), `not-finite`, `out-of-reach`. */
export function makeBoxPlot(values: readonly number[], rule: QuantileRule = 'r-7'): Statistic<BoxPlot> {
  const problem = findValueProblem([values], 1)
  if (problem !== undefined) return problem
  const sorted = sortNumbers(values)
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((share) => quantileOf(sorted, share, rule))
  if (q1 === undefined || median === undefined || q3 === undefined)
    return { ok: false, error: { kind: 'out-of-reach' } }
  const reach = WHISKER * (q3 - q1)
  const inside = sorted.filter((value) => value >= q1 - reach && value <= q3 + reach)
  return settle({
    n: values.length,
    mean: meanOf(values),
    median,
    q1,
    q3,
    // Between two distant values a quartile may have no value near: then the whisker is the box's end.
    lowWhisker: Math.min(q1, at(inside.length > 0 ? inside : [q1], 0)),
    highWhisker: Math.max(q3, at(inside.length > 0 ? inside : [q3], Math.max(0, inside.length - 1))),
    outliers: sorted.filter((value) => value < q1 - reach || value > q3 + reach),
  })
}
