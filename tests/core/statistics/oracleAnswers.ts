import { testAnova, testWelchAnova } from '#core/statistics/compare/anova.ts'
import { testChiSquare, testMcNemar } from '#core/statistics/compare/chiSquare.ts'
import { testPearson, testSpearman } from '#core/statistics/compare/correlation.ts'
import {
  estimateOddsRatio,
  estimateRiskDifference,
  estimateRiskRatio,
  standardizeDifference,
} from '#core/statistics/compare/effectSizes.ts'
import { testFisher } from '#core/statistics/compare/fisher.ts'
import { testFisherTable } from '#core/statistics/compare/fisherTable.ts'
import { estimateMiddle, estimateShift } from '#core/statistics/compare/hodgesLehmann.ts'
import { testKruskalWallis } from '#core/statistics/compare/kruskal.ts'
import { testEqualVariances } from '#core/statistics/compare/levene.ts'
import { testRankSum } from '#core/statistics/compare/rankSum.ts'
import { testNormality } from '#core/statistics/compare/shapiroWilk.ts'
import { testSignedRankPairs } from '#core/statistics/compare/signedRank.ts'
import { testOneMean, testPairedMeans, testStudent, testWelch } from '#core/statistics/compare/tTest.ts'
import type { TResult } from '#core/statistics/compare/tTest.ts'
import { makeBoxPlot } from '#core/statistics/charts/boxPlot.ts'
import { makeHistogram } from '#core/statistics/charts/histogram.ts'
import { fitLine } from '#core/statistics/charts/scatter.ts'
import { describeNumbers, readPresent } from '#core/statistics/describe/describe.ts'
import { estimateProportion } from '#core/statistics/describe/proportions.ts'
import type { Interval, Statistic } from '#core/statistics/problem.ts'
import { estimateSurvival } from '#core/statistics/survival/kaplanMeier.ts'
import { testLogRank } from '#core/statistics/survival/logRank.ts'
import type { OracleSet } from './oracleData.ts'

/** What our statistics say of a set, under the keys of oracle.R. */

/** 'open' is an end without a bound, 'none' what is not defined, 'error' a typed failure. */
export type Answer = readonly (number | null)[] | 'error'
type Answers = Map<string, Answer>

/** Alternatives as R names them, and as we do. */
const ALTERNATIVES = [
  ['two.sided', 'two-sided'],
  ['less', 'less'],
  ['greater', 'greater'],
] as const

/** All answers of a set. */
export function answersOf(set: OracleSet): Answers {
  const answers: Answers = new Map()
  const { lists } = set
  switch (set.kind) {
    case 'one':
      answerOne(answers, 'x', lists['x'] ?? [])
      break
    case 'two':
      answerTwo(answers, lists)
      break
    case 'paired':
      answerPaired(answers, present(lists['x']), present(lists['y']))
      break
    case 'groups':
      answerGroups(answers, Object.values(lists).map(present))
      break
    case 'table':
      answerTable(answers, Object.values(lists).map(present))
      break
    case 'survival':
      answerSurvival(answers, lists)
      break
  }
  return answers
}

function present(cells: readonly (number | null)[] = []): readonly number[] {
  return readPresent(cells).values
}

function read<Value>(result: Statistic<Value>, list: (value: Value) => readonly (number | null)[]): Answer {
  return result.ok ? list(result.value) : 'error'
}

/** R's ends of an interval without bounds are infinite; of ratios the lower one is 0. */
function ends({ low, high }: Interval): readonly number[] {
  return [low ?? Number.NEGATIVE_INFINITY, high ?? Number.POSITIVE_INFINITY]
}

function answerOne(answers: Answers, name: string, cells: readonly (number | null)[]): void {
  const described = describeNumbers(cells)
  const sas = describeNumbers(cells, { quantiles: 'sas-5' })
  if (!described.ok || !sas.ok) throw new RangeError('a set that cannot be described')
  const d = described.value
  const put = (what: string, answer: Answer) => {
    if (answer === 'error' || !answer.includes(null)) answers.set(`${name}.${what}`, answer)
  }
  put('n', [d.n, d.missingCount])
  put('mean', [d.mean])
  put('type7', [d.min, d.q1, d.median, d.q3, d.max])
  put('sas5', [sas.value.q1, sas.value.median, sas.value.q3])
  put('geometric', [d.geometricMean])
  put('sd', [d.sd, d.se])
  put('interval', d.interval === null ? [null] : ends(d.interval))
  put('cv', [d.cv])
  const values = present(cells)
  put(
    'shapiro',
    read(testNormality(values), ({ w, p }) => [w, p]),
  )
  if (d.range !== 0)
    put(
      'histogram',
      read(makeHistogram(values), ({ bins }) => [
        bins[0]?.from ?? null,
        ...bins.map(({ to }) => to),
        ...bins.map(({ count }) => count),
      ]),
    )
  put(
    'box',
    read(makeBoxPlot(values), ({ lowWhisker, highWhisker, outliers }) => [lowWhisker, highWhisker, outliers.length]),
  )
  put(
    'oneMean',
    read(testOneMean(values, 1), (t) => [t.statistic, t.p, ...ends(t.interval)]),
  )
}

const readT = (t: TResult) => [t.statistic, ...t.df, t.p, ...ends(t.interval)]

function answerTwo(answers: Answers, lists: OracleSet['lists']): void {
  for (const name of ['x', 'y']) answerOne(answers, name, lists[name] ?? [])
  const [x, y] = [present(lists['x']), present(lists['y'])]
  for (const [key, alternative] of ALTERNATIVES) {
    answers.set(`welch.${key}`, read(testWelch(x, y, { alternative }), readT))
    answers.set(`student.${key}`, read(testStudent(x, y, { alternative }), readT))
    answers.set(
      `rankSum.${key}`,
      read(testRankSum(x, y, { alternative }), (w) => [w.statistic, w.p]),
    )
  }
  answers.set(
    'brownForsythe',
    read(testEqualVariances([x, y], 'median'), ({ f, p }) => [f, p]),
  )
  answers.set(
    'levene',
    read(testEqualVariances([x, y], 'mean'), ({ f, p }) => [f, p]),
  )
  answers.set(
    'standardized',
    read(standardizeDifference(x, y), ({ d, dInterval, g, gInterval }) => [
      d,
      ...ends(dInterval),
      g,
      ...ends(gInterval),
    ]),
  )
  const shift = estimateShift(x, y)
  answers.set(
    'shift',
    read(shift, ({ estimate, interval }) => [estimate, ...ends(interval)]),
  )
  answers.set(
    'shift.R',
    read(shift, ({ interval }) => ends(interval)),
  )
}

function answerPaired(answers: Answers, x: readonly number[], y: readonly number[]): void {
  for (const [key, alternative] of ALTERNATIVES) {
    answers.set(`paired.${key}`, read(testPairedMeans(x, y, { alternative }), readT))
    answers.set(
      `signedRank.${key}`,
      read(testSignedRankPairs(x, y, { alternative }), (w) => [w.statistic, w.p]),
    )
    answers.set(
      `pearson.${key}`,
      read(testPearson(x, y, { alternative }), (t) => [
        t.estimate,
        t.statistic,
        ...t.df,
        t.p,
        ...(t.interval === null ? [] : ends(t.interval)),
      ]),
    )
    answers.set(
      `spearman.${key}`,
      read(testSpearman(x, y, { alternative }), (t) => [t.estimate, t.p]),
    )
  }
  const middle = estimateMiddle(x.map((value, index) => value - (y[index] ?? Number.NaN)))
  answers.set(
    'middle',
    read(middle, ({ estimate, interval }) => [estimate, ...ends(interval)]),
  )
  answers.set(
    'line',
    read(fitLine(x, y, { steps: 2 }), (fit) => [
      fit.intercept,
      fit.slope,
      fit.residualSd,
      fit.rSquared,
      ...ends(fit.slopeInterval),
      ...fit.band.flatMap(({ y: value, low, high }) => [value, low, high]),
    ]),
  )
}

function answerGroups(answers: Answers, groups: readonly (readonly number[])[]): void {
  answers.set(
    'anova',
    read(testAnova(groups), (a) => [a.statistic, ...a.df, a.p, a.etaSquared]),
  )
  answers.set(
    'welchAnova',
    read(testWelchAnova(groups), (a) => [a.statistic, ...a.df, a.p]),
  )
  answers.set(
    'kruskal',
    read(testKruskalWallis(groups), (k) => [k.statistic, ...k.df, k.p]),
  )
  answers.set(
    'brownForsythe',
    read(testEqualVariances(groups, 'median'), ({ f, p }) => [f, p]),
  )
}

function answerTable(answers: Answers, counts: readonly (readonly number[])[]): void {
  answers.set(
    'chiSquare',
    read(testChiSquare(counts), (c) => [c.statistic, ...c.df, c.p]),
  )
  answers.set(
    'yates',
    read(testChiSquare(counts, { yates: true }), (c) => [c.statistic, c.p]),
  )
  answers.set(
    'mcnemar',
    read(testMcNemar(counts), (m) => [m.statistic, ...m.df, m.p]),
  )
  answers.set(
    'mcnemarPlain',
    read(testMcNemar(counts, { form: 'plain' }), (m) => [m.p]),
  )
  answers.set(
    'mcnemarExact',
    read(testMcNemar(counts, { form: 'exact' }), (m) => [m.p]),
  )
  for (const [key, alternative] of ALTERNATIVES)
    answers.set(
      `fisher.${key}`,
      read(testFisher(counts, { alternative }), (f) => [f.p]),
    )
  const ratio = read(testFisher(counts), (f) => [f.oddsRatio ?? Number.POSITIVE_INFINITY, ...ends(f.interval)])
  answers.set('fisherRatio', ratio).set('fisherRatio~', ratio)
  const table = read(testFisherTable(counts), (f) => [f.p])
  answers.set('fisherTable', table).set('fisherTable~', table)
  const shares = counts.map((row) => [row[0] ?? 0, row.reduce((all, count) => all + count, 0)] as const)
  for (const [key, method] of [
    ['wilson', 'wilson'],
    ['clopperPearson', 'clopper-pearson'],
  ] as const)
    answers.set(
      key,
      shares.flatMap(([count, n]): readonly (number | null)[] => {
        const share = estimateProportion(count, n, { method })
        return share.ok ? ends(share.value.interval) : [null]
      }),
    )
  const effect = ({ estimate, interval }: { readonly estimate: number; readonly interval: Interval }) => [
    estimate,
    ...ends(interval),
  ]
  answers.set('newcombe', read(estimateRiskDifference(counts), effect))
  answers.set(
    'wald',
    read(estimateRiskDifference(counts, { method: 'wald' }), ({ interval }) => ends(interval)),
  )
  answers.set('riskRatio', read(estimateRiskRatio(counts), effect))
  answers.set('oddsRatio', read(estimateOddsRatio(counts), effect))
}

function answerSurvival(answers: Answers, lists: OracleSet['lists']): void {
  const groups = Object.entries(lists).flatMap(([name, times]) => {
    if (!name.startsWith('time')) return []
    const group = name.slice('time'.length)
    const events = lists[`event${group}`] ?? []
    return [{ group, observations: times.map((time, index) => ({ time: time ?? 0, event: events[index] === 1 })) }]
  })
  for (const interval of ['log-log', 'log', 'plain'] as const)
    for (const { group, observations } of groups) {
      const curve = estimateSurvival(observations, { interval })
      if (!curve.ok) throw new RangeError('a set without a curve')
      const { points, median } = curve.value
      const put = (what: string, answer: Answer) => answers.set(`${group}.${interval}.${what}`, answer)
      put(
        'time',
        points.map(({ time }) => time),
      )
      put(
        'survival',
        points.map(({ survival }) => survival),
      )
      put('risk', [
        ...points.map(({ atRisk }) => atRisk),
        ...points.map(({ events }) => events),
        ...points.map(({ censored }) => censored),
      ])
      put(
        'se',
        points.map(({ se }) => se),
      )
      put(
        'low',
        points.map(({ low }) => low),
      )
      put(
        'high',
        points.map(({ high }) => high),
      )
      put('median', [median.estimate, median.low, median.high])
    }
  answers.set(
    'logRank',
    read(testLogRank(groups.map(({ observations }) => observations)), (l) => [
      l.statistic,
      ...l.df,
      l.p,
      ...l.groups.map(({ expected }) => expected),
    ]),
  )
}
