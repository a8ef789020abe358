import { logBinomial, logPoisson } from './logFactorial.ts'

/**
 * The incomplete gamma and beta functions, from which all tails of t, F, χ² and normal distributions come. Each tail is
 * computed itself, never as one minus the other where it is small. About 13 digits, down to 1e-300.
 */

/** More steps than any argument needs that data of a study can give. */
const MOST_STEPS = 1_000_000
const SMALL = 1e-300
const PRECISION = 1e-16

/** Γ(a, x) / Γ(a): the upper tail, for a > 0 and x ≥ 0. NaN where it does not converge. */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  if (x === Number.POSITIVE_INFINITY) return 0
  return x < a + 1 ? 1 - gammaSeries(a, x) : gammaFraction(a, x)
}

function gammaSeries(a: number, x: number): number {
  let [total, term] = [1, 1]
  for (let n = 1; n < MOST_STEPS; n += 1) {
    term *= x / (a + n)
    total += term
    if (term < total * PRECISION) return Math.exp(logPoisson(a, x)) * total
  }
  return Number.NaN
}

/** The continued fraction of Legendre, by Lentz's method. */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a
  let c = 1 / SMALL
  let d = 1 / b
  let h = d
  for (let n = 1; n < MOST_STEPS; n += 1) {
    const factor = -n * (n - a)
    b += 2
    d = 1 / awayFromZero(factor * d + b)
    c = awayFromZero(b + factor / c)
    const step = d * c
    h *= step
    if (Math.abs(step - 1) <= 4 * PRECISION) return Math.exp(logPoisson(a, x)) * a * h
  }
  return Number.NaN
}

/** A point of the unit interval with its distance from 1, so that neither is lost. */
export interface Share {
  readonly x: number
  /** 1 − x. */
  readonly y: number
}

/** The regularised incomplete beta function: the lower tail of the beta distribution, for a, b > 0. */
export function lowerBeta({ x, y }: Share, a: number, b: number): number {
  if (x <= 0) return 0
  if (y <= 0) return 1
  // Beyond the mean the other tail is the smaller one, and its fraction converges.
  return x <= (a + 1) / (a + b + 2) ? betaTail({ x, y }, a, b) : 1 - betaTail({ x: y, y: x }, b, a)
}

/** The continued fraction of the beta function (Abramowitz and Stegun 26.5.8), by Lentz's method. */
function betaTail({ x, y }: Share, a: number, b: number): number {
  const both = a + b
  let c = 1
  let d = 1 / awayFromZero(1 - (both * x) / (a + 1))
  let h = d
  for (let m = 1; m < MOST_STEPS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    h *= d * c
    const odd = (-(a + m) * (both + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    const step = d * c
    h *= step
    if (Math.abs(step - 1) <= 4 * PRECISION) {
      // x^a y^b / (a B(a, b)) is a binomial probability but for a factor.
      return Math.exp(logBinomial(a, both, { p: x, q: y })) * (b / both) * h
    }
  }
  return Number.NaN
}

function awayFromZero(value: number): number {
  return Math.abs(value) < SMALL ? SMALL : value
}
