import { UnstyledButton } from '@mantine/core'
import { useId } from 'react'
import type { ReactNode } from 'react'

import classes from './bar.module.css'

interface BarActionProps {
  readonly icon?: ReactNode
  readonly children: ReactNode
  /** At its right: a state, a number. */
  readonly note?: ReactNode
  /** Why it cannot be used now. The line stays in its place and gives this reason. */
  readonly barred?: string | null
  readonly current?: boolean
  readonly danger?: boolean
  readonly onClick: () => void
}

/** One line of a top bar panel that performs an action. */
export function BarAction({
  icon,
  children,
  note,
  barred = null,
  current = false,
  danger = false,
  onClick,
}: BarActionProps) {
  const reason = useId()
  return (
    <UnstyledButton
      className={classes.action}
      data-danger={danger}
      {...(current ? { 'aria-current': 'true' as const } : {})}
      // Not `disabled`, because the keyboard must reach the reason as well.
      {...(barred === null ? { onClick } : { 'aria-disabled': true, 'aria-describedby': reason })}
    >
      {icon !== undefined && <span className={classes.icon}>{icon}</span>}
      <span className={classes.body}>
        {children}
        {barred !== null && (
          <small id={reason} className={classes.reason}>
            {barred}
          </small>
        )}
      </span>
      {note !== undefined && <span className={classes.note}>{note}</span>}
    </UnstyledButton>
  )
}
