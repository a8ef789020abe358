import { scaleBand, scaleLinear } from 'd3-scale'
import { useTranslation } from 'react-i18next'
import type { NumberPart, VariableFacts } from '#core/analysis/described.ts'
import type { BoxPlot } from '#core/statistics/charts/boxPlot.ts'
import chart from '#src/ui/chart/chart.module.css'
import { shorten } from '#src/ui/chart/shorten.ts'

import { count, writeFixed } from '../numbers.ts'
import type { FigureTable } from '../results/figureTable.ts'
import classes from '../statistical.module.css'
import { BottomAxis, leftOfNames, MARGIN } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'
import { nameWithUnit } from './nameWithUnit.ts'

/** A box with the room around it, px. */
const ROW = 48
/** More points beyond the whiskers than this are not told apart. */
const MOST_OUTLIERS = 200

interface BoxChartProps {
  readonly variable: VariableFacts
  readonly parts: readonly NumberPart[]
}

interface Box {
  readonly name: string
  readonly box: BoxPlot
}

/** Median, quartiles, whiskers and what lies beyond, a row for each group. */
export function BoxChart({ variable, parts }: BoxChartProps) {
  const { t } = useTranslation('statistical')
  const boxes = parts.flatMap(({ group, box }): Box[] =>
    box.ok ? [{ name: group ?? t('columns.all'), box: box.value }] : [],
  )
  if (boxes.length === 0) return null
  const digits = variable.decimals + 1
  const table: FigureTable = {
    title: t('charts.box', { name: nameWithUnit(variable) }),
    head: [
      t('columns.group'),
      t('columns.n'),
      t('columns.low'),
      t('columns.quartiles'),
      t('columns.median'),
      t('columns.high'),
      t('columns.mean'),
      t('columns.outliers'),
    ],
    rows: boxes.map(({ name, box }) => [
      name,
      count(box.n),
      writeFixed(box.lowWhisker, variable.decimals),
      `${writeFixed(box.q1, digits)}, ${writeFixed(box.q3, digits)}`,
      writeFixed(box.median, digits),
      writeFixed(box.highWhisker, variable.decimals),
      writeFixed(box.mean, digits),
      count(box.outliers.length),
    ]),
  }
  const told = boxes.map(({ name, box }) =>
    t('charts.summaryBoxPart', {
      group: name,
      median: writeFixed(box.median, digits),
      q1: writeFixed(box.q1, digits),
      q3: writeFixed(box.q3, digits),
    }),
  )
  return (
    <FigureChart
      table={table}
      summary={t('charts.summaryBox', { parts: told.join('; ') })}
      note={t('charts.noteBox')}
      height={MARGIN.top + MARGIN.bottom + boxes.length * ROW}
    >
      {(width) => <Boxes {...{ boxes, width }} title={nameWithUnit(variable)} />}
    </FigureChart>
  )
}

function Boxes({
  boxes,
  width,
  title,
}: {
  readonly boxes: readonly Box[]
  readonly width: number
  readonly title: string
}) {
  const left = leftOfNames(width)
  const bottom = MARGIN.top + boxes.length * ROW
  const reach = boxes.flatMap(({ box }) => [box.lowWhisker, box.highWhisker, box.outliers[0], box.outliers.at(-1)])
  const values = reach.filter((value) => value !== undefined)
  const x = scaleLinear([Math.min(...values), Math.max(...values)], [left, width - MARGIN.right]).nice(5)
  const y = scaleBand(boxes.keys(), [MARGIN.top, bottom]).padding(0.35)
  return (
    <>
      <BottomAxis x={x} top={MARGIN.top} bottom={bottom} title={title} hasGrid />
      {boxes.map(({ name, box }, at) => {
        const top = y(at) ?? 0
        const middle = top + y.bandwidth() / 2
        return (
          <g key={name}>
            <text x={left - 8} y={middle} textAnchor="end" dominantBaseline="central" className={chart['tick']}>
              {shorten(name, left - 16)}
            </text>
            <line x1={x(box.lowWhisker)} x2={x(box.highWhisker)} y1={middle} y2={middle} className={classes.stroke} />
            {[box.lowWhisker, box.highWhisker].map((end, side) => (
              <line
                key={side === 0 ? 'low' : 'high'}
                x1={x(end)}
                x2={x(end)}
                y1={middle - 6}
                y2={middle + 6}
                className={classes.stroke}
              />
            ))}
            <rect
              x={x(box.q1)}
              y={top}
              width={Math.max(1, x(box.q3) - x(box.q1))}
              height={y.bandwidth()}
              className={classes.box}
            />
            <line x1={x(box.median)} x2={x(box.median)} y1={top} y2={top + y.bandwidth()} className={classes.median} />
            <path d={`M${x(box.mean)} ${middle - 5}l5 5l-5 5l-5 -5Z`} className={classes.mean} />
            {box.outliers.slice(0, MOST_OUTLIERS).map((value, place) => (
              // Equal values lie on each other: only their place in the list tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <circle key={place} cx={x(value)} cy={middle} r={3} className={classes.stroke} />
            ))}
          </g>
        )
      })}
    </>
  )
}
