import { err } from '#core/result.ts'

import { findTableProblem, totalsOf } from '../describe/crossTable.ts'
import type { Counts } from '../describe/crossTable.ts'
import { at, sum } from '../numbers.ts'
import { settle } from '../problem.ts'
import type { Statistic } from '../problem.ts'
import { logGamma } from '../special/logFactorial.ts'
import { takeByDesign } from './assumptions.ts'
import { AS_LIKELY } from './fisher.ts'
import type { TestResult } from './testResult.ts'

/**
 * Fisher's exact test of larger tables (Freeman and Halton), by a network as of Mehta and Patel (1983): columns are
 * filled one after the other; what is left of the rows, sorted, is a node; a node whose longest way on is still as
 * unlikely as the observed table is counted as a whole, one whose shortest way on is likelier is dropped.
 */

export type FisherTableResult = TestResult<'fisher-table'>

/** Most steps from node to node: about a second on an idle machine. Beyond it the answer is `too-large`. */
export const MOST_STEPS = 2_000_000
/** Most people in a table, and most nodes that can be told apart by a number. */
const [MOST_PEOPLE, MOST_KEYS] = [100_000, 2 ** 53]
/** Ways that are as long to so many digits are one. */
const DIGITS = 1e9

/** Tests a table of counts. Errors: `wrong-shape`, `not-a-count`, `empty-margin`, `too-large`. */
export function testFisherTable(counts: Counts): Statistic<FisherTableResult> {
  const problem = findTableProblem(counts)
  if (problem !== undefined) return problem
  const { rowTotals, columnTotals, total } = totalsOf(counts)
  if (total > MOST_PEOPLE) return err({ kind: 'too-large', limit: MOST_PEOPLE })
  const factorials = Float64Array.from({ length: total + 1 }, (_, n) => logGamma(n + 1))
  const observed = -sum(counts.flat().map((count) => at(factorials, count)))
  const p = new Network(rowTotals, columnTotals, factorials).sumUpTo(observed + Math.log1p(AS_LIKELY))
  if (p === null) return err({ kind: 'too-large', limit: MOST_STEPS })
  return settle({
    method: 'fisher-table',
    statistic: observed,
    df: [],
    p: Math.min(1, p),
    alternative: 'two-sided',
    assumptions: takeByDesign('independence'),
  })
}

/** What is left of the rows when some columns are filled. */
interface Node {
  /** The logarithms of the likeliest and unlikeliest way on, and of the sum of all ways on. */
  longest: number
  shortest: number
  all: number
  /** The next nodes, and the lengths of the ways to them. */
  readonly to: Node[]
  readonly lengths: number[]
}

/** Ways of nearly one length that lead to a node: the length, and how many (as multiples of one). */
interface Past {
  readonly length: number
  weight: number
}

type Stage = Map<Node, Map<number, Past>>

class Network {
  readonly #factorials: Float64Array
  readonly #columns: readonly number[]
  readonly #rows: readonly number[]
  readonly #nodes: readonly Map<number, Node>[]
  readonly #base: number
  #steps = 0

  constructor(rowTotals: readonly number[], columnTotals: readonly number[], factorials: Float64Array) {
    // Few rows make few nodes.
    const [rows, columns] =
      rowTotals.length <= columnTotals.length ? [rowTotals, columnTotals] : [columnTotals, rowTotals]
    this.#rows = rows.toSorted((a, b) => b - a)
    this.#columns = columns.toSorted((a, b) => b - a)
    this.#factorials = factorials
    this.#nodes = columns.map(() => new Map<number, Node>())
    this.#base = at(this.#rows, 0) + 1
  }

  /** The probability of tables up to a length; null where there are too many. */
  sumUpTo(limit: number): number | null {
    const isTold = this.#base ** this.#rows.length < MOST_KEYS
    const first = isTold ? this.#node(this.#rows, 0) : null
    if (first === null) return null
    let total = 0
    let stage: Stage = new Map([[first, new Map([[0, { length: 0, weight: 1 }]])]])
    while (stage.size > 0) {
      const next: Stage = new Map()
      for (const [node, pasts] of stage) {
        for (const past of pasts.values()) {
          if (past.length + node.longest <= limit) {
            total += past.weight * Math.exp(past.length + node.all - first.all)
          } else if (past.length + node.shortest <= limit) {
            this.#steps += node.to.length
            if (this.#steps > MOST_STEPS) return null
            node.to.forEach((to, step) => addPast(next, to, at(node.lengths, step), past))
          }
        }
      }
      stage = next
    }
    return total
  }

  /** The node for what is left of the rows, most first; null where there are too many steps. */
  #node(left: readonly number[], stage: number): Node | null {
    const key = left.reduce((number, count) => number * this.#base + count, 0)
    const nodes = this.#nodes[stage]
    const known = nodes?.get(key)
    if (known !== undefined) return known
    const node = stage === this.#columns.length - 1 ? this.#lastNode(left) : this.#makeNode(left, stage)
    if (node !== null) nodes?.set(key, node)
    return node
  }

  /** The last column takes what is left. */
  #lastNode(left: readonly number[]): Node {
    const length = -this.#sumFactorials(left)
    return { longest: length, shortest: length, all: length, to: [], lengths: [] }
  }

  #makeNode(left: readonly number[], stage: number): Node | null {
    const ahead = this.#columns.slice(stage)
    const rest = ahead.reduce((all, count) => all + count, 0)
    const node: Node = {
      longest: Number.NEGATIVE_INFINITY,
      shortest: Number.POSITIVE_INFINITY,
      all: at(this.#factorials, rest) - this.#sumFactorials(left) - this.#sumFactorials(ahead),
      to: [],
      lengths: [],
    }
    const isDone = this.#fill(left.slice(), { row: 0, stage, toFill: at(ahead, 0), room: rest, length: 0 }, node)
    return isDone ? node : null
  }

  /** Parts what is to fill of a column among the rows from one on; false where there are too many steps. */
  #fill(left: number[], { row, stage, toFill, room, length }: Filling, node: Node): boolean {
    const own = at(left, row)
    const later = room - own
    if (row === left.length - 1) {
      this.#steps += 1
      left[row] = own - toFill
      const sorted = left.toSorted((a, b) => b - a)
      left[row] = own
      const to = this.#steps > MOST_STEPS ? null : this.#node(sorted, stage + 1)
      if (to === null) return false
      const whole = length - at(this.#factorials, toFill)
      node.to.push(to)
      node.lengths.push(whole)
      node.longest = Math.max(node.longest, whole + to.longest)
      node.shortest = Math.min(node.shortest, whole + to.shortest)
      return true
    }
    for (let count = Math.max(0, toFill - later); count <= Math.min(toFill, own); count += 1) {
      left[row] = own - count
      const next = { row: row + 1, stage, toFill: toFill - count, room: later }
      if (!this.#fill(left, { ...next, length: length - at(this.#factorials, count) }, node)) return false
    }
    left[row] = own
    return true
  }

  #sumFactorials(counts: readonly number[]): number {
    return counts.reduce((all, count) => all + at(this.#factorials, count), 0)
  }
}

interface Filling {
  readonly row: number
  readonly stage: number
  readonly toFill: number
  /** How much the rows from this one on can still take. */
  readonly room: number
  readonly length: number
}

function addPast(stage: Stage, to: Node, length: number, from: Past): void {
  const own = from.length + length
  const key = Math.round(own * DIGITS)
  let pasts = stage.get(to)
  if (pasts === undefined) {
    pasts = new Map()
    stage.set(to, pasts)
  }
  const past = pasts.get(key)
  if (past === undefined) pasts.set(key, { length: own, weight: from.weight })
  else past.weight += from.weight * Math.exp(own - past.length)
}
