/**
 * Logarithms of factorials and of the point probabilities of binomial and Poisson distributions, after C. Loader, "Fast
 * and accurate computation of binomial probabilities" (2000): Stirling's formula with its error apart, and deviances
 * that do not cancel. Whole and broken arguments alike.
 */

const HALF_LOG_TWO_PI = 0.9189385332046727
const LOG_TWO_PI = 1.8378770664093453

/** From here on seven terms of the series of Stirling's error are exact to a double. */
const SERIES_FROM = 16

/** Stirling's error: what log(x!) exceeds (x + ½) log x − x + ½ log 2π by, for x > 0. */
export function stirlingError(x: number): number {
  // The recurrence downwards from where the series holds.
  let [error, from] = [0, x]
  while (from < SERIES_FROM) {
    error += (from + 0.5) * Math.log1p(1 / from) - 1
    from += 1
  }
  const s = 1 / (from * from)
  const series =
    1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * (691 / 360_360 - s * (1 / 156))))))
  return error + series / from
}

/** log Γ(x) for x > 0. */
export function logGamma(x: number): number {
  // Γ has roots of its logarithm at 1 and 2, where the formula would leave only rounding.
  if (x === 1 || x === 2) return 0
  return stirlingError(x) + (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI
}

/** x log(x / mean) + mean − x, without cancellation where the two are close. */
export function deviance(x: number, mean: number): number {
  if (Math.abs(x - mean) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x
  const v = (x - mean) / (x + mean)
  let [total, term] = [(x - mean) * v, 2 * x * v]
  for (let j = 1; j < 1000; j += 1) {
    term *= v * v
    const next = total + term / (2 * j + 1)
    if (next === total) return next
    total = next
  }
  return total
}

/** The logarithm of the binomial probability of x among n (0 ≤ x ≤ n, p + q = 1). */
export function logBinomial(x: number, n: number, { p, q }: { readonly p: number; readonly q: number }): number {
  if (n === 0) return 0
  if (x === 0) return p < 0.1 ? -deviance(n, n * q) - n * p : n * Math.log(q)
  if (x === n) return q < 0.1 ? -deviance(n, n * p) - n * q : n * Math.log(p)
  const errors = stirlingError(n) - stirlingError(x) - stirlingError(n - x)
  const deviances = deviance(x, n * p) + deviance(n - x, n * q)
  return errors - deviances - 0.5 * (LOG_TWO_PI + Math.log(x) + Math.log1p(-x / n))
}

/** The logarithm of the Poisson probability of x > 0 at a mean. */
export function logPoisson(x: number, mean: number): number {
  return -stirlingError(x) - deviance(x, mean) - 0.5 * (LOG_TWO_PI + Math.log(x))
}

/**
 * The logarithm of the hypergeometric probability that `x` of `drawn` are marked, where `marked` and `others` are
 * there.
 */
export function logHypergeometric(
  x: number,
  { marked, others, drawn }: { readonly marked: number; readonly others: number; readonly drawn: number },
): number {
  const all = marked + others
  if (drawn === 0 || drawn === all) return 0
  const share = { p: drawn / all, q: (all - drawn) / all }
  return logBinomial(x, marked, share) + logBinomial(drawn - x, others, share) - logBinomial(drawn, all, share)
}
