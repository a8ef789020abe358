import { useTranslation } from 'react-i18next'
import type { ChangeResult } from '#core/analysis/changed.ts'
import type { Described, DescribedCategory, DescribedNumber } from '#core/analysis/described.ts'
import type { Offer } from '#core/analysis/offeredTests.ts'
import type { AnalysisFound } from '#core/analysis/runAnalysis.ts'
import type { SurvivalGroup, SurvivalResult } from '#core/analysis/survived.ts'
import type { NumberDescription } from '#core/statistics/describe/describe.ts'
import type { SurvivalTime } from '#core/statistics/survival/kaplanMeier.ts'

import { nameWithUnit } from '../charts/nameWithUnit.ts'
import { count, degrees, ends, writeFixed, NOTHING, pCell, percent, statistic } from '../numbers.ts'
import { useEffectText, useWording } from '../wording.ts'
import { crossFigures } from './crossFigures.ts'
import type { FigureTable } from './figureTable.ts'

/** The figures of results as tables, in the words of the reader. */
export interface Figures {
  readonly ofDescribed: (described: Described) => FigureTable
  readonly ofTests: (offer: Offer) => FigureTable
  readonly ofMeans: (changed: ChangeResult) => FigureTable
  readonly ofChanges: (changed: ChangeResult) => FigureTable
  readonly ofMedians: (survived: SurvivalResult) => FigureTable
  readonly ofTimes: (survived: SurvivalResult) => FigureTable
  readonly ofExpected: (survived: SurvivalResult) => FigureTable | null
  readonly timeTitleOf: (survived: SurvivalResult) => string
  /** All of a result; of table one, which has files of its own, none. */
  readonly ofAll: (found: AnalysisFound) => readonly FigureTable[]
}

export function useFigures(): Figures {
  const described = useDescribedFigures()
  const ofTests = useTestFigures()
  const changes = useChangeFigures()
  const survival = useSurvivalFigures()
  const { t } = useTranslation('statistical')
  const ofAll = (found: AnalysisFound): readonly FigureTable[] => {
    switch (found.kind) {
      case 'describe':
        return found.described.map(described)
      case 'compare':
        return [described(found.described), ofTests(found)]
      case 'relate':
        if (found.of === 'mixed') return []
        if (found.of === 'numbers' || !found.table.ok) return [ofTests(found)]
        return [crossFigures(found.table.value, { title: t('relate.cross'), total: t('columns.all') }), ofTests(found)]
      case 'change':
        return [changes.ofMeans(found), changes.ofChanges(found)]
      case 'survival': {
        const expected = survival.ofExpected(found)
        const tests = found.test === null ? [] : [ofTests({ tests: [found.test], favoured: null })]
        return [survival.ofMedians(found), survival.ofTimes(found), ...(expected === null ? [] : [expected]), ...tests]
      }
      case 'tableOne':
        return []
    }
  }
  return { ofDescribed: described, ofTests, ...changes, ...survival, ofAll }
}

function useDescribedFigures(): Figures['ofDescribed'] {
  const { t } = useTranslation('statistical')
  const { reasonsOf } = useWording()
  const missingText = (missing: NumberDescription['missing'], missingCount: number) =>
    missingCount === 0 ? '0' : `${count(missingCount)} (${reasonsOf(missing)})`
  const ofNumber = ({ variable, parts }: DescribedNumber): FigureTable => {
    const own = variable.decimals
    const line = (name: string, read: (description: NumberDescription) => string) => [
      name,
      ...parts.map(({ description }) => (description.ok ? read(description.value) : NOTHING)),
    ]
    return {
      title: nameWithUnit(variable),
      head: [t('tests.statistic'), ...parts.map(({ group }) => group ?? t('columns.all'))],
      rows: [
        line(t('columns.n'), ({ n }) => count(n)),
        line(t('columns.missing'), ({ missing, missingCount }) => missingText(missing, missingCount)),
        line(t('columns.mean'), ({ mean }) => writeFixed(mean, own + 1)),
        line(t('columns.sd'), ({ sd }) => writeFixed(sd, own + 2)),
        line(t('columns.meanCi'), ({ interval }) => ends(interval, own + 1)),
        line(t('columns.median'), ({ median }) => writeFixed(median, own + 1)),
        line(t('columns.quartiles'), ({ q1, q3 }) => `${writeFixed(q1, own + 1)}, ${writeFixed(q3, own + 1)}`),
        line(t('columns.iqr'), ({ iqr }) => writeFixed(iqr, own + 1)),
        line(t('columns.min'), ({ min }) => writeFixed(min, own)),
        line(t('columns.max'), ({ max }) => writeFixed(max, own)),
        line(t('columns.range'), ({ range }) => writeFixed(range, own)),
      ],
    }
  }
  const ofCategory = ({ variable, categories, parts }: DescribedCategory): FigureTable => ({
    title: nameWithUnit(variable),
    head: [t('columns.category'), ...parts.flatMap(({ group }) => [group ?? t('columns.all'), t('columns.ci')])],
    rows: [
      ...categories.map(({ code, label }) => [
        label,
        ...parts.flatMap(({ description }) => {
          const one = description.ok
            ? description.value.categories.find(({ category }) => category === code)
            : undefined
          if (one === undefined) return [NOTHING, NOTHING]
          const { low, high } = one.interval
          return [`${count(one.count)} (${percent(one.share)})`, `${ends({ low: 100 * low, high: 100 * high }, 1)}%`]
        }),
      ]),
      [
        t('columns.n'),
        ...parts.flatMap(({ description }) => [description.ok ? count(description.value.n) : NOTHING, '']),
      ],
      [
        t('columns.missing'),
        ...parts.flatMap(({ description }) => [
          description.ok ? missingText(description.value.missing, description.value.missingCount) : NOTHING,
          '',
        ]),
      ],
    ],
  })
  return (described) => (described.scale === 'number' ? ofNumber(described) : ofCategory(described))
}

function useTestFigures(): Figures['ofTests'] {
  const { t } = useTranslation('statistical')
  const { problemOf, effectOf, howOf, letterOf } = useWording()
  const effectText = useEffectText()
  return ({ tests }) => ({
    title: t('compare.tests'),
    head: [
      t('compare.tests'),
      t('tests.statistic'),
      t('tests.df'),
      t('tests.p'),
      t('tests.effects'),
      t('tests.method'),
    ],
    rows: tests.map(({ code, result, effects }) => {
      const name = t(`tests.name.${code}`)
      if (!result.ok) return [name, '', '', '', problemOf(result.error), '']
      const { statistic: value, df, p, method } = result.value
      const letter = letterOf(method)
      return [
        name,
        letter === null ? '' : `${letter} = ${statistic(value)}`,
        degrees(df),
        pCell(p),
        effects.map((effect) => `${effectOf(effect.kind)} ${effectText(effect)}`).join('; '),
        howOf(method),
      ]
    }),
  })
}

function useChangeFigures(): Pick<Figures, 'ofMeans' | 'ofChanges'> {
  const { t } = useTranslation('statistical')
  return {
    ofMeans: ({ groups, variable }) => ({
      title: t('change.means'),
      head: [
        t('columns.visit'),
        t('columns.group'),
        t('columns.n'),
        t('columns.missing'),
        t('columns.mean'),
        t('columns.ci'),
      ],
      rows: groups.flatMap(({ group, points }) =>
        points.ok
          ? points.value.map(({ visit, n, missingCount, mean, low, high }) => [
              visit,
              group ?? t('columns.all'),
              count(n),
              count(missingCount),
              writeFixed(mean, variable.decimals + 1),
              low === null || high === null ? NOTHING : ends({ low, high }, variable.decimals + 1),
            ])
          : [],
      ),
    }),
    ofChanges: ({ groups, variable, visits }) => ({
      title: t('change.since', { visit: visits[0] ?? '' }),
      head: [
        t('columns.visit'),
        t('columns.group'),
        t('columns.pairs'),
        t('columns.change'),
        t('columns.changeSd'),
        t('columns.ci'),
        t('columns.pairedT'),
        t('columns.signedRank'),
      ],
      rows: groups.flatMap(({ group, changes }) =>
        changes.map(({ visit, description, meanP, rankP }) => {
          const one = description.ok ? description.value : null
          return [
            visit,
            group ?? t('columns.all'),
            one === null ? NOTHING : count(one.n),
            writeFixed(one?.mean, variable.decimals + 1),
            writeFixed(one?.sd, variable.decimals + 2),
            ends(one?.interval ?? null, variable.decimals + 1),
            meanP.ok ? pCell(meanP.value) : NOTHING,
            rankP.ok ? pCell(rankP.value) : NOTHING,
          ]
        }),
      ),
    }),
  }
}

function useSurvivalFigures(): Pick<Figures, 'ofMedians' | 'ofTimes' | 'ofExpected' | 'timeTitleOf'> {
  const { t } = useTranslation('statistical')
  const nameOf = (group: string | null) => group ?? t('columns.all')
  const curvesOf = ({ curves }: SurvivalResult): readonly SurvivalGroup[] =>
    curves.flatMap((curve) => (curve.ok ? [curve.value] : []))
  const medianText = ({ estimate, low, high }: SurvivalTime, decimals: number) => {
    const end = (value: number | null) => (value === null ? t('charts.notReached') : writeFixed(value, decimals))
    return `${end(estimate)} (${end(low)}, ${end(high)})`
  }
  return {
    ofMedians: (survived) => ({
      title: t('survival.medians'),
      head: [t('columns.group'), t('columns.n'), t('columns.events'), t('columns.median95')],
      rows: curvesOf(survived).map(({ group, n, events, median }) => [
        nameOf(group),
        count(n),
        count(events),
        medianText(median, survived.time.decimals),
      ]),
    }),
    ofTimes: (survived) => ({
      title: t('survival.atTimes'),
      head: [t('columns.group'), t('columns.time'), t('columns.atRisk'), t('columns.survival'), t('columns.ci')],
      rows: curvesOf(survived).flatMap(({ group, at }) =>
        at.map(({ time, survival, low, high, atRisk }) => [
          nameOf(group),
          String(time),
          count(atRisk),
          percent(survival),
          low === null || high === null ? NOTHING : `${ends({ low: 100 * low, high: 100 * high }, 1)}%`,
        ]),
      ),
    }),
    ofExpected: (survived) =>
      survived.counts.length === 0
        ? null
        : {
            title: t('survival.expected'),
            head: [t('columns.group'), t('columns.n'), t('columns.events'), t('columns.expected')],
            rows: survived.counts.map(({ n, observed, expected }, place) => [
              nameOf(curvesOf(survived)[place]?.group ?? null),
              count(n),
              count(observed),
              writeFixed(expected, 2),
            ]),
          },
    timeTitleOf: ({ time, isDays }) => (isDays ? `${time.label} (${t('charts.days')})` : nameWithUnit(time)),
  }
}
