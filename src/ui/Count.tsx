import classes from './Count.module.css'
import { StatusShape } from './StatusMark.tsx'
import type { Status } from './StatusMark.tsx'

interface CountProps {
  /** What stands where the figure is not known. */
  readonly figure: number | string
  readonly status: Status
  readonly word: string
}

/** How many there are of something: a large figure, quiet when there is none, with its shape and word below. */
export function Count({ figure, status, word }: CountProps) {
  return (
    <span className={classes.count}>
      <span className={classes.figure} data-none={figure === 0 || undefined}>
        {figure}
      </span>
      <span className={classes.kind}>
        <StatusShape status={status} />
        {word}
      </span>
    </span>
  )
}
