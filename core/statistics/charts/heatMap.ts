import { testSpearman, testPearson } from '../compare/correlation.ts'
import type { Cell } from '../describe/describe.ts'
import type { StatisticsProblem } from '../problem.ts'

/** A variable of a matrix of correlations; all have as many cells, one a person. */
export interface MatrixVariable {
  readonly name: string
  readonly cells: readonly Cell<number>[]
}

export type MatrixCell =
  | { readonly n: number; readonly r: number; readonly p: number | null }
  | { readonly n: number; readonly because: StatisticsProblem }

export interface CorrelationMatrix {
  readonly names: readonly string[]
  /** Symmetric; each pair over who has both values. */
  readonly cells: readonly (readonly MatrixCell[])[]
}

/** The correlations of all pairs of variables. A pair without one says why. */
export function makeCorrelationMatrix(
  variables: readonly MatrixVariable[],
  kind: 'pearson' | 'spearman',
): CorrelationMatrix {
  const known = new Map<string, MatrixCell>()
  const cells = variables.map((down, row) =>
    variables.map((across, column) => {
      const key = `${Math.min(row, column)} ${Math.max(row, column)}`
      const cell = known.get(key) ?? (row === column ? cellOfItself(down) : cellOf(down, across, kind))
      known.set(key, cell)
      return cell
    }),
  )
  return { names: variables.map(({ name }) => name), cells }
}

function cellOfItself({ cells }: MatrixVariable): MatrixCell {
  return { n: cells.filter((cell) => typeof cell === 'number').length, r: 1, p: null }
}

function cellOf(down: MatrixVariable, across: MatrixVariable, kind: 'pearson' | 'spearman'): MatrixCell {
  const pairs = down.cells.flatMap((x, index) => {
    const y = across.cells[index]
    return typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : []
  })
  const test = kind === 'pearson' ? testPearson : testSpearman
  const result = test(
    pairs.map(({ x }) => x),
    pairs.map(({ y }) => y),
  )
  const n = pairs.length
  return result.ok ? { n, r: result.value.estimate, p: result.value.p } : { n, because: result.error }
}
