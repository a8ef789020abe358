import type { VisitStatus } from '#core/study/visits/schedule.ts'

import { StatusShape } from './StatusBadge.tsx'
import { VisitShape } from './VisitBadge.tsx'
import type { PageState } from './pageState.ts'
import classes from './StatusRing.module.css'
import { dotOf } from './visitDots.ts'

interface StatusRingProps {
  /** Where the visit stands; null where nothing is planned and nobody has said anything. */
  readonly visit: VisitStatus | null
  readonly state: PageState
  /** How many of its pages are not submitted: the figure inside. */
  readonly left: number
}

/** Radius and circumference of the ring in a square of 28. */
const RADIUS = 11.4
const ROUND = 2 * Math.PI * RADIUS

/**
 * A visit as a ring, filled by the share of what is done, with what is left as a figure inside. Where no page is to be
 * done any more it is the visit's own shape. Its words stand beside it or in a label.
 */
export function StatusRing({ visit, state, left }: StatusRingProps) {
  const dot = dotOf(visit, state)
  if (dot === 'conflict') {
    return (
      <span className={classes.shape}>
        <StatusShape status={state.all.includes('conflict') ? 'conflict' : 'attention'} />
      </span>
    )
  }
  if (dot === 'done' || dot === 'missed' || (dot === 'off' && visit !== null)) {
    return (
      <span className={classes.shape}>
        <VisitShape status={dot === 'done' || visit === null ? 'done' : visit} />
      </span>
    )
  }
  const isFilled = dot === 'inProgress' || dot === 'missing'
  const filled = Math.min(0.97, Math.max(0.05, state.share)) * ROUND
  return (
    <svg className={classes.ring} data-dot={dot} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      <circle className={classes.track} cx="14" cy="14" r={RADIUS} />
      {isFilled && (
        <circle
          className={classes.share}
          cx="14"
          cy="14"
          r={RADIUS}
          strokeDasharray={`${filled} ${ROUND}`}
          transform="rotate(-90 14 14)"
        />
      )}
      <text className={classes.figure} x="14" y="14.4" textAnchor="middle" dominantBaseline="central">
        {left > 99 ? '99' : left}
      </text>
      {/* Overdue is told without colour as well. */}
      {dot === 'overdue' && (
        <g className={classes.alarm}>
          <circle cx="22.4" cy="5.6" r="5" />
          <path d="M22.4 3.1v2.9M22.4 8v.1" />
        </g>
      )}
    </svg>
  )
}
