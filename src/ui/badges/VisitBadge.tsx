import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitStatus } from '#core/study/visits/schedule.ts'

import classes from '#src/ui/badges/VisitBadge.module.css'
import { line } from '#src/ui/badges/line.ts'

interface VisitBadgeProps {
  readonly status: VisitStatus
  /** Only the shape is drawn; the word stays for a pointer and for a screen reader. */
  readonly compact?: boolean
  /** An unplanned visit can be neither in time nor late. */
  readonly unplanned?: boolean
}

/** The status of a visit, as colour, shape and word together. */
export function VisitBadge({ status, compact = false, unplanned = false }: VisitBadgeProps) {
  const { t } = useTranslation('visits')
  const word = t(unplanned && status === 'inWindow' ? 'status.took' : `status.${status}`)
  return (
    <span className={classes.mark} data-visit={status} {...(compact ? { title: word } : {})}>
      <Shape status={status} />
      <span className={compact ? classes.hidden : undefined}>{word}</span>
    </span>
  )
}

/** Only the shape, where the word stands beside it or in a label. */
export function VisitShape({ status }: { readonly status: VisitStatus }) {
  return (
    <span className={classes.mark} data-visit={status}>
      <Shape status={status} />
    </span>
  )
}

function Shape({ status }: { readonly status: VisitStatus }) {
  return (
    <svg className={classes.shape} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {shapes[status]}
    </svg>
  )
}

/** A calendar leaf with a sign on it. */
function leaf(sign: ReactNode): ReactNode {
  return (
    <g {...line}>
      <path d="M3 4.6h14v12.6H3zM3 8h14M6.6 2.4v3.2M13.4 2.4v3.2" />
      {sign}
    </g>
  )
}

function ring(sign: ReactNode): ReactNode {
  return (
    <g {...line}>
      <circle cx="10" cy="10" r="7.6" />
      {sign}
    </g>
  )
}

const shapes: Readonly<Record<VisitStatus, ReactNode>> = {
  planned: leaf(null),
  due: leaf(<rect x="7.4" y="10.2" width="5.2" height="4.6" fill="currentColor" stroke="none" />),
  overdue: leaf(<path d="M10 10v2.4M10 14.8v.1" strokeWidth={2.2} />),
  begun: leaf(<path d="M7 13.2h.1M10 13.2h.1M13 13.2h.1" strokeWidth={2.4} />),
  inWindow: leaf(<path d="m7.2 12.6 2 2 3.8-3.8" />),
  early: leaf(<path d="M13 12.6H7m2.2-2.2L7 12.6l2.2 2.2" />),
  late: leaf(<path d="M7 12.6h6m-2.2-2.2 2.2 2.2-2.2 2.2" />),
  done: (
    <g {...line}>
      <circle cx="10" cy="10" r="8" fill="currentColor" stroke="none" />
      <path d="m6.2 10.2 2.6 2.6 5-5.4" stroke="var(--mantine-color-body)" strokeWidth={2} />
    </g>
  ),
  missed: ring(<path d="m7.2 7.2 5.6 5.6M12.8 7.2l-5.6 5.6" />),
  skipped: ring(<path d="m6.8 6.8 3.2 3.2-3.2 3.2M10.6 6.8l3.2 3.2-3.2 3.2" strokeWidth={1.6} />),
  stopped: ring(<rect x="7.2" y="7.2" width="5.6" height="5.6" fill="currentColor" stroke="none" />),
  removed: ring(<path d="M6.8 10h6.4" />),
  notApplicable: ring(<path d="m5 15 10-10" />),
  open: ring(null),
}
