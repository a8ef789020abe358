import { err } from '#core/result.ts'

import { at, meanOf, squaresOf, sum } from '../numbers.ts'
import { findValueProblem, isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { Alternative, Interval, Statistic } from '../problem.ts'
import { normalQuantile, tTail, twice } from '../special/distributions.ts'
import { checkNormality, takeByDesign } from './assumptions.ts'
import type { Assumption } from './assumptions.ts'
import { rankValues } from './ranks.ts'
import { symmetricP } from './testResult.ts'
import type { TestOptions, TestResult } from './testResult.ts'

export interface CorrelationResult extends TestResult<'pearson' | 'spearman-exact' | 'spearman-t'> {
  /** From −1 to 1. */
  readonly estimate: number
  /** Null for fewer than four pairs. */
  readonly interval: Interval | null
}

/** Up to so many pairs all orders are counted (9! of them). */
const EXACT_UP_TO = 9
/** A correlation so close to 1 is a line but for rounding. */
const ROUNDING = 8 * Number.EPSILON

/**
 * Pearson's correlation; interval by Fisher's z. Errors: `unequal-lengths`, `too-few` (three pairs), `constant`,
 * `perfect-fit`, `not-finite`, `wrong-level`.
 */
export function testPearson(
  x: readonly number[],
  y: readonly number[],
  options: TestOptions = {},
): Statistic<CorrelationResult> {
  const r = correlate(x, y)
  if (!r.ok) return r
  const normality = [x, y].map((values, index) => checkNormality(values, { kind: 'variable', index }))
  const n = x.length
  return finish({
    method: 'pearson',
    r: r.value,
    n,
    se: 1 / Math.sqrt(n - 3),
    assumptions: [...takeByDesign('independent-pairs', 'linear-relation'), ...normality],
    options,
    exactP: null,
  })
}

/**
 * Spearman's correlation of ranks. Up to nine pairs without ties p is exact, otherwise by the t distribution (R's
 * `exact = FALSE`; R's own series for more pairs falls to 0 in the tail). Interval by Fisher's z with the error of
 * Bonett and Wright (2000). Errors as `testPearson`; a perfect order is an error only where p is not exact.
 */
export function testSpearman(
  x: readonly number[],
  y: readonly number[],
  options: TestOptions = {},
): Statistic<CorrelationResult> {
  const problem = findValueProblem([x, y], 3)
  if (problem !== undefined) return problem
  const [a, b] = [rankValues(x), rankValues(y)]
  const r = correlate(a.ranks, b.ranks)
  if (!r.ok) return r
  const n = x.length
  const isExact = n <= EXACT_UP_TO && a.ties.length + b.ties.length === 0
  return finish({
    method: isExact ? 'spearman-exact' : 'spearman-t',
    r: r.value,
    n,
    se: Math.sqrt((1 + (r.value * r.value) / 2) / (n - 3)),
    assumptions: takeByDesign('independent-pairs', 'monotone-relation'),
    options,
    exactP: isExact ? exactP(a.ranks, b.ranks, options.alternative ?? 'two-sided') : null,
  })
}

/** The correlation of values as they are. */
function correlate(x: readonly number[], y: readonly number[]): Statistic<number> {
  if (x.length !== y.length) return err({ kind: 'unequal-lengths' })
  const problem = findValueProblem([x, y], 3)
  if (problem !== undefined) return problem
  const [sx, sy] = [squaresOf(x), squaresOf(y)]
  if (sx === 0 || sy === 0) return err({ kind: 'constant' })
  const [mx, my] = [meanOf(x), meanOf(y)]
  const both = sum(x.map((value, index) => (value - mx) * (at(y, index) - my)))
  return settle(Math.max(-1, Math.min(1, both / Math.sqrt(sx) / Math.sqrt(sy))))
}

interface Correlation {
  readonly method: CorrelationResult['method']
  readonly r: number
  readonly n: number
  /** Of Fisher's z. */
  readonly se: number
  readonly assumptions: readonly Assumption[]
  readonly options: TestOptions
  readonly exactP: number | null
}

function finish({ method, r, n, se, assumptions, options, exactP: exact }: Correlation): Statistic<CorrelationResult> {
  const { alternative = 'two-sided', level = USUAL_LEVEL } = options
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const isLine = 1 - Math.abs(r) <= ROUNDING
  if (isLine && exact === null) return err({ kind: 'perfect-fit' })
  const df = n - 2
  const t = isLine ? 0 : r * Math.sqrt(df / ((1 - r) * (1 + r)))
  return settle({
    method,
    statistic: exact === null ? t : r,
    df: exact === null ? [df] : [],
    p: exact ?? symmetricP(t, alternative, (value) => tTail(value, df)),
    alternative,
    assumptions,
    estimate: r,
    interval: n < 4 || isLine ? null : intervalOf(r, se, { alternative, level }),
  })
}

function intervalOf(
  r: number,
  se: number,
  { alternative, level }: { readonly alternative: Alternative; readonly level: number },
): Interval {
  const reach = normalQuantile(alternative === 'two-sided' ? (1 - level) / 2 : 1 - level) * se
  return {
    low: alternative === 'less' ? -1 : Math.tanh(Math.atanh(r) - reach),
    high: alternative === 'greater' ? 1 : Math.tanh(Math.atanh(r) + reach),
    level,
  }
}

/** p from all orders of up to nine ranks: how many have a sum of squared differences as small, or as large. */
function exactP(a: readonly number[], b: readonly number[], alternative: Alternative): number {
  const n = a.length
  const observed = sum(a.map((rank, index) => (rank - at(b, index)) ** 2))
  const counts = countOrders(n)
  const all = counts.reduce((total, count) => total + count, 0)
  const share = (isIn: (value: number) => boolean) =>
    counts.reduce((total, count, value) => total + (isIn(value) ? count : 0), 0) / all
  const [greater, less] = [share((value) => value <= observed), share((value) => value >= observed)]
  if (alternative === 'two-sided') return twice(Math.min(greater, less))
  return alternative === 'greater' ? greater : less
}

/** How many orders of n ranks have each sum of squared differences to 1 … n, by which ranks are used. */
function countOrders(n: number): readonly number[] {
  let states = new Map<number, number[]>([[0, [1]]])
  for (let place = 0; place < n; place += 1) {
    const next = new Map<number, number[]>()
    for (const [used, counts] of states) {
      for (let rank = 0; rank < n; rank += 1) {
        if ((used & (1 << rank)) !== 0) continue
        const key = used | (1 << rank)
        const sums = next.get(key) ?? []
        counts.forEach((count, value) => {
          const total = value + (rank - place) ** 2
          sums[total] = (sums[total] ?? 0) + count
        })
        next.set(key, sums)
      }
    }
    states = next
  }
  const counts = states.get((1 << n) - 1) ?? []
  return Array.from(counts, (count) => count ?? 0)
}
