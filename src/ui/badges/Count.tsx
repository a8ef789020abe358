import type { ReactNode } from 'react'

import classes from '#src/ui/badges/Count.module.css'

interface CountProps {
  /** Text that replaces an unknown number. */
  readonly figure: number | string
  readonly shape: ReactNode
  readonly word: string
}

/** How many there are of something: a large number, quiet when it is zero, with its shape and word below. */
export function Count({ figure, shape, word }: CountProps) {
  return (
    <span className={classes.count}>
      <span className={classes.figure} data-none={figure === 0 || undefined}>
        {figure}
      </span>
      <span className={classes.kind}>
        {shape}
        {word}
      </span>
    </span>
  )
}
