import type { ReactNode } from 'react'

import classes from './drawing.module.css'

/**
 * The frame of the drawings of empty states: one size, lines of one weight, the colours of the theme. Classes: `line`
 * draws, `paper` is what things are made of, `accent` is the one thing that the drawing is about.
 */
export function Drawing({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      className={classes.drawing}
      viewBox="0 0 160 112"
      width={160}
      height={112}
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}
