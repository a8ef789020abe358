import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import classes from '#src/ui/badges/StatusBadge.module.css'
import { line } from '#src/ui/badges/line.ts'

/** The states that are the same on every screen: each a colour, a shape and a word. */
export type Status =
  | 'conflict'
  | 'attention'
  | 'local'
  | 'sending'
  | 'missing'
  | 'submitted'
  | 'inProgress'
  | 'notStarted'
  | 'received'

interface StatusBadgeProps {
  readonly status: Status
  /** How many, for `missing`. */
  readonly count?: number
  /** For `inProgress`, how much is done, 0 to 1: the ring is filled as far. */
  readonly share?: number
  /** What pointer and screen reader get where the word alone is not enough; by default the word. */
  readonly detail?: string
  /** Only the shape is drawn; the word stays for a pointer and for a screen reader. */
  readonly compact?: boolean
}

/**
 * The shape of a state without a hook, for places that draw hundreds. Its word is given, or stands beside it or in a
 * label.
 */
export function StatusShape({
  status,
  share = 0.5,
  children,
}: Pick<StatusBadgeProps, 'status' | 'share'> & { readonly children?: string }) {
  return (
    <span className={classes.mark} data-status={status}>
      <svg className={classes.shape} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        {status === 'inProgress' ? <Ring share={share} /> : shapes[status]}
      </svg>
      {children}
    </span>
  )
}

/** One state of something, as colour, shape and word together. */
export function StatusBadge({ status, count = 0, share = 0.5, detail, compact = false }: StatusBadgeProps) {
  const { t } = useTranslation('status')
  const word = status === 'missing' ? t('missing', { count }) : t(status)
  return (
    <span
      className={classes.mark}
      data-status={status}
      {...(compact || detail !== undefined ? { title: detail ?? word } : {})}
    >
      <svg className={classes.shape} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        {status === 'inProgress' ? <Ring share={share} /> : shapes[status]}
      </svg>
      <span className={compact ? classes.hidden : undefined}>{compact ? (detail ?? word) : word}</span>
    </span>
  )
}

/** The circumference of the ring, at radius 7.4. */
const ROUND = 2 * Math.PI * 7.4

function Ring({ share }: { readonly share: number }) {
  const filled = Math.min(0.97, Math.max(0.06, share)) * ROUND
  return (
    <g {...line}>
      <circle cx="10" cy="10" r="7.4" opacity={0.3} />
      <circle
        cx="10"
        cy="10"
        r="7.4"
        strokeWidth={2.6}
        strokeLinecap="butt"
        strokeDasharray={`${filled} ${ROUND}`}
        transform="rotate(-90 10 10)"
      />
    </g>
  )
}

const shapes: Readonly<Record<Exclude<Status, 'inProgress'>, ReactNode>> = {
  conflict: (
    <g {...line}>
      <path d="M10 1.8 18.2 10 10 18.2 1.8 10z" />
      <path d="M6.6 8.4h6.2m-1.8-1.9 1.9 1.9M13.4 11.8H7.2m1.8 1.9-1.9-1.9" strokeWidth={1.4} />
    </g>
  ),
  attention: (
    <g {...line}>
      <path d="M10 2.4 18.4 17H1.6z" />
      <path d="M10 7.6v4.2M10 14.3v.1" strokeWidth={2} />
    </g>
  ),
  local: (
    <g {...line}>
      <rect x="3.8" y="1.9" width="12.4" height="16.2" rx="2" />
      <circle cx="10" cy="9.2" r="2.6" fill="currentColor" stroke="none" />
      <path d="M8.4 15.4h3.2" strokeWidth={1.4} />
    </g>
  ),
  sending: (
    <g {...line} className={classes.turning}>
      <path d="M16.8 8.4A7 7 0 0 0 4.2 6M3.2 11.6A7 7 0 0 0 15.8 14" />
      <path d="M4 2.6V6h3.4M16 17.4V14h-3.4" />
    </g>
  ),
  missing: (
    <g {...line}>
      <path d="M10 2.4a7.6 7.6 0 0 1 0 15.2" strokeWidth={2.4} />
      <path d="M10 17.6a7.6 7.6 0 0 1 0-15.2" strokeDasharray="1.2 3" />
    </g>
  ),
  submitted: (
    <g {...line}>
      <circle cx="10" cy="10" r="8" fill="currentColor" stroke="none" />
      <path d="m6.2 10.2 2.6 2.6 5-5.4" stroke="var(--mantine-color-body)" strokeWidth={2} />
    </g>
  ),
  notStarted: (
    <g {...line}>
      <circle cx="10" cy="10" r="7.4" />
    </g>
  ),
  received: (
    <g {...line}>
      <path d="M5.6 15.6a3.9 3.9 0 0 1-.5-7.8A5.2 5.2 0 0 1 15 7.4a4.2 4.2 0 0 1-.3 8.2" />
      <path d="m7.4 13.2 2 2 3.6-3.8" />
    </g>
  ),
}
