import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MarkState, ReviewCounts, RollUp } from '#core/review/verification.ts'
import { rollUpOf } from '#core/review/verification.ts'

import classes from '#src/ui/badges/ReviewBadge.module.css'

/** What a mark of checking shows: of a field, or of all fields of a page, a visit or more (`partial`). */
export type ReviewShape = MarkState | 'none' | 'notDue' | 'partial'

/**
 * The shape of a mark without a hook, for places that draw hundreds: its word is in a label or stands beside it.
 * Verified is a double tick, to verify again a tick with a turn, not yet a square, exempt a dash.
 */
export function ReviewMark({ shape }: { readonly shape: ReviewShape }) {
  return (
    <svg className={classes.shape} data-review={shape} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
        {shapes[shape]}
      </g>
    </svg>
  )
}

const BOX = <rect x="3.4" y="3.4" width="13.2" height="13.2" rx="2.4" />

const shapes: Readonly<Record<ReviewShape, ReactNode>> = {
  verified: (
    <g strokeWidth={2.2}>
      <path d="m1.8 10.8 3.6 3.8 6.4-8.4" />
      <path d="m9.2 13.2 1.6 1.6 7.2-8.6" />
    </g>
  ),
  changed: (
    <>
      <path d="m6.2 10.6 2.4 2.5 4.6-5" strokeWidth={2.2} />
      <path d="M17 6.6A7.8 7.8 0 1 0 17.8 10" />
      <path d="M17.6 2.8v4h-4" />
    </>
  ),
  exempt: <path d="M4 10h12" strokeWidth={2.2} />,
  withdrawn: (
    <>
      {BOX}
      <path d="m6.6 13.4 6.8-6.8" />
    </>
  ),
  none: BOX,
  notDue: BOX,
  partial: (
    <>
      {BOX}
      <path d="M10 3.4H5.8a2.4 2.4 0 0 0-2.4 2.4v8.4a2.4 2.4 0 0 0 2.4 2.4H10z" fill="currentColor" />
    </>
  ),
}

/** The shape for how far several fields are checked. */
export const shapeOfRollUp: Readonly<Record<RollUp, ReviewShape>> = {
  notDue: 'notDue',
  none: 'none',
  partial: 'partial',
  changed: 'changed',
  complete: 'verified',
}

interface ReviewRollUpProps {
  readonly counts: ReviewCounts
  /** Only the shape is drawn; words and figures stay for a pointer and for a screen reader. */
  readonly compact?: boolean
}

/** How far fields are checked: colour, shape, and how many of how many. Nothing where nothing is asked for. */
export function ReviewRollUp({ counts, compact = false }: ReviewRollUpProps) {
  const { t } = useTranslation('review')
  const rollUp = rollUpOf(counts)
  if (rollUp === 'notDue') return null
  const figure = t('rollUp.figure', { done: counts.done, due: counts.due })
  const words = `${t(`rollUp.${rollUp}`)} ${figure}`
  return (
    <span className={classes.mark} title={words} data-review={shapeOfRollUp[rollUp]}>
      <ReviewMark shape={shapeOfRollUp[rollUp]} />
      <span className={classes.hidden}>{words}</span>
      {!compact && <span aria-hidden="true">{figure}</span>}
    </span>
  )
}
