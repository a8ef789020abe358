import { findRoot } from './findRoot.ts'
import { lowerBeta, upperGamma } from './incomplete.ts'

/** Tails and quantiles of the distributions of test statistics. A tail is the probability of a greater value. */

const LOG_ROOT_TWO_PI = 0.9189385332046727

/** The tail of the standard normal distribution. */
export function normalTail(z: number): number {
  return z >= 0 ? upperGamma(0.5, (z * z) / 2) / 2 : 1 - upperGamma(0.5, (z * z) / 2) / 2
}

/** The z that standard normal values exceed with probability `tail` (0 < tail < 1). */
export function normalQuantile(tail: number): number {
  if (tail === 0.5) return 0
  if (tail > 0.5) return -normalQuantile(1 - tail)
  // Hastings' approximation (Abramowitz and Stegun 26.2.23) to three digits, then Halley's steps on our own tail.
  const t = Math.sqrt(-2 * Math.log(tail))
  let z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  for (let count = 0; count < 4; count += 1) {
    const off = (normalTail(z) - tail) * Math.exp((z * z) / 2 + LOG_ROOT_TWO_PI)
    z += off / (1 - (z * off) / 2)
  }
  return z
}

/** How many standard errors lie between the middle and either end of an interval. */
export function normalLimit(level: number): number {
  return normalQuantile((1 - level) / 2)
}

/** The tail of Student's t distribution; `df` > 0 need not be whole. */
export function tTail(t: number, df: number): number {
  const square = t * t
  // So far out x would round to 0, and the power law of the tail says the same.
  const half = lowerBeta({ x: df / (df + square), y: square / (df + square) }, df / 2, 0.5) / 2
  return t >= 0 ? half : 1 - half
}

/** The t that is exceeded with probability `tail` (0 < tail < 1). */
export function tQuantile(tail: number, df: number): number {
  if (tail === 0.5) return 0
  if (tail > 0.5) return -tQuantile(1 - tail, df)
  const goal = Math.log(tail)
  let high = 2
  while (tTail(high, df) > tail && high < 1e150) high *= 4
  return findRoot((t) => Math.log(tTail(t, df)) - goal, 0, high)
}

/** The tail of the χ² distribution. */
export function chiSquareTail(value: number, df: number): number {
  return upperGamma(df / 2, value / 2)
}

/** The tail of the F distribution. */
export function fTail(value: number, df1: number, df2: number): number {
  if (value <= 0) return 1
  const all = df1 * value + df2
  return lowerBeta({ x: df2 / all, y: (df1 * value) / all }, df2 / 2, df1 / 2)
}

/** The x below which a beta variable lies with probability `below` (0 < below < 1). */
export function betaQuantile(below: number, a: number, b: number): number {
  // On the scale of the logit neither end is lost, and the smaller of the two tails is compared.
  const evaluate = (logit: number): number => {
    const x = 1 / (1 + Math.exp(-logit))
    const y = 1 / (1 + Math.exp(logit))
    return below <= 0.5
      ? Math.log(lowerBeta({ x, y }, a, b)) - Math.log(below)
      : Math.log(1 - below) - Math.log(lowerBeta({ x: y, y: x }, b, a))
  }
  let [from, to] = [-1, 1]
  while (evaluate(from) > 0 && from > -700) from *= 2
  while (evaluate(to) < 0 && to < 700) to *= 2
  return 1 / (1 + Math.exp(-findRoot(evaluate, from, to)))
}

/** The probability of at most `x` among `n` by a binomial distribution with p = ½. */
export function halfBinomialBelow(x: number, n: number): number {
  if (x >= n) return 1
  return x < 0 ? 0 : lowerBeta({ x: 0.5, y: 0.5 }, n - x, x + 1)
}

/** A probability of two tails from that of one. */
export function twice(tail: number): number {
  return Math.min(1, 2 * tail)
}
