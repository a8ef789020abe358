import { err } from '#core/result.ts'

import { at, sortNumbers, sum } from '../numbers.ts'
import { findValueProblem, settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { normalQuantile, normalTail } from '../special/distributions.ts'

/** Shapiro and Wilk's test of normality for 3 to 5000 values, by P. Royston's algorithm AS R94 (1995). */

export interface NormalityTest {
  readonly method: 'shapiro-wilk'
  readonly n: number
  readonly w: number
  readonly p: number
}

const FEWEST = 3
export const MOST_FOR_SHAPIRO = 5000

const LAST = [0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056]
const LAST_BUT_ONE = [0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633]
const SMALL_MEAN = [0.544, -0.39978, 0.025054, -6.714e-4]
const SMALL_SD = [1.3822, -0.77857, 0.062767, -0.0020322]
const LARGE_MEAN = [-1.5861, -0.31082, -0.083751, 0.0038915]
const LARGE_SD = [-0.4803, -0.082676, 0.0030302]
const SMALL_SHIFT = [-2.273, 0.459]
/** What the algorithm says where p is beyond its formula for small samples. */
const BEYOND = 1e-99

/** Tests normality. Errors: `too-few`, `too-large`, `constant`, `not-finite`. */
export function testNormality(values: readonly number[]): Statistic<NormalityTest> {
  const problem = findValueProblem([values], FEWEST)
  if (problem !== undefined) return problem
  const n = values.length
  if (n > MOST_FOR_SHAPIRO) return err({ kind: 'too-large', limit: MOST_FOR_SHAPIRO })
  const sorted = sortNumbers(values)
  const range = at(sorted, n - 1) - at(sorted, 0)
  if (range <= 0) return err({ kind: 'constant' })
  const short = oneMinusW(sorted.map((value) => (value - at(sorted, n >> 1)) / range))
  return settle({ method: 'shapiro-wilk', n, w: 1 - short, p: probabilityOf(short, n) })
}

/** 1 − W, of which W keeps its digits near 1. */
function oneMinusW(sorted: readonly number[]): number {
  const n = sorted.length
  const half = weightsOf(n)
  const weights = sorted.map((_, index) => {
    const opposite = n - 1 - index
    if (index === opposite) return 0
    return index < opposite ? -at(half, index) : at(half, opposite)
  })
  const [meanWeight, mean] = [sum(weights) / n, sum(sorted) / n]
  const ssa = sum(weights.map((weight) => (weight - meanWeight) ** 2))
  const ssx = sum(sorted.map((value) => (value - mean) ** 2))
  const sax = sum(weights.map((weight, index) => (weight - meanWeight) * (at(sorted, index) - mean)))
  const both = Math.sqrt(ssa * ssx)
  return ((both - sax) * (both + sax)) / (ssa * ssx)
}

/** The weights of the first half of the order statistics. */
function weightsOf(n: number): readonly number[] {
  if (n === 3) return [Math.SQRT1_2]
  const half = n >> 1
  // Expected normal scores of the lower half: negative.
  const scores = Array.from({ length: half }, (_, index) => -normalQuantile((index + 1 - 0.375) / (n + 0.25)))
  const squares = 2 * sum(scores.map((score) => score * score))
  const root = Math.sqrt(squares)
  const inverse = 1 / Math.sqrt(n)
  const [m1, m2] = [at(scores, 0), at(scores, 1)]
  const first = polynomial(LAST, inverse) - m1 / root
  if (n <= 5) {
    const factor = Math.sqrt((squares - 2 * m1 * m1) / (1 - 2 * first * first))
    return scores.map((score, index) => (index === 0 ? first : -score / factor))
  }
  const second = polynomial(LAST_BUT_ONE, inverse) - m2 / root
  const factor = Math.sqrt((squares - 2 * m1 * m1 - 2 * m2 * m2) / (1 - 2 * first * first - 2 * second * second))
  return scores.map((score, index) => (index === 0 ? first : index === 1 ? second : -score / factor))
}

function probabilityOf(short: number, n: number): number {
  if (n === 3) {
    const p = (6 / Math.PI) * (Math.asin(Math.sqrt(1 - short)) - Math.PI / 3)
    // Two equal values of three give 0, of which rounding would leave something.
    return p < 1e-14 ? 0 : p
  }
  const y = Math.log(Math.max(short, Number.MIN_VALUE))
  if (n <= 11) {
    const shift = polynomial(SMALL_SHIFT, n)
    if (y >= shift) return BEYOND
    return normalTail((-Math.log(shift - y) - polynomial(SMALL_MEAN, n)) / Math.exp(polynomial(SMALL_SD, n)))
  }
  const size = Math.log(n)
  return normalTail((y - polynomial(LARGE_MEAN, size)) / Math.exp(polynomial(LARGE_SD, size)))
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0)
}
