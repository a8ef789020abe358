import { useId } from 'react'
import type { ReactNode } from 'react'

import classes from './attention.module.css'

interface TaskListProps {
  readonly title: string
  readonly count: number
  /** Whether it needs the reader; what waits for others is drawn quietly. */
  readonly isMine: boolean
  /** What else is to be known about all of it. */
  readonly text?: string
  /** List items. */
  readonly children: ReactNode
}

/** What is done in the same way, under one heading that says what and how much of it. */
export function TaskList({ title, count, isMine, text, children }: TaskListProps) {
  const heading = useId()
  return (
    <section className={classes.group} aria-labelledby={heading}>
      <h2 className={classes.heading} id={heading}>
        {title}{' '}
        <span className={classes.count} data-mine={isMine || undefined}>
          {count}
        </span>
      </h2>
      {text !== undefined && <p className={classes.quiet}>{text}</p>}
      <ul className={classes.list}>{children}</ul>
    </section>
  )
}
