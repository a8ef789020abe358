import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './attention.module.css'

interface TaskListProps {
  readonly title: string
  readonly count: number
  /** Whether it needs the reader; what waits for others is drawn quietly. */
  readonly isMine: boolean
  /** What else is to be known about all of it. */
  readonly text?: string
  /** List items: the first are drawn, the others when somebody asks for them. */
  readonly children: readonly ReactNode[]
}

/** How many items are drawn at first, and how many more each time somebody asks. */
const [FIRST, MORE] = [50, 200]

/** What is done in the same way, under one heading that says what and how much of it. */
export function TaskList({ title, count, isMine, text, children }: TaskListProps) {
  const { t } = useTranslation('attention')
  const heading = useId()
  const [drawn, setDrawn] = useState(FIRST)
  const left = children.length - drawn
  return (
    <section className={classes.group} aria-labelledby={heading}>
      <h2 className={classes.heading} id={heading}>
        {title}{' '}
        <span className={classes.count} data-mine={isMine || undefined}>
          {count}
        </span>
      </h2>
      {text !== undefined && <p className={classes.quiet}>{text}</p>}
      <ul className={classes.list}>{children.slice(0, drawn)}</ul>
      {left > 0 && (
        <Button variant="subtle" h="var(--zl-control)" fullWidth onClick={() => setDrawn(drawn + MORE)}>
          {t('more', { count: left })}
        </Button>
      )}
    </section>
  )
}
