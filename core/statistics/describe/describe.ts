import { err, ok } from '#core/result.ts'

import { meanOf, sortNumbers, varianceOf } from '../numbers.ts'
import { isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { BoundedInterval, Statistic } from '../problem.ts'
import { tQuantile } from '../special/distributions.ts'
import { quantileOf } from './quantiles.ts'
import type { QuantileRule } from './quantiles.ts'

/** A cell of data: a value, null where nothing was entered, or the reason why there is none. */
export type Cell<Value> = Value | null | { readonly reason: string }

/** How many cells have no value for a reason; null where none was said. */
export interface MissingCount {
  readonly reason: string | null
  readonly count: number
}

/** Values and what was missing, apart. */
export interface PresentValues<Value> {
  readonly values: readonly Value[]
  /** By reason, in the order in which they first come. */
  readonly missing: readonly MissingCount[]
}

/** Parts the cells that have a value from those that have none. */
export function readPresent<Value extends number | string>(cells: readonly Cell<Value>[]): PresentValues<Value> {
  const values: Value[] = []
  const counts = new Map<string | null, number>()
  for (const cell of cells) {
    if (typeof cell === 'number' || typeof cell === 'string') {
      values.push(cell)
      continue
    }
    const reason = cell === null ? null : cell.reason
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return { values, missing: [...counts].map(([reason, count]) => ({ reason, count })) }
}

/** What describes numbers. What so few values do not define is null: all but the counts without values. */
export interface NumberDescription {
  readonly n: number
  readonly missing: readonly MissingCount[]
  readonly missingCount: number
  readonly mean: number | null
  /** Of a sample (n − 1); null for fewer than two values. */
  readonly sd: number | null
  /** Of the mean. */
  readonly se: number | null
  /** Of the mean, by the t distribution. */
  readonly interval: BoundedInterval | null
  readonly median: number | null
  readonly q1: number | null
  readonly q3: number | null
  readonly iqr: number | null
  readonly min: number | null
  readonly max: number | null
  readonly range: number | null
  /** Null where a value is zero or negative. */
  readonly geometricMean: number | null
  /** SD / mean, as a share; null where the mean is not positive. */
  readonly cv: number | null
}

export interface DescribeOptions {
  readonly quantiles?: QuantileRule
  /** Of the interval of the mean. */
  readonly level?: number
}

/** Describes numbers. Errors: `not-finite`, `wrong-level`, `out-of-reach`. */
export function describeNumbers(
  cells: readonly Cell<number>[],
  { quantiles = 'r-7', level = USUAL_LEVEL }: DescribeOptions = {},
): Statistic<NumberDescription> {
  const { values, missing } = readPresent(cells)
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  if (!values.every(Number.isFinite)) return err({ kind: 'not-finite' })
  const n = values.length
  const sorted = sortNumbers(values)
  const quantile = (share: number) => (n === 0 ? null : quantileOf(sorted, share, quantiles))
  const mean = n === 0 ? null : meanOf(values)
  const sd = n < 2 ? null : Math.sqrt(varianceOf(values))
  const se = sd === null ? null : sd / Math.sqrt(n)
  const [q1, q3, min, max] = [quantile(0.25), quantile(0.75), quantile(0), quantile(1)]
  return settle({
    n,
    missing,
    missingCount: missing.reduce((all, { count }) => all + count, 0),
    mean,
    sd,
    se,
    interval: mean === null || se === null ? null : intervalOfMean(mean, se, { n, level }),
    median: quantile(0.5),
    q1,
    q3,
    iqr: q1 === null || q3 === null ? null : q3 - q1,
    min,
    max,
    range: min === null || max === null ? null : max - min,
    geometricMean: min === null || min <= 0 ? null : Math.exp(meanOf(values.map(Math.log))),
    cv: mean === null || sd === null || mean <= 0 ? null : sd / mean,
  })
}

function intervalOfMean(
  mean: number,
  se: number,
  { n, level }: { readonly n: number; readonly level: number },
): BoundedInterval {
  const reach = tQuantile((1 - level) / 2, n - 1) * se
  return { low: mean - reach, high: mean + reach, level }
}

/** Something said of each group, in the order in which groups first come. */
export interface OfGroup<Value> {
  readonly group: string
  readonly value: Value
}

/** The cells of each group, by the group of each cell. Error: `unequal-lengths`. */
export function splitByGroup<Item>(
  items: readonly Item[],
  groups: readonly string[],
): Statistic<readonly OfGroup<readonly Item[]>[]> {
  if (items.length !== groups.length) return err({ kind: 'unequal-lengths' })
  const split = new Map<string, Item[]>()
  items.forEach((item, index) => {
    const group = groups[index] ?? ''
    const own = split.get(group)
    if (own === undefined) split.set(group, [item])
    else own.push(item)
  })
  return ok([...split].map(([group, value]) => ({ group, value })))
}

/** Describes the numbers of each group. Errors as `describeNumbers` and `splitByGroup`. */
export function describeByGroup(
  cells: readonly Cell<number>[],
  groups: readonly string[],
  options: DescribeOptions = {},
): Statistic<readonly OfGroup<NumberDescription>[]> {
  const split = splitByGroup(cells, groups)
  if (!split.ok) return split
  const described: OfGroup<NumberDescription>[] = []
  for (const { group, value } of split.value) {
    const one = describeNumbers(value, options)
    if (!one.ok) return one
    described.push({ group, value: one.value })
  }
  return ok(described)
}
