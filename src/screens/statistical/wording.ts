import { useTranslation } from 'react-i18next'
import type { EffectKind, Favoured, OfferedTest } from '#core/analysis/offeredTests.ts'
import type { Assumption } from '#core/statistics/compare/assumptions.ts'
import type { MissingCount } from '#core/statistics/describe/describe.ts'
import type { StatisticsProblem } from '#core/statistics/problem.ts'

import { count, writeFixed, pEquation, statistic } from './numbers.ts'

/** What the results of statistics are called. */

export interface Wording {
  readonly reasonsOf: (missing: readonly MissingCount[]) => string
  readonly problemOf: (problem: StatisticsProblem) => string
  /** What an assumption is, and what the data say of it. */
  readonly assumptionOf: (assumption: Assumption, groups: readonly string[]) => readonly [what: string, found: string]
  readonly whyOf: (favoured: Favoured, isRelation: boolean) => string
  readonly howOf: (method: string) => string
  readonly letterOf: (method: string) => string | null
  readonly effectOf: (kind: EffectKind) => string
}

const REASONS = ['ND', 'UNK', 'NA', 'no-number', 'no-choice'] as const
const HOW = [
  't-welch',
  't-student',
  'rank-sum-exact',
  'rank-sum-normal',
  'welch-anova',
  'anova',
  'kruskal-wallis',
  'chi-square',
  'chi-square-yates',
  'fisher',
  'fisher-table',
  'pearson',
  'spearman-exact',
  'spearman-t',
  'log-rank',
] as const
/** What textbooks and R call the statistic of a method. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['t-welch', 't'],
  ['t-student', 't'],
  ['rank-sum-exact', 'W'],
  ['rank-sum-normal', 'W'],
  ['welch-anova', 'F'],
  ['anova', 'F'],
  ['kruskal-wallis', 'H'],
  ['chi-square', 'χ²'],
  ['chi-square-yates', 'χ²'],
  ['pearson', 't'],
  ['spearman-exact', 'ρ'],
  ['spearman-t', 't'],
  ['log-rank', 'χ²'],
])

export function useWording(): Wording {
  const { t } = useTranslation('statistical')
  return {
    reasonsOf: (missing) =>
      missing
        .map(({ reason, count: own }) => {
          if (reason === null) return t('reasons.none', { count: own })
          const known = REASONS.find((one) => one === reason)
          return t(`reasons.${known ?? 'other'}`, { count: own })
        })
        .join('; '),
    problemOf: (problem) => t('problems.title', { why: t(`problems.${problem.kind}`, countsIn(problem)) }),
    assumptionOf: (assumption, groups) => {
      switch (assumption.kind) {
        case 'normality': {
          const { of } = assumption
          const group = of.kind === 'differences' ? '' : (groups[of.index] ?? '')
          const found = 'found' in assumption ? assumption.found : null
          return [
            t(`assumptions.normality-${of.kind}`, { group }),
            found === null ? '' : t('assumptions.shapiro', { w: writeFixed(found.w, 3), p: pEquation(found.p) }),
          ]
        }
        case 'equal-variances': {
          const found = 'found' in assumption ? assumption.found : null
          return [
            t('assumptions.equal-variances'),
            found === null ? '' : t('assumptions.levene', { f: writeFixed(found.f, 2), p: pEquation(found.p) }),
          ]
        }
        case 'expected-counts': {
          const { least, below5: below, cells } = assumption
          return [
            t('assumptions.expected-counts'),
            t('assumptions.expected', { least: writeFixed(least, 1), below, cells }),
          ]
        }
        case 'discordant-pairs':
          return [t('assumptions.discordant-pairs'), t('assumptions.pairs', { count: assumption.pairs })]
        case 'events':
          return [t('assumptions.events'), t('assumptions.leastEvents', { least: writeFixed(assumption.least, 1) })]
        case 'independence':
        case 'independent-pairs':
        case 'same-shape':
        case 'symmetric-differences':
        case 'linear-relation':
        case 'monotone-relation':
        case 'proportional-hazards':
        case 'independent-censoring':
          return [t(`assumptions.${assumption.kind}`), '']
      }
    },
    whyOf: (favoured, isRelation) => {
      if (favoured.by === 'exact-too-large') return t('tests.why.exact-too-large')
      if (favoured.by === 'expected-counts')
        return t(favoured.assumption.verdict === 'holds' ? 'tests.why.expectedHolds' : 'tests.why.expectedDoubtful')
      const { choice } = favoured
      if (choice.kind === 'categorical' || choice.by === 'too-few') return t('tests.why.too-few')
      const what =
        choice.kind === 'normal'
          ? t(isRelation ? 'tests.why.normalBoth' : 'tests.why.normal')
          : t(isRelation ? 'tests.why.skewedBoth' : 'tests.why.skewed')
      if (choice.by === 'shapiro-wilk') return `${what} ${t('tests.why.shapiro-wilk', { p: pEquation(choice.p) })}`
      if (choice.by !== 'moments') return what
      const { skewness, excessKurtosis } = choice
      return `${what} ${t('tests.why.moments', { skewness: writeFixed(skewness, 2), kurtosis: writeFixed(excessKurtosis, 2) })}`
    },
    howOf: (method) => {
      const known = HOW.find((one) => one === method)
      return known === undefined ? '' : t(`tests.how.${known}`)
    },
    letterOf: (method) => LETTERS.get(method) ?? null,
    effectOf: (kind) => t(`effects.${kind}`),
  }
}

/** The counts that a problem tells, for its words. */
function countsIn(problem: StatisticsProblem): Readonly<Record<'needed' | 'given' | 'limit', string>> {
  return {
    needed: 'needed' in problem ? count(problem.needed) : '',
    given: 'given' in problem ? count(problem.given) : '',
    limit: 'limit' in problem ? count(problem.limit) : '',
  }
}

/** An estimate with its interval. */
export function useEffectText(): (effect: OfferedTest['effects'][number]) => string {
  const { t } = useTranslation('statistical')
  const { problemOf } = useWording()
  return ({ result }) => {
    if (!result.ok) return problemOf(result.error)
    const { estimate, interval } = result.value
    const text = estimate === null ? '∞' : statistic(estimate)
    if (interval === null) return text
    const { low, high } = interval
    return t('effects.interval', {
      estimate: text,
      low: low === null ? '−∞' : statistic(low),
      high: high === null ? '∞' : statistic(high),
    })
  }
}
