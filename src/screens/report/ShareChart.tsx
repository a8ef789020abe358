import { Select } from '@mantine/core'
import { scaleBand, scaleLinear } from 'd3-scale'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report } from '#core/api/calls/data/report.ts'
import { funnelOf } from '#core/report/funnel.ts'
import type { FunnelPoint } from '#core/report/funnel.ts'
import { REPORTS, shareOf } from '#core/report/kinds.ts'
import type { Share } from '#core/report/kinds.ts'
import { today } from '#src/data/shapes/today.ts'
import { ChartFrame } from '#src/ui/chart/ChartFrame.tsx'
import chart from '#src/ui/chart/chart.module.css'
import { Panel } from '#src/ui/PageFrame.tsx'
import { figure } from '#src/ui/words/format.ts'

import { useMeasureWords } from './measureWords.ts'
import classes from './reports.module.css'

/** A bar, px, with the room around it. */
const BAR = 32
const MARGIN = { top: 8, right: 64, bottom: 28 } as const
/** The names take so much of the width, and no more px. */
const NAMES = { share: 0.3, most: 220 } as const
/** A character of a name takes about so many px. */
const PX_OF_LETTER = 14
/** More centers than this make no chart that can be read; the table has all of them. */
const MOST = 40

interface Bar {
  readonly id: string
  readonly name: string
  readonly value: number
  readonly cases: number
  readonly point: FunnelPoint | null
}

/** A share of each center beside that of all; of risks with the limits within which it may be by chance. */
export function ShareChart({ report }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const { kind, lines, total } = report
  const words = useMeasureWords()
  const { shares } = REPORTS[kind]
  const [code, setCode] = useState(shares[0]?.code ?? '')
  const share = shares.find((one) => one.code === code) ?? shares[0]
  const whole = share === undefined ? null : shareOf(share, total)
  if (share === undefined || whole === null) return null
  const unit = share.kind === 'percent' ? '%' : ''
  const isRisk = kind === 'risk'
  const bars = lines
    .flatMap(({ id, name, figures }): Bar[] => {
      const value = shareOf(share, figures)
      const point = isRisk ? funnelOf(share, figures, total) : null
      return value === null ? [] : [{ id, name, value, cases: figures[share.among] ?? 0, point }]
    })
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MOST)
  const title = words.share(share.code)
  return (
    <Panel
      title={t('chart.title')}
      actions={
        shares.length > 1 && (
          <Select
            size="md"
            aria-label={t('chart.which')}
            allowDeselect={false}
            value={share.code}
            onChange={(next) => setCode(next ?? share.code)}
            data={shares.map((one) => ({ value: one.code, label: words.share(one.code) }))}
            data-print="no"
          />
        )
      }
    >
      <ChartFrame
        title={title}
        summary={t('chart.summary', { share: title, whole: `${figure(whole, 1)}${unit}`, count: bars.length })}
        note={t(isRisk ? 'chart.limits' : 'chart.note')}
        legend={[{ name: t('chart.whole', { whole: `${figure(whole, 1)}${unit}` }), line: 'dashed' }]}
        columns={[
          { key: 'name', title: t('line.centers'), cell: ({ name }) => name },
          { key: 'value', title, align: 'right', cell: ({ value }) => `${figure(value, 1)}${unit}` },
          { key: 'cases', title: t('chart.cases'), align: 'right', cell: ({ cases }) => figure(cases, 0) },
        ]}
        rows={bars}
        rowKey={({ id }) => id}
        fileName={`${title}-${today()}`}
        height={MARGIN.top + MARGIN.bottom + Math.max(1, bars.length) * BAR}
      >
        {(width) => <Bars {...{ bars, share, whole, width, unit }} />}
      </ChartFrame>
    </Panel>
  )
}

interface BarsProps {
  readonly bars: readonly Bar[]
  readonly share: Share
  readonly whole: number
  readonly width: number
  readonly unit: string
}

function Bars({ bars, share, whole, width, unit }: BarsProps) {
  const left = Math.min(NAMES.most, width * NAMES.share)
  const bottom = MARGIN.top + bars.length * BAR
  const most = Math.max(whole, ...bars.map(({ value, point }) => Math.max(value, point?.high ?? 0)), 1)
  const x = scaleLinear([0, share.kind === 'percent' ? Math.min(100, most) : most], [left, width - MARGIN.right]).nice(
    4,
  )
  const y = scaleBand(
    bars.map(({ id }) => id),
    [MARGIN.top, bottom],
  ).padding(0.35)
  const fits = Math.floor((left - 8) / PX_OF_LETTER)
  return (
    <>
      {x.ticks(Math.max(2, Math.floor((width - left) / 120))).map((tick) => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={MARGIN.top} y2={bottom} className={chart['grid']} />
          <text x={x(tick)} y={bottom + 18} textAnchor="middle" className={chart['tick']}>
            {figure(tick, 1)}
          </text>
        </g>
      ))}
      {bars.map(({ id, name, value, point }) => {
        const top = y(id) ?? 0
        const middle = top + y.bandwidth() / 2
        return (
          <g key={id}>
            <text x={left - 8} y={middle} textAnchor="end" dominantBaseline="central" className={chart['tick']}>
              {name.length > fits ? `${name.slice(0, Math.max(1, fits - 1))}…` : name}
            </text>
            {point !== null && (
              <rect
                x={x(point.low)}
                y={top - 3}
                width={Math.max(1, x(point.high) - x(point.low))}
                height={y.bandwidth() + 6}
                className={classes.limits}
              />
            )}
            <rect
              x={x(0)}
              y={top}
              width={Math.max(1, x(value) - x(0))}
              height={y.bandwidth()}
              rx={2}
              className={classes.bar}
              data-standing={point?.standing}
            />
            <text x={x(value) + 6} y={middle} dominantBaseline="central" className={chart['value']}>
              {`${figure(value, 1)}${unit}`}
            </text>
          </g>
        )
      })}
      <line x1={x(whole)} x2={x(whole)} y1={MARGIN.top} y2={bottom} className={chart['dashed']} />
    </>
  )
}
