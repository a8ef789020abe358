import { scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { useTranslation } from 'react-i18next'
import type { ChangeGroup, ChangeResult } from '#core/analysis/changed.ts'
import type { ChangePoint } from '#core/statistics/charts/change.ts'
import { SERIES } from '#src/ui/chart/ChartFrame.tsx'
import chart from '#src/ui/chart/chart.module.css'
import { shorten } from '#src/ui/chart/shorten.ts'

import { writeFixed } from '../numbers.ts'
import type { FigureTable } from '../results/figureTable.ts'
import classes from '../statistical.module.css'
import { LeftAxis, MARGIN } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'
import { nameWithUnit } from './nameWithUnit.ts'

const HEIGHT = 320
/** Groups stand beside each other at a visit, px. */
const APART = 10

interface Line {
  readonly name: string
  readonly points: readonly ChangePoint[]
}

/** Means with their intervals from visit to visit, a line for each group. */
export function ChangeChart({ changed, table }: { readonly changed: ChangeResult; readonly table: FigureTable }) {
  const { t } = useTranslation('statistical')
  const { variable, groups } = changed
  const lines = linesOf(groups, t('columns.all'))
  const drawn = lines.slice(0, SERIES.length)
  const told = drawn.map(({ name, points }) =>
    t('charts.summaryChangePart', {
      group: name,
      first: writeFixed(points.find(({ mean }) => mean !== null)?.mean, variable.decimals + 1),
      last: writeFixed(points.findLast(({ mean }) => mean !== null)?.mean, variable.decimals + 1),
    }),
  )
  const more = lines.length > drawn.length ? ` ${t('charts.noteLines', { count: drawn.length })}` : ''
  return (
    <FigureChart
      table={{ ...table, title: t('charts.change', { name: nameWithUnit(variable) }) }}
      summary={t('charts.summaryChange', { parts: told.join('; ') })}
      note={`${t('charts.noteChange')}${more}`}
      legend={drawn.length < 2 ? [] : drawn.map(({ name }, at) => ({ name, line: SERIES[at] ?? 'solid' }))}
      height={HEIGHT}
    >
      {(width) => <Lines lines={drawn} visits={changed.visits} width={width} title={nameWithUnit(variable)} />}
    </FigureChart>
  )
}

function linesOf(groups: readonly ChangeGroup[], all: string): readonly Line[] {
  return groups.flatMap(({ group, points }) => (points.ok ? [{ name: group ?? all, points: points.value }] : []))
}

interface LinesProps {
  readonly lines: readonly Line[]
  readonly visits: readonly string[]
  readonly width: number
  readonly title: string
}

function Lines({ lines, visits, width, title }: LinesProps) {
  const bottom = HEIGHT - MARGIN.bottom
  const right = width - MARGIN.right
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ mean, low, high }) => [mean, low, high].filter((value) => value !== null)),
  )
  const x = scalePoint(visits.keys(), [MARGIN.left, right]).padding(0.5)
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [bottom, MARGIN.top]).nice(5)
  return (
    <>
      <LeftAxis y={y} left={MARGIN.left} right={right} title={title} />
      {visits.map((visit, at) => (
        <text key={visit} x={x(at)} y={bottom + 20} textAnchor="middle" className={chart['tick']}>
          {shorten(visit, x.step())}
        </text>
      ))}
      {lines.map(({ name, points }, group) => {
        const across = (at: number) => (x(at) ?? 0) + (group - (lines.length - 1) / 2) * APART
        const known = points.flatMap((point, at) => (point.mean === null ? [] : [{ ...point, mean: point.mean, at }]))
        const series = chart[SERIES[group] ?? 'solid']
        return (
          <g key={name}>
            <path
              d={
                line<(typeof known)[number]>(
                  ({ at }) => across(at),
                  ({ mean }) => y(mean),
                )(known) ?? ''
              }
              className={series}
            />
            {known.map(({ at, mean, low, high }) => (
              <g key={at}>
                {low !== null && high !== null && (
                  <line x1={across(at)} x2={across(at)} y1={y(low)} y2={y(high)} className={classes.whisker} />
                )}
                <circle cx={across(at)} cy={y(mean)} r={4} className={group === 0 ? chart['dot'] : classes.hollow} />
              </g>
            ))}
          </g>
        )
      })}
    </>
  )
}
