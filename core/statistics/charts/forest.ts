import type { Effect } from '../compare/effectSizes.ts'
import type { Statistic, StatisticsProblem } from '../problem.ts'

export interface ForestInput {
  /** A subgroup or a comparison, as the caller names it. */
  readonly name: string
  readonly n: number
  readonly effect: Statistic<Effect>
}

export type ForestRow = Readonly<{ name: string; n: number }> &
  (
    | {
        readonly estimate: number
        readonly low: number
        readonly high: number
        /** From 0 to 1: how large its square is beside the most precise one's. */
        readonly weight: number
        /** Whether the interval leaves out what says that there is no difference. */
        readonly isDifferent: boolean
      }
    | { readonly because: StatisticsProblem }
  )

/**
 * The rows of a forest: `ratio` for effects of which 1, and `difference` for those of which 0 says that there is none.
 * Weights are by the inverse of the variance that the interval shows, of ratios on the log scale.
 */
export function makeForestRows(inputs: readonly ForestInput[], scale: 'ratio' | 'difference'): readonly ForestRow[] {
  const precisions = inputs.map(({ effect }) => (effect.ok ? precisionOf(effect.value, scale) : 0))
  const most = precisions.reduce((largest, one) => Math.max(largest, one), 0)
  const none = scale === 'ratio' ? 1 : 0
  return inputs.map(({ name, n, effect }, index) => {
    if (!effect.ok) return { name, n, because: effect.error }
    const { estimate, interval } = effect.value
    const { low, high } = interval
    const weight = most === 0 ? 1 : (precisions[index] ?? 0) / most
    return { name, n, estimate, low, high, weight, isDifferent: low > none || high < none }
  })
}

function precisionOf({ interval }: Effect, scale: 'ratio' | 'difference'): number {
  const { low, high } = interval
  const width = scale === 'ratio' ? Math.log(high) - Math.log(low) : high - low
  return Number.isFinite(width) && width > 0 ? 1 / (width * width) : 0
}
