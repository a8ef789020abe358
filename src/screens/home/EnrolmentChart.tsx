import { useState } from 'react'
import type { PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '#src/data/shapes/enrolmentTypes.ts'
import { today as dayOfToday } from '#src/data/shapes/today.ts'
import { ChartFrame } from '#src/ui/chart/ChartFrame.tsx'
import type { LegendItem } from '#src/ui/chart/ChartFrame.tsx'
import classes from '#src/ui/chart/chart.module.css'

import { MARGIN, layOutCurve, sumUp } from './curve.ts'
import type { CurvePoint } from './curve.ts'

const HEIGHT = 220

interface EnrolmentChartProps {
  readonly project: string
  readonly enrolment: Enrolment
}

/** How enrolment went: patients by day, summed up, against what the centers plan. */
export function EnrolmentChart({ project, enrolment }: EnrolmentChartProps) {
  const { t } = useTranslation('home')
  const { enrolled, planned, centers, isHere, undated } = enrolment
  const today = dayOfToday()
  const points = sumUp(enrolment)
  const legend: readonly LegendItem[] = [
    { name: t('curve.enrolled', { count: enrolled }), line: 'solid' },
    ...(planned === null || planned === 0
      ? []
      : [{ name: t('curve.planned', { count: planned }), line: 'dashed' } as const]),
  ]
  const note = [
    t('curve.of', { count: centers }),
    t(isHere ? 'curve.here' : 'curve.asked', { day: today }),
    ...(undated > 0 ? [t('curve.undated', { count: undated })] : []),
  ]
  return (
    <ChartFrame
      title={t('curve.title', { project })}
      summary={t(planned === null ? 'curve.summary' : 'curve.summaryOfPlan', {
        first: points.at(0)?.day ?? today,
        last: today,
        count: enrolled - undated,
        planned,
      })}
      note={note.join(' · ')}
      legend={legend}
      columns={[
        { key: 'day', title: t('curve.day'), cell: ({ day }) => day, short: true },
        { key: 'count', title: t('curve.onDay'), cell: ({ count }) => count, align: 'right' },
        { key: 'sum', title: t('curve.sum'), cell: ({ sum }) => sum, align: 'right' },
      ]}
      rows={points}
      rowKey={({ day }) => day}
      fileName={`${t('curve.file')}-${today}`}
      height={HEIGHT}
    >
      {(width) => <Drawing points={points} planned={planned} today={today} width={width} />}
    </ChartFrame>
  )
}

interface DrawingProps {
  readonly points: readonly CurvePoint[]
  readonly planned: number | null
  readonly today: string
  readonly width: number
}

function Drawing({ points, planned, today, width }: DrawingProps) {
  const [pointed, setPointed] = useState<CurvePoint | null>(null)
  const curve = layOutCurve(points, { planned, today }, { width, height: HEIGHT })
  const follow = (event: PointerEvent<SVGRectElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    setPointed(curve.pointAt(MARGIN.left + event.clientX - left))
  }
  const [right, bottom] = [width - MARGIN.right, HEIGHT - MARGIN.bottom]
  return (
    <>
      {curve.figures.map(({ y, label }) => (
        <g key={label}>
          <line x1={MARGIN.left} x2={right} y1={y} y2={y} className={classes.grid} />
          <text x={MARGIN.left - 8} y={y} textAnchor="end" dominantBaseline="central" className={classes.tick}>
            {label}
          </text>
        </g>
      ))}
      {curve.dates.map(({ x, label }) => (
        <text key={label} x={x} y={bottom + 18} textAnchor="middle" className={classes.tick}>
          {label}
        </text>
      ))}
      {curve.plan !== null && (
        <line x1={MARGIN.left} x2={right} y1={curve.plan} y2={curve.plan} className={classes.dashed} />
      )}
      <path d={curve.area} className={classes.area} />
      <path d={curve.line} className={classes.solid} />
      <circle cx={curve.end.x} cy={curve.end.y} r={4} className={classes.dot} />
      <text x={curve.end.x + 8} y={curve.end.y} dominantBaseline="central" className={classes.value}>
        {points.at(-1)?.sum ?? 0}
      </text>
      {pointed !== null && <Pointed point={pointed} at={curve.standOf(pointed)} right={right} bottom={bottom} />}
      <rect
        x={MARGIN.left}
        y={0}
        width={Math.max(0, right - MARGIN.left)}
        height={bottom}
        fill="transparent"
        onPointerMove={follow}
        onPointerLeave={() => setPointed(null)}
      />
    </>
  )
}

interface PointedProps {
  readonly point: CurvePoint
  readonly at: { readonly x: number; readonly y: number }
  readonly right: number
  readonly bottom: number
}

/** The day under the pointer: its date and how many there were by then. */
function Pointed({ point: { day, sum }, at: { x, y }, right, bottom }: PointedProps) {
  const isLate = x > right - 140
  return (
    <g aria-hidden="true">
      <line x1={x} x2={x} y1={0} y2={bottom} className={classes.grid} />
      <circle cx={x} cy={y} r={4} className={classes.dot} />
      <text x={isLate ? x - 8 : x + 8} y={12} textAnchor={isLate ? 'end' : 'start'} className={classes.value}>
        {`${day} · ${sum}`}
      </text>
    </g>
  )
}
