/** Sums and orders of plain lists of numbers. */

/** The number at a place; NaN outside of the list, which `settle` lets reach nobody. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? Number.NaN
}

/** The sum, with the rounding of each step carried along (Neumaier 1974). */
export function sum(values: Iterable<number>): number {
  let [total, carried] = [0, 0]
  for (const value of values) {
    const next = total + value
    carried += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  // Where the sum overflows, what was carried is not a number, and the sum still says so.
  return Number.isFinite(total) ? total + carried : total
}

/** The sum of what is made of each value. */
export function sumOf<Item>(items: readonly Item[], read: (item: Item, index: number) => number): number {
  return sum(items.map(read))
}

/** The arithmetic mean of at least one value. */
export function meanOf(values: readonly number[]): number {
  const first = sum(values) / values.length
  return first + sum(values.map((value) => value - first)) / values.length
}

/** The sum of squares about the mean. */
export function squaresOf(values: readonly number[]): number {
  const first = at(values, 0)
  // Rounding of the mean would leave something of values that do not differ at all.
  if (values.every((value) => value === first)) return 0
  const mean = meanOf(values)
  return sum(values.map((value) => (value - mean) ** 2))
}

/** The variance of a sample of at least two values (divided by n − 1). */
export function varianceOf(values: readonly number[]): number {
  return squaresOf(values) / (values.length - 1)
}

/** A sorted copy. */
export function sortNumbers(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b)
}

/** The median of at least one value. */
export function medianOf(values: readonly number[]): number {
  const sorted = sortNumbers(values)
  const half = sorted.length >> 1
  if (sorted.length % 2 === 1) return at(sorted, half)
  const [low, high] = [at(sorted, half - 1), at(sorted, half)]
  return low + (high - low) / 2
}

/** Whether numbers are counts: whole and not negative. */
export function areCounts(values: readonly number[]): boolean {
  return values.every((value) => Number.isSafeInteger(value) && value >= 0)
}
