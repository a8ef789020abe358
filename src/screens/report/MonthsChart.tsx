import { cumsum } from 'd3-array'
import { scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { useTranslation } from 'react-i18next'
import type { Report } from '#core/api/calls/data/report.ts'
import { today } from '#src/data/shapes/today.ts'
import { ChartFrame } from '#src/ui/chart/ChartFrame.tsx'
import chart from '#src/ui/chart/chart.module.css'
import { Panel } from '#src/ui/PageFrame.tsx'

import { monthsBetween } from './months.ts'

const HEIGHT = 240
const MARGIN = { top: 12, right: 48, bottom: 28, left: 44 } as const
/** A month's name takes so many px. */
const PX_OF_MONTH = 80

interface Month {
  readonly month: string
  readonly count: number
  readonly sum: number
}

/** Enrolments month by month, summed up, against what the centers plan. */
export function MonthsChart({ report: { months, total } }: { readonly report: Report }) {
  const { t } = useTranslation('report')
  const plan = total['plan'] ?? null
  const points = summedUp(months)
  const count = points.at(-1)?.sum ?? 0
  return (
    <Panel title={t('months.title')}>
      <ChartFrame
        title={t('months.sum')}
        summary={t(plan === null ? 'months.summary' : 'months.summaryOfPlan', { count, plan })}
        note={t('months.note')}
        legend={[
          { name: t('months.enrolled', { count }), line: 'solid' },
          ...(plan === null || plan === 0
            ? []
            : [{ name: t('months.plan', { count: plan }), line: 'dashed' } as const]),
        ]}
        columns={[
          { key: 'month', title: t('months.month'), cell: ({ month }) => month, short: true },
          { key: 'count', title: t('months.inMonth'), align: 'right', cell: (month) => month.count },
          { key: 'sum', title: t('months.sum'), align: 'right', cell: ({ sum }) => sum },
        ]}
        rows={points}
        rowKey={({ month }) => month}
        fileName={`${t('months.title')}-${today()}`}
        height={HEIGHT}
      >
        {(width) => <Drawing {...{ points, plan, width }} />}
      </ChartFrame>
    </Panel>
  )
}

/** Every month from the first to the last, also those in which nobody was enrolled. */
function summedUp(months: Report['months']): readonly Month[] {
  const counts = new Map(months.map(({ month, figures }) => [month, figures['numbered'] ?? 0]))
  const all = monthsBetween(months.at(0)?.month ?? '', months.at(-1)?.month ?? '')
  const sums = cumsum(all, (month) => counts.get(month) ?? 0)
  return all.map((month, at) => ({ month, count: counts.get(month) ?? 0, sum: sums[at] ?? 0 }))
}

interface DrawingProps {
  readonly points: readonly Month[]
  readonly plan: number | null
  readonly width: number
}

function Drawing({ points, plan, width }: DrawingProps) {
  const bottom = HEIGHT - MARGIN.bottom
  const x = scalePoint(
    points.map(({ month }) => month),
    [MARGIN.left, width - MARGIN.right],
  )
  const y = scaleLinear([0, Math.max(1, points.at(-1)?.sum ?? 0, plan ?? 0)], [bottom, MARGIN.top]).nice(4)
  const across = ({ month }: Month): number => x(month) ?? MARGIN.left
  const up = ({ sum }: Month): number => y(sum)
  const every = Math.max(1, Math.ceil(points.length / Math.max(1, Math.floor(width / PX_OF_MONTH))))
  const last = points.at(-1)
  return (
    <>
      {y
        .ticks(5)
        .filter(Number.isInteger)
        .map((tick) => (
          <g key={tick}>
            <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} className={chart['grid']} />
            <text x={MARGIN.left - 8} y={y(tick)} textAnchor="end" dominantBaseline="central" className={chart['tick']}>
              {tick}
            </text>
          </g>
        ))}
      {points.map((point, at) =>
        at % every === 0 ? (
          <text key={point.month} x={across(point)} y={bottom + 18} textAnchor="middle" className={chart['tick']}>
            {point.month}
          </text>
        ) : null,
      )}
      {plan !== null && plan > 0 && (
        <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(plan)} y2={y(plan)} className={chart['dashed']} />
      )}
      <path d={line<Month>(across, up)([...points]) ?? ''} className={chart['solid']} />
      {last !== undefined && (
        <>
          <circle cx={across(last)} cy={up(last)} r={4} className={chart['dot']} />
          <text x={across(last) + 8} y={up(last)} dominantBaseline="central" className={chart['value']}>
            {last.sum}
          </text>
        </>
      )}
    </>
  )
}
