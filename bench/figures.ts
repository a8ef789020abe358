/** Figures of a benchmark: percentiles, and lines that say what was measured and whether it is within budget. */

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Whole-number option such as `--runs=5`. */
export function numberOption(args: readonly string[], name: string, otherwise: number): number {
  const text = args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
  const value = Number(text ?? otherwise)
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} takes a whole number from 1 on`)
  return value
}
