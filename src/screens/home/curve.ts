import { cumsum } from 'd3-array'
import { scaleLinear, scaleUtc } from 'd3-scale'
import { area, curveStepAfter, line } from 'd3-shape'
import { addDays } from '#core/study/visits/days.ts'
import type { Enrolment } from '#src/data/shapes/enrolmentTypes.ts'

/** A day, how many were enrolled on it, and how many by then. */
export interface CurvePoint {
  readonly day: string
  readonly count: number
  readonly sum: number
}

/** Patients by day, summed up. */
export function sumUp({ days }: Pick<Enrolment, 'days'>): readonly CurvePoint[] {
  const sums = cumsum(days, ({ count }) => count)
  return days.map(({ day, count }, at) => ({ day, count, sum: sums[at] ?? 0 }))
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Room beside the drawing for the figures of the axes, px. */
export const MARGIN = { top: 12, right: 44, bottom: 28, left: 40 } as const

/** A date needs so many px: dates do not touch each other. */
const PX_FOR_DATE = 96
const PX_FOR_FIGURE = 44

export interface Curve {
  readonly line: string
  readonly area: string
  readonly end: { readonly x: number; readonly y: number }
  /** Where the plan lies; null where there is none. */
  readonly plan: number | null
  readonly dates: readonly { readonly x: number; readonly label: string }[]
  readonly figures: readonly { readonly y: number; readonly label: string }[]
  /** The point that a place across the drawing is about; null before the first. */
  readonly pointAt: (x: number) => CurvePoint | null
  readonly standOf: (point: CurvePoint) => { readonly x: number; readonly y: number }
}

/** Where everything of an enrolment curve lies. It ends today, with as many as there are today. */
export function layOutCurve(
  points: readonly CurvePoint[],
  { planned, today }: { readonly planned: number | null; readonly today: string },
  { width, height }: Size,
): Curve {
  const [first, last] = [points.at(0)?.day ?? today, points.at(-1)?.day ?? today]
  // From the day before, with nobody; a day that lies ahead, by a clock elsewhere, is not cut off.
  const begin = addDays(first, -1)
  const end = last > today ? last : today
  const total = points.at(-1)?.sum ?? 0
  const x = scaleUtc([new Date(begin), new Date(end)], [MARGIN.left, width - MARGIN.right])
  const y = scaleLinear([0, Math.max(1, total, planned ?? 0)], [height - MARGIN.bottom, MARGIN.top]).nice(4)
  const xOf = (day: string): number => x(new Date(day))
  const drawn = [{ day: begin, sum: 0 }, ...points, { day: end, sum: total }]
  const across = (point: { readonly day: string }): number => xOf(point.day)
  const up = (point: { readonly sum: number }): number => y(point.sum)
  return {
    line: line<(typeof drawn)[number]>(across, up).curve(curveStepAfter)(drawn) ?? '',
    area: area<(typeof drawn)[number]>(across, y(0), up).curve(curveStepAfter)(drawn) ?? '',
    end: { x: xOf(end), y: y(total) },
    plan: planned === null || planned === 0 ? null : y(planned),
    dates: datesAlong(x.ticks(Math.max(2, Math.floor(width / (1.5 * PX_FOR_DATE)))), (date) => x(date)),
    figures: y
      .ticks(Math.max(2, Math.floor(height / PX_FOR_FIGURE)))
      .filter(Number.isInteger)
      .map((figure) => ({ y: y(figure), label: String(figure) })),
    pointAt: (at) => points.findLast((point) => xOf(point.day) <= at) ?? null,
    standOf: (point) => ({ x: xOf(point.day), y: y(point.sum) }),
  }
}

/** The dates that are written below the drawing: months where all of them begin one. */
function datesAlong(ticks: readonly Date[], xOf: (date: Date) => number): Curve['dates'] {
  const isMonths = ticks.every((date) => date.getUTCDate() === 1)
  let free = Number.NEGATIVE_INFINITY
  return ticks.flatMap((date) => {
    const x = xOf(date)
    if (x < free) return []
    free = x + PX_FOR_DATE
    return [{ x, label: date.toISOString().slice(0, isMonths ? 7 : 10) }]
  })
}
