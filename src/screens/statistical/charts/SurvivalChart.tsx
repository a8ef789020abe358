import { scaleLinear } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { useTranslation } from 'react-i18next'
import type { SurvivalGroup, SurvivalResult } from '#core/analysis/survived.ts'
import type { StepPoint } from '#core/statistics/charts/survivalSteps.ts'
import { SERIES } from '#src/ui/chart/ChartFrame.tsx'
import chart from '#src/ui/chart/chart.module.css'
import { shorten } from '#src/ui/chart/shorten.ts'

import { count, writeFixed } from '../numbers.ts'
import type { FigureTable } from '../results/figureTable.ts'
import classes from '../statistical.module.css'
import { BottomAxis, LeftAxis } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'

const PLOT = 300
const ROW = 22
const MARGIN = { top: 12, right: 24, left: 110 } as const

interface SurvivalChartProps {
  readonly survived: SurvivalResult
  readonly curves: readonly SurvivalGroup[]
  readonly timeTitle: string
  readonly table: FigureTable
}

/** Kaplan-Meier curves with who is still at risk below. */
export function SurvivalChart({ survived, curves, timeTitle, table }: SurvivalChartProps) {
  const { t } = useTranslation('statistical')
  const drawn = curves.slice(0, SERIES.length)
  const nameOf = ({ group }: SurvivalGroup) => group ?? t('columns.all')
  const told = drawn.map((curve) =>
    t('charts.summarySurvivalPart', {
      group: nameOf(curve),
      n: count(curve.n),
      events: count(curve.events),
      median:
        curve.median.estimate === null
          ? t('charts.notReached')
          : writeFixed(curve.median.estimate, survived.time.decimals),
    }),
  )
  const more = curves.length > drawn.length ? ` ${t('charts.noteLines', { count: drawn.length })}` : ''
  return (
    <FigureChart
      table={{ ...table, title: t('charts.survival', { name: timeTitle }) }}
      summary={t('charts.summarySurvival', { parts: told.join('; ') })}
      note={`${t('charts.noteSurvival')}${more}`}
      legend={drawn.length < 2 ? [] : drawn.map((curve, at) => ({ name: nameOf(curve), line: SERIES[at] ?? 'solid' }))}
      height={PLOT + 48 + (drawn.length + 1) * ROW}
    >
      {(width) => (
        <Curves
          {...{ curves: drawn, width, nameOf, timeTitle }}
          end={survived.risk.times.at(-1) ?? 1}
          words={{ share: `${t('columns.survival')} (%)`, atRisk: t('charts.atRisk') }}
        />
      )}
    </FigureChart>
  )
}

interface CurvesProps {
  readonly curves: readonly SurvivalGroup[]
  readonly width: number
  readonly end: number
  readonly timeTitle: string
  readonly nameOf: (curve: SurvivalGroup) => string
  readonly words: { readonly share: string; readonly atRisk: string }
}

function Curves({ curves, width, end, timeTitle, nameOf, words }: CurvesProps) {
  const right = width - MARGIN.right
  const last = Math.max(end, ...curves.map(({ steps }) => steps.end))
  const x = scaleLinear([0, last], [MARGIN.left, right])
  const y = scaleLinear([0, 1], [PLOT, MARGIN.top])
  return (
    <>
      <LeftAxis y={y} left={MARGIN.left} right={right} title={words.share} isPercent />
      <BottomAxis x={x} top={MARGIN.top} bottom={PLOT} title={timeTitle} />
      {curves.map((curve, at) => (
        <Curve key={nameOf(curve)} {...{ curve, x, y }} place={at} hasBand={curves.length === 1} />
      ))}
      <text x={0} y={PLOT + 48 + ROW / 2} dominantBaseline="central" className={chart['value']}>
        {words.atRisk}
      </text>
      {curves.map((curve, at) => {
        const middle = PLOT + 48 + (at + 1) * ROW + ROW / 2
        return (
          <g key={nameOf(curve)}>
            <text x={0} y={middle} dominantBaseline="central" className={chart['tick']}>
              {shorten(nameOf(curve), MARGIN.left - 16)}
            </text>
            {curve.at.map(({ time, atRisk }) => (
              <text
                key={time}
                x={x(time)}
                y={middle}
                textAnchor="middle"
                dominantBaseline="central"
                className={chart['tick']}
              >
                {count(atRisk)}
              </text>
            ))}
          </g>
        )
      })}
    </>
  )
}

interface CurveProps {
  readonly curve: SurvivalGroup
  readonly x: (time: number) => number
  readonly y: (share: number) => number
  readonly place: number
  readonly hasBand: boolean
}

function Curve({ curve: { steps }, x, y, place, hasBand }: CurveProps) {
  const first = steps.steps[0]
  if (first === undefined) return null
  const final = steps.steps.at(-1) ?? first
  const points = [...steps.steps, { ...final, time: steps.end }]
  const path = line<StepPoint>(
    ({ time }) => x(time),
    ({ survival }) => y(survival),
  ).curve(curveStepAfter)
  const band = area<StepPoint>(
    ({ time }) => x(time),
    ({ low }) => y(low ?? 0),
    ({ high, survival }) => y(high ?? survival),
  ).curve(curveStepAfter)
  return (
    <g>
      {hasBand && <path d={band(points.filter(({ low }) => low !== null)) ?? ''} className={chart['area']} />}
      <path d={path(points) ?? ''} className={chart[SERIES[place] ?? 'solid']} />
      {steps.marks.map(({ time, survival }) => (
        <line
          key={time}
          x1={x(time)}
          x2={x(time)}
          y1={y(survival) - 5}
          y2={y(survival) + 5}
          className={classes.stroke}
        />
      ))}
    </g>
  )
}
