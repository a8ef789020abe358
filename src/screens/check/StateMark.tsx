import type { ReactNode } from 'react'
import type { RollUp } from '#core/review/verification.ts'

import classes from './check.module.css'

/** How far a page is checked; `notReady` while it is not submitted. */
export type CheckState = RollUp | 'notReady'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.8,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/** The square of the review frame: empty, half, ticked twice, or ticked with a turn. */
const shapes: Readonly<Record<CheckState, ReactNode>> = {
  notReady: <rect x="3" y="3" width="14" height="14" rx="2" strokeDasharray="2.4 2.6" />,
  notDue: <path d="M5 10h10" />,
  none: <rect x="3" y="3" width="14" height="14" rx="2" />,
  partial: (
    <>
      <rect x="3" y="3" width="14" height="14" rx="2" />
      <path d="M4 4h6v12H4z" fill="currentColor" stroke="none" />
    </>
  ),
  changed: (
    <>
      <path d="m3.4 11.4 3.2 3.2 6-7" />
      <path d="M13.4 16.8a4 4 0 1 0 .2-6.4M13.2 7.8v2.8H16" strokeWidth={1.5} />
    </>
  ),
  complete: <path d="m1.8 10.6 3.6 3.8L12 6.6M9 13.4l1.2 1.2 7-8" />,
}

/** How far a page is checked, as shape, colour and word together. Without a hook: a list draws hundreds. */
export function StateMark({ state, word }: { readonly state: CheckState; readonly word: string }) {
  return (
    <span className={classes.mark} data-check={state}>
      <svg className={classes.shape} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        <g {...line}>{shapes[state]}</g>
      </svg>
      {word}
    </span>
  )
}
