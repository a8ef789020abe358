import { scaleLinear } from 'd3-scale'
import { useTranslation } from 'react-i18next'
import type { VariableFacts } from '#core/analysis/described.ts'
import type { Histogram } from '#core/statistics/charts/histogram.ts'

import { count } from '../numbers.ts'
import type { FigureTable } from '../results/figureTable.ts'
import classes from '../statistical.module.css'
import { BottomAxis, LeftAxis, MARGIN } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'
import { nameWithUnit } from './nameWithUnit.ts'

const HEIGHT = 260

interface HistogramChartProps {
  readonly variable: VariableFacts
  readonly histogram: Histogram
}

/** How often values lie in each class. */
export function HistogramChart({ variable, histogram }: HistogramChartProps) {
  const { t } = useTranslation('statistical')
  const { bins, n } = histogram
  const highest = bins.toSorted((a, b) => b.count - a.count)[0]
  const table: FigureTable = {
    title: t('charts.histogram', { name: nameWithUnit(variable) }),
    head: [t('columns.from'), t('columns.to'), t('columns.count')],
    rows: bins.map((bin) => [String(bin.from), String(bin.to), count(bin.count)]),
  }
  const summary = t('charts.summaryHistogram', {
    n: count(n),
    min: bins[0]?.from ?? 0,
    max: bins.at(-1)?.to ?? 0,
    from: highest?.from ?? 0,
    to: highest?.to ?? 0,
    most: count(highest?.count ?? 0),
  })
  return (
    <FigureChart {...{ table, summary }} note={t('charts.noteHistogram')} height={HEIGHT}>
      {(width) => <Bins {...{ histogram, width, variable }} countTitle={t('charts.count')} />}
    </FigureChart>
  )
}

interface BinsProps extends HistogramChartProps {
  readonly width: number
  readonly countTitle: string
}

function Bins({ variable, histogram: { bins }, width, countTitle }: BinsProps) {
  const bottom = HEIGHT - MARGIN.bottom
  const right = width - MARGIN.right
  const x = scaleLinear([bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1], [MARGIN.left, right])
  const y = scaleLinear([0, Math.max(1, ...bins.map((bin) => bin.count))], [bottom, MARGIN.top]).nice(5)
  return (
    <>
      <LeftAxis y={y} left={MARGIN.left} right={right} title={countTitle} />
      {bins.map((bin) => (
        <rect
          key={bin.from}
          x={x(bin.from) + 0.5}
          width={Math.max(1, x(bin.to) - x(bin.from) - 1)}
          y={y(bin.count)}
          height={bottom - y(bin.count)}
          className={classes.bar}
        />
      ))}
      <BottomAxis x={x} top={MARGIN.top} bottom={bottom} title={nameWithUnit(variable)} />
    </>
  )
}
