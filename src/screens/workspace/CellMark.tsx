import type { VisitStatus } from '#core/study/visits/schedule.ts'
import { StatusShape } from '#src/ui/badges/StatusBadge.tsx'
import { VisitShape } from '#src/ui/badges/VisitBadge.tsx'
import type { PageState } from '#src/ui/badges/pageState.ts'

import classes from './matrix.module.css'

/** The ring's circumference, at radius 12. */
const ROUND = 2 * Math.PI * 12
/** Dashes for what is missing: told apart from a page that is only not finished without colour as well. */
const DASHES = `${ROUND / 2} 3 ${Array.from({ length: 6 }, () => '2 3.7').join(' ')}`

interface CellMarkProps {
  readonly state: PageState
  /** The visit's own status, where that is what counts. */
  readonly visit: VisitStatus | null
  /** How many of its pages are submitted. */
  readonly submitted: number
}

/**
 * What a cell of the matrix shows: the shape of its state, and where pages are under way a ring with a figure in it:
 * how many are submitted, or how many required values are missing. Words are in the cell's label. No hooks, because a
 * scroll draws hundreds of these.
 */
export function CellMark({ state: { status, share, missing }, visit, submitted }: CellMarkProps) {
  if (visit !== null) return <VisitShape status={visit} />
  if (status === 'missing') return <Ring status={status} dashes={DASHES} figure={missing} />
  if (status !== 'inProgress') return <StatusShape status={status} />
  const filled = Math.min(0.97, Math.max(0.06, share)) * ROUND
  return <Ring status={status} dashes={`${filled} ${ROUND}`} figure={submitted} />
}

interface RingProps {
  readonly status: 'missing' | 'inProgress'
  readonly dashes: string
  readonly figure: number
}

/** A ring filled as far as its dashes say. A figure of more than two digits does not fit. */
function Ring({ status, dashes, figure }: RingProps) {
  return (
    <svg className={classes.ring} data-status={status} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      <circle cx="14" cy="14" r="12" className={classes.track} />
      <circle
        cx="14"
        cy="14"
        r="12"
        className={classes.filled}
        strokeDasharray={dashes}
        transform="rotate(-90 14 14)"
      />
      {figure > 0 && (
        <text x="14" y="14" textAnchor="middle" dominantBaseline="central">
          {figure > 99 ? '99+' : figure}
        </text>
      )}
    </svg>
  )
}
