import type { ScaleLinear } from 'd3-scale'
import chart from '#src/ui/chart/chart.module.css'
import { figure } from '#src/ui/words/format.ts'

/** Axes that charts share. */

export const MARGIN = { top: 12, right: 24, bottom: 44, left: 60 } as const
/** A tick's text takes about so many px. */
const PX_OF_TICK = 80
/** The names at the left take so much of the width, and no more px. */
const NAMES = { share: 0.32, most: 220 } as const
export function leftOfNames(width: number): number {
  return Math.min(NAMES.most, Math.max(96, width * NAMES.share))
}

interface BottomProps {
  readonly x: ScaleLinear<number, number>
  readonly top: number
  readonly bottom: number
  readonly title: string
  readonly hasGrid?: boolean
}

/** Ticks below, with lines up where the values are read from them. */
export function BottomAxis({ x, top, bottom, title, hasGrid = false }: BottomProps) {
  const [left = 0, right = 0] = x.range()
  return (
    <g>
      {x.ticks(Math.max(2, Math.floor((right - left) / PX_OF_TICK))).map((tick) => (
        <g key={tick}>
          {hasGrid && <line x1={x(tick)} x2={x(tick)} y1={top} y2={bottom} className={chart['grid']} />}
          <text x={x(tick)} y={bottom + 18} textAnchor="middle" className={chart['tick']}>
            {figure(tick, 6)}
          </text>
        </g>
      ))}
      <text x={(left + right) / 2} y={bottom + 38} textAnchor="middle" className={chart['tick']}>
        {title}
      </text>
    </g>
  )
}

interface LeftProps {
  readonly y: ScaleLinear<number, number>
  readonly left: number
  readonly right: number
  readonly title: string
  readonly isPercent?: boolean
}

/** Ticks at the left with lines across. */
export function LeftAxis({ y, left, right, title, isPercent = false }: LeftProps) {
  const [bottom = 0, top = 0] = y.range()
  return (
    <g>
      {y.ticks(5).map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} className={chart['grid']} />
          <text x={left - 8} y={y(tick)} textAnchor="end" dominantBaseline="central" className={chart['tick']}>
            {isPercent ? figure(tick * 100, 1) : figure(tick, 6)}
          </text>
        </g>
      ))}
      <text transform={`translate(14 ${(top + bottom) / 2}) rotate(-90)`} textAnchor="middle" className={chart['tick']}>
        {title}
      </text>
    </g>
  )
}
