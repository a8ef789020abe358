import { err } from '#core/result.ts'

import { findTableProblem, totalsOf } from '../describe/crossTable.ts'
import type { Counts } from '../describe/crossTable.ts'
import { at, sum } from '../numbers.ts'
import { isLevel, settle, USUAL_LEVEL } from '../problem.ts'
import type { Alternative, Interval, Statistic } from '../problem.ts'
import { findRoot } from '../special/findRoot.ts'
import { logHypergeometric } from '../special/logFactorial.ts'
import { takeByDesign } from './assumptions.ts'
import type { TestOptions, TestResult } from './testResult.ts'

/** Fisher's exact test of a table of two by two, with the conditional odds ratio, as R's `fisher.test`. */

export interface FisherResult extends TestResult<'fisher'> {
  /** The count of the first cell. */
  readonly statistic: number
  /** By conditional maximum likelihood; null where it is infinite. */
  readonly oddsRatio: number | null
  readonly interval: Interval
}

/** Tables as likely as this beside the observed one count as equally likely, as in R. */
export const AS_LIKELY = 1e-7
/** Most tables with the same margins that are looked through. */
const MOST_TABLES = 200_000

/** Tests a table of two by two. Errors: `wrong-shape`, `not-a-count`, `empty-margin`, `too-large`, `wrong-level`. */
export function testFisher(
  counts: Counts,
  { alternative = 'two-sided', level = USUAL_LEVEL }: TestOptions = {},
): Statistic<FisherResult> {
  const problem = findTableProblem(counts)
  if (problem !== undefined) return problem
  if (counts.length !== 2 || counts[0]?.length !== 2) return err({ kind: 'wrong-shape' })
  if (!isLevel(level)) return err({ kind: 'wrong-level' })
  const { rowTotals, columnTotals } = totalsOf(counts)
  const [marked, others, drawn] = [at(columnTotals, 0), at(columnTotals, 1), at(rowTotals, 0)]
  const low = Math.max(0, drawn - others)
  const high = Math.min(drawn, marked)
  if (high - low >= MOST_TABLES) return err({ kind: 'too-large', limit: MOST_TABLES })
  const x = at(counts[0], 0)
  const chances = Float64Array.from({ length: high - low + 1 }, (_, index) =>
    logHypergeometric(low + index, { marked, others, drawn }),
  )
  const conditional = new ConditionalTable(chances, low, x)
  return settle({
    method: 'fisher',
    statistic: x,
    df: [],
    p: conditional.p(alternative),
    alternative,
    assumptions: takeByDesign('independence'),
    oddsRatio: conditional.oddsRatio(),
    interval: { ...conditional.interval(alternative, level), level },
  })
}

/** The distribution of the first cell given the margins, at any odds ratio: the noncentral hypergeometric one. */
class ConditionalTable {
  readonly #chances: Float64Array
  readonly #x: number
  readonly #place: number
  readonly #low: number

  constructor(chances: Float64Array, low: number, x: number) {
    this.#chances = chances
    this.#low = low
    this.#x = x
    this.#place = x - low
  }

  p(alternative: Alternative): number {
    if (alternative === 'two-sided') {
      const limit = at(this.#chances, this.#place) + Math.log1p(AS_LIKELY)
      return Math.min(1, sum(this.#chances.filter((chance) => chance <= limit).map(Math.exp)))
    }
    return Math.exp(this.#logTail(0, alternative))
  }

  /** Of at least (`greater`) or at most as many as observed, at a log odds ratio. */
  #logTail(logRatio: number, side: 'greater' | 'less'): number {
    const { weights, all } = this.#weigh(logRatio)
    const part = side === 'greater' ? weights.subarray(this.#place) : weights.subarray(0, this.#place + 1)
    return Math.log(sum(part) / all)
  }

  #weigh(logRatio: number): { readonly weights: Float64Array; readonly all: number } {
    const logs = this.#chances.map((chance, index) => chance + (index - this.#place) * logRatio)
    const most = logs.reduce((largest, one) => Math.max(largest, one), Number.NEGATIVE_INFINITY)
    const weights = logs.map((one) => Math.exp(one - most))
    return { weights, all: sum(weights) }
  }

  oddsRatio(): number | null {
    if (this.#place === 0) return 0
    if (this.#place === this.#chances.length - 1) return null
    return Math.exp(
      solve((logRatio) => {
        const { weights, all } = this.#weigh(logRatio)
        return sum(weights.map((weight, index) => weight * (this.#low + index - this.#x))) / all
      }),
    )
  }

  interval(alternative: Alternative, level: number): Pick<Interval, 'low' | 'high'> {
    const tail = Math.log(alternative === 'two-sided' ? (1 - level) / 2 : 1 - level)
    const isLeast = this.#place === 0
    const isMost = this.#place === this.#chances.length - 1
    return {
      low: alternative === 'less' || isLeast ? 0 : Math.exp(solve((ratio) => this.#logTail(ratio, 'greater') - tail)),
      high:
        alternative === 'greater' || isMost ? null : Math.exp(solve((ratio) => tail - this.#logTail(ratio, 'less'))),
    }
  }
}

/** The root of a function that grows, looked for in both directions. */
function solve(evaluate: (x: number) => number): number {
  let [from, to] = [-1, 1]
  while (evaluate(from) > 0 && from > -700) from *= 2
  while (evaluate(to) < 0 && to < 700) to *= 2
  return findRoot(evaluate, from, to)
}
