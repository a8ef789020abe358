import { sumOf } from '../numbers.ts'
import { testEqualVariances } from './levene.ts'
import { testNormality } from './shapiroWilk.ts'
import { expectedCounts } from './expected.ts'
import type { Counts } from '../describe/crossTable.ts'
import type { StatisticsProblem } from '../problem.ts'

/**
 * What tests take for granted, as data. `holds` and `doubtful` are read from the data (at 5 %: no proof either way);
 * `by-design` can only be known from how the study was made; `unknown` says why the data do not tell.
 */
export type Assumption =
  | ({ readonly kind: 'normality'; readonly of: NormalityOf } & Checked<{ readonly w: number; readonly p: number }>)
  | ({ readonly kind: 'equal-variances' } & Checked<{ readonly f: number; readonly p: number }>)
  | {
      readonly kind: 'expected-counts'
      readonly verdict: 'holds' | 'doubtful'
      readonly least: number
      /** How many of all cells expect less than 5. */
      readonly below5: number
      readonly cells: number
    }
  | { readonly kind: 'discordant-pairs'; readonly verdict: 'holds' | 'doubtful'; readonly pairs: number }
  | { readonly kind: 'events'; readonly verdict: 'holds' | 'doubtful'; readonly least: number }
  | { readonly kind: ByDesign; readonly verdict: 'by-design' }

/** Of what normality is asked: each group in its place, the differences of pairs, or one of two variables. */
export type NormalityOf =
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'differences' }
  | { readonly kind: 'variable'; readonly index: number }

type Checked<Found> =
  | { readonly verdict: 'holds' | 'doubtful'; readonly found: Found }
  | { readonly verdict: 'unknown'; readonly because: StatisticsProblem }

type ByDesign =
  | 'independence'
  | 'independent-pairs'
  | 'same-shape'
  | 'symmetric-differences'
  | 'linear-relation'
  | 'monotone-relation'
  | 'proportional-hazards'
  | 'independent-censoring'

/** What is not to be taken for granted below. */
const DOUBT = 0.05
/** Cochran's rule (1954): none expects less than 1, and at most a fifth less than 5. */
const [LEAST_EXPECTED, USUAL_EXPECTED, SHARE_BELOW] = [1, 5, 0.2]
const FEW_PAIRS = 25
const FEW_EVENTS = 5

/** Whether values look like a sample of a normal distribution, by Shapiro and Wilk. */
export function checkNormality(values: readonly number[], of: NormalityOf): Assumption {
  const test = testNormality(values)
  if (!test.ok) return { kind: 'normality', of, verdict: 'unknown', because: test.error }
  const { w, p } = test.value
  return { kind: 'normality', of, verdict: p < DOUBT ? 'doubtful' : 'holds', found: { w, p } }
}

/** Normality of each group. */
export function checkNormalGroups(groups: readonly (readonly number[])[]): readonly Assumption[] {
  return groups.map((values, index) => checkNormality(values, { kind: 'group', index }))
}

/** Whether variances look equal, by Brown and Forsythe. */
export function checkEqualVariances(groups: readonly (readonly number[])[]): Assumption {
  const test = testEqualVariances(groups, 'median')
  if (!test.ok) return { kind: 'equal-variances', verdict: 'unknown', because: test.error }
  const { f, p } = test.value
  return { kind: 'equal-variances', verdict: p < DOUBT ? 'doubtful' : 'holds', found: { f, p } }
}

/** Whether enough is expected in each cell of a table; in one of two by two, 5 in every cell. */
export function checkExpectedCounts(counts: Counts): Assumption {
  const expected = expectedCounts(counts).flat()
  const least = Math.min(...expected)
  const below5 = sumOf(expected, (value) => (value < USUAL_EXPECTED ? 1 : 0))
  const isEnough =
    expected.length === 4 ? below5 === 0 : least >= LEAST_EXPECTED && below5 <= SHARE_BELOW * expected.length
  return { kind: 'expected-counts', verdict: isEnough ? 'holds' : 'doubtful', least, below5, cells: expected.length }
}

/** Whether enough pairs differ for the χ² of McNemar. */
export function checkDiscordantPairs(pairs: number): Assumption {
  return { kind: 'discordant-pairs', verdict: pairs < FEW_PAIRS ? 'doubtful' : 'holds', pairs }
}

/** Whether enough events are expected in each group for the χ² of a log-rank test. */
export function checkEvents(expected: readonly number[]): Assumption {
  const least = Math.min(...expected)
  return { kind: 'events', verdict: least < FEW_EVENTS ? 'doubtful' : 'holds', least }
}

/** What only the design of the study can say. */
export function takeByDesign(...kinds: readonly ByDesign[]): readonly Assumption[] {
  return kinds.map((kind) => ({ kind, verdict: 'by-design' }))
}
