/** Round numbers for axes and breaks: steps of 1, 2 or 5 times a power of ten. */

/** As close to a round number as counts as being it. */
const NEAR = 1e-10
/** How much finer steps are preferred to coarser ones, as in R's `pretty`. */
const BIAS = 1.5

/** Ranges narrower than this beside their distance from 0 cannot be cut. */
const NARROW = 100 * Number.EPSILON

/**
 * About `count` + 1 round numbers, the first at or below `from`, the last at or above `to`. One value alone gets a step
 * on either side.
 */
export function chooseTicks(from: number, to: number, count: number): readonly number[] {
  const [low, high] = widen(from, to)
  const unit = chooseUnit((high - low) / Math.max(1, count))
  const first = Math.floor(low / unit + NEAR)
  const last = Math.ceil(high / unit - NEAR)
  return Array.from({ length: last - first + 1 }, (_, index) => multipleOf(first + index, unit))
}

function widen(from: number, to: number): readonly [low: number, high: number] {
  const size = Math.max(Math.abs(from), Math.abs(to))
  if (to - from > size * NARROW) return [from, to]
  const reach = size === 0 ? 0.5 : size * 0.05
  return [from - reach, to + reach]
}

function chooseUnit(cell: number): number {
  const base = 10 ** Math.floor(Math.log10(cell))
  const fives = 0.5 + 1.5 * BIAS
  if (2 * base - cell >= BIAS * (cell - base)) return base
  if (5 * base - cell >= fives * (cell - 2 * base)) return 2 * base
  return 10 * base - cell < BIAS * (cell - 5 * base) ? 10 * base : 5 * base
}

/** Without the rounding that a multiple of 0.1 brings: 0.3 and not 0.30000000000000004. */
function multipleOf(count: number, unit: number): number {
  return Number((count * unit).toPrecision(14))
}
