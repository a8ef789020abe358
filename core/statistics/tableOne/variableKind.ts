import { meanOf, squaresOf, sum } from '../numbers.ts'
import { testNormality } from '../compare/shapiroWilk.ts'

/** How a variable is told: mean and SD, median and quartiles, or counts. */
export type VariableKind = 'normal' | 'skewed' | 'categorical'

/** The kind, and what it was chosen by. */
export type KindChoice =
  | { readonly kind: VariableKind; readonly by: 'caller' }
  /** Values are texts. */
  | { readonly kind: 'categorical'; readonly by: 'text' }
  /** Numbers of which there are not more than two: a yes and a no. */
  | { readonly kind: 'categorical'; readonly by: 'two-values' }
  /** The group that looks least normal, by Shapiro and Wilk. */
  | { readonly kind: 'normal' | 'skewed'; readonly by: 'shapiro-wilk'; readonly p: number }
  /** The group that is most oblique, where all are too large for a test to mean anything. */
  | {
      readonly kind: 'normal' | 'skewed'
      readonly by: 'moments'
      readonly skewness: number
      readonly excessKurtosis: number
    }
  /** No group has enough values to tell. */
  | { readonly kind: 'skewed'; readonly by: 'too-few' }

const MOST_CODES = 2
/** Up to so many values a group is tested; beyond, a test finds what does not matter. */
const TESTED_UP_TO = 50
const DOUBT = 0.05
/** As far as a distribution may lean, and be more pointed than the normal one. */
const [MOST_SKEWNESS, MOST_KURTOSIS] = [1, 2]

/**
 * Chooses how a variable is told from the values of its groups. Texts, and numbers of at most two different values, are
 * categories. Numbers are normal if every group of three or more is: one of up to 50 where Shapiro and Wilk's p is at
 * least 0.05, a larger one where its skewness is within ±1 and its excess kurtosis within ±2. A guess to be overruled:
 * the plan of the analysis comes before the data.
 */
export function chooseKind(groups: readonly (readonly (number | string)[])[]): KindChoice {
  const numbers = groups.map((values) => values.filter((value) => typeof value === 'number'))
  if (groups.flat().length > numbers.flat().length) return { kind: 'categorical', by: 'text' }
  const different = new Set(numbers.flat()).size
  if (different > 0 && different <= MOST_CODES) return { kind: 'categorical', by: 'two-values' }
  const judged = numbers.flatMap((values) => judgeGroup(values))
  const tested = judged.filter((one) => one.by === 'shapiro-wilk').toSorted((a, b) => a.p - b.p)
  const measured = judged
    .filter((one) => one.by === 'moments')
    .toSorted((a, b) => Math.abs(b.skewness) - Math.abs(a.skewness))
  const doubted = judged.find(({ kind }) => kind === 'skewed')
  return doubted ?? tested[0] ?? measured[0] ?? { kind: 'skewed', by: 'too-few' }
}

type Judgement = Extract<KindChoice, { by: 'shapiro-wilk' | 'moments' }>

function judgeGroup(values: readonly number[]): readonly Judgement[] {
  if (values.length > TESTED_UP_TO) {
    const { skewness, excessKurtosis } = measureShape(values)
    if (!Number.isFinite(skewness + excessKurtosis)) return []
    const isNormal = Math.abs(skewness) <= MOST_SKEWNESS && Math.abs(excessKurtosis) <= MOST_KURTOSIS
    return [{ kind: isNormal ? 'normal' : 'skewed', by: 'moments', skewness, excessKurtosis }]
  }
  const test = testNormality(values)
  if (!test.ok) return []
  return [{ kind: test.value.p < DOUBT ? 'skewed' : 'normal', by: 'shapiro-wilk', p: test.value.p }]
}

/** Skewness and excess kurtosis from central moments (g1 and g2); not finite for values that do not differ. */
function measureShape(values: readonly number[]): { readonly skewness: number; readonly excessKurtosis: number } {
  const n = values.length
  const mean = meanOf(values)
  const sd = Math.sqrt(squaresOf(values) / n)
  const scores = values.map((value) => (value - mean) / sd)
  return {
    skewness: sum(scores.map((score) => score ** 3)) / n,
    excessKurtosis: sum(scores.map((score) => score ** 4)) / n - 3,
  }
}
