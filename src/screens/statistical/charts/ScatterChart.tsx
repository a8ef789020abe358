import { extent } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { useTranslation } from 'react-i18next'
import type { CorrelatedResult } from '#core/analysis/related.ts'
import type { BandPoint } from '#core/statistics/charts/scatter.ts'
import chart from '#src/ui/chart/chart.module.css'

import { count, writeFixed, statistic } from '../numbers.ts'
import classes from '../statistical.module.css'
import { BottomAxis, LeftAxis, MARGIN } from './Axes.tsx'
import { FigureChart } from './FigureChart.tsx'
import { nameWithUnit } from './nameWithUnit.ts'

const HEIGHT = 340

/** Pairs of values as points, with the line of least squares. */
export function ScatterChart({ related }: { readonly related: CorrelatedResult }) {
  const { t } = useTranslation('statistical')
  const { x, y, n, points, fit } = related
  const summary = fit.ok
    ? t('charts.summaryScatter', {
        n: count(n),
        slope: statistic(fit.value.slope),
        r: writeFixed(fit.value.rSquared, 3),
      })
    : t('charts.summaryPoints', { n: count(n) })
  return (
    <FigureChart
      table={{
        title: t('charts.scatter', { x: nameWithUnit(x), y: nameWithUnit(y) }),
        head: [nameWithUnit(x), nameWithUnit(y)],
        rows: points
          .slice(0, MOST_ROWS)
          .map((point) => [writeFixed(point.x, x.decimals), writeFixed(point.y, y.decimals)]),
      }}
      summary={summary}
      note={
        points.length < n
          ? t('charts.noteSampled', { shown: count(points.length), n: count(n) })
          : t('charts.noteScatter')
      }
      legend={fit.ok ? [{ name: t('charts.fit'), line: 'solid' }] : []}
      height={HEIGHT}
    >
      {(width) => <Points {...{ related, width }} />}
    </FigureChart>
  )
}

/** A longer table is nobody's reading. */
const MOST_ROWS = 500

function Points({ related, width }: { readonly related: CorrelatedResult; readonly width: number }) {
  const { points, fit } = related
  const bottom = HEIGHT - MARGIN.bottom
  const right = width - MARGIN.right
  const band = fit.ok ? fit.value.band : []
  const [left = 0, farthest = 1] = extent(points, (point) => point.x)
  const [low = 0, high = 1] = extent(points, (point) => point.y)
  const x = scaleLinear([left, farthest], [MARGIN.left, right]).nice(6)
  const y = scaleLinear([low, high], [bottom, MARGIN.top]).nice(5)
  // The band may leave the values' range where there are few of them.
  const within = (value: number) => Math.min(bottom, Math.max(MARGIN.top, y(value)))
  const shape = area<BandPoint>(
    (point) => x(point.x),
    (point) => within(point.low),
    (point) => within(point.high),
  )
  const stroke = line<BandPoint>(
    (point) => x(point.x),
    (point) => within(point.y),
  )
  return (
    <>
      <LeftAxis y={y} left={MARGIN.left} right={right} title={nameWithUnit(related.y)} />
      <BottomAxis x={x} top={MARGIN.top} bottom={bottom} title={nameWithUnit(related.x)} />
      <path d={shape([...band]) ?? ''} className={chart['area']} />
      {points.map((point, at) => (
        // Points have no name but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <circle key={at} cx={x(point.x)} cy={y(point.y)} r={3.5} className={classes.point} />
      ))}
      <path d={stroke([...band]) ?? ''} className={chart['solid']} />
    </>
  )
}
