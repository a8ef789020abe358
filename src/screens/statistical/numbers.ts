import type { Interval } from '#core/statistics/problem.ts'
import { pText } from '#core/statistics/tableOne/layout.ts'
import { figure } from '#src/ui/words/format.ts'

/** Numbers as papers print them. */

export const NOTHING = '–'
const MINUS = '−'

/** So many digits after the point; a dash where there is none. Never "−0.0". */
export function writeFixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return NOTHING
  const text = Math.abs(value) >= 1e9 ? value.toExponential(2) : value.toFixed(Math.max(0, decimals))
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', MINUS)
}

/** A statistic or an effect: three digits after the point, powers of ten where that says nothing. */
export function statistic(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 0.0005 || size >= 1e6)) return value.toExponential(2).replace('-', MINUS)
  return writeFixed(value, 3)
}

/** P = 0.012, P < 0.001, P > 0.999. */
export function pEquation(p: number): string {
  const text = pText(p)
  return /^[<>]/.test(text) ? `P ${text[0] ?? ''} ${text.slice(1)}` : `P = ${text}`
}

/** A p value in a column that says so. */
export function pCell(p: number): string {
  return pText(p).replace(/^([<>])/, '$1 ')
}

export function percent(share: number): string {
  return `${figure(100 * share, 1)}%`
}

export function count(n: number): string {
  return figure(n, 0)
}

/** Both ends; an open one as infinity. */
export function ends(interval: Pick<Interval, 'low' | 'high'> | null, decimals: number): string {
  if (interval === null) return NOTHING
  const { low, high } = interval
  return `${low === null ? `${MINUS}∞` : writeFixed(low, decimals)}, ${high === null ? '∞' : writeFixed(high, decimals)}`
}

/** Degrees of freedom: whole, or to one digit as Welch's are. */
export function degrees(df: readonly number[]): string {
  return df.map((one) => (Number.isInteger(one) ? String(one) : one.toFixed(1))).join(', ')
}
