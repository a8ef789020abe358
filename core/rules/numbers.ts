/** Arithmetic as a statistician expects it: binary noise in the last digits never decides a rounding. */

/**
 * Rounds half away from zero at `digits` decimals (negative: tens, hundreds). 1.005 at 2 digits is 1.01, -2.5 at 0 is
 * -3.
 */
export function roundHalfAway(value: number, digits: number): number {
  return scaleNumber(value, digits, Math.round)
}

/** Rounds away from zero at `digits` decimals. */
export function roundUp(value: number, digits: number): number {
  return scaleNumber(value, digits, Math.ceil)
}

/** Rounds toward zero at `digits` decimals. */
export function roundDown(value: number, digits: number): number {
  return scaleNumber(value, digits, Math.floor)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** The middle value, or the mean of the two middle ones; NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** Standard deviation of a sample (n - 1); NaN for fewer than two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN
  const centre = mean(values)
  return Math.sqrt(sum(values.map((value) => (value - centre) ** 2)) / (values.length - 1))
}

function scaleNumber(value: number, digits: number, toWhole: (value: number) => number): number {
  if (!Number.isFinite(value)) return value
  const places = Math.trunc(Math.min(Math.max(digits, -15), 15))
  // Fifteen significant digits: what a double holds exactly. 1.005 is stored as 1.00499999999999989…, and people mean
  // 1.005.
  const magnitude = Number(Math.abs(value).toPrecision(15))
  const shifted = Number(shift(magnitude, places))
  const rounded = Number(shift(toWhole(shifted), -places))
  return value < 0 ? 0 - rounded : rounded
}

/** The decimal point moved by `places`, as text, so that no multiplication adds noise. */
function shift(value: number, places: number): string {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e')
  return `${mantissa}e${Number(exponent) + places}`
}
