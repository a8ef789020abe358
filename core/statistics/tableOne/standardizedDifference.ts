import { at, meanOf, sum, varianceOf } from '../numbers.ts'

/**
 * Standardized mean differences as tables of baseline data have them: by the mean of the two variances, without regard
 * to the numbers in the groups (Austin 2009).
 */

/** |mean difference| / √((s₁² + s₂²) / 2); null for fewer than two values or where neither group varies. */
export function differenceOfNumbers(first: readonly number[], second: readonly number[]): number | null {
  if (first.length < 2 || second.length < 2) return null
  const sd = Math.sqrt((varianceOf(first) + varianceOf(second)) / 2)
  return finiteOrNull(Math.abs(meanOf(first) - meanOf(second)) / sd)
}

/**
 * Of categories: the distance of the two lists of shares by Mahalanobis (Yang and Dalton 2012); with two categories the
 * usual difference of shares. Null where a group is empty or nothing varies.
 */
export function differenceOfShares(first: readonly number[], second: readonly number[]): number | null {
  const [n1, n2] = [sum(first), sum(second)]
  if (n1 === 0 || n2 === 0) return null
  const used = [...first.keys()].filter((level) => at(first, level) + at(second, level) > 0).slice(1)
  if (used.length === 0) return null
  const [p, q] = [used.map((level) => at(first, level) / n1), used.map((level) => at(second, level) / n2)]
  const covariance = used.map((_, i) =>
    used.map((__, j) => (i === j ? at(p, i) + at(q, i) : 0) / 2 - (at(p, i) * at(p, j) + at(q, i) * at(q, j)) / 2),
  )
  const distance = p.map((share, level) => share - at(q, level))
  const solved = solveLinear(covariance, distance)
  if (solved === null) return null
  return finiteOrNull(Math.sqrt(Math.max(0, sum(distance.map((own, level) => own * at(solved, level))))))
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/** x of A x = b by elimination with pivots; null where A has no inverse. */
function solveLinear(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] | null {
  const rows = matrix.map((line, index) => [...line, at(right, index)])
  const n = right.length
  for (let column = 0; column < n; column += 1) {
    let best = column
    for (let row = column; row < n; row += 1)
      if (Math.abs(at(rows[row] ?? [], column)) > Math.abs(at(rows[best] ?? [], column))) best = row
    const pivot = rows[best] ?? []
    if (Math.abs(at(pivot, column)) < 1e-12) return null
    rows[best] = rows[column] ?? []
    rows[column] = pivot
    for (let row = 0; row < n; row += 1) {
      const line = rows[row] ?? []
      const factor = row === column ? 0 : at(line, column) / at(pivot, column)
      if (factor !== 0) rows[row] = line.map((value, place) => value - factor * at(pivot, place))
    }
  }
  return rows.map((line, index) => at(line, n) / at(line, index))
}
