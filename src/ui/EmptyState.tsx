import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './EmptyState.module.css'

interface EmptyStateProps {
  readonly title: string
  readonly text?: string
  readonly icon?: ReactNode
  /** The one next step. */
  readonly action?: ReactNode
  /** Inside a panel whose title already says what is empty: text only. */
  readonly compact?: boolean
  /** Read out when it appears. */
  readonly live?: boolean
}

/** Shown where there is nothing to list: what that means, and one next step. */
export function EmptyState({ title, text, icon, action, compact = false, live = false }: EmptyStateProps) {
  return (
    <div className={classes.empty} data-compact={compact} {...(live ? { role: 'alert' } : {})}>
      {!compact && (
        <span className={classes.icon} aria-hidden="true">
          {icon ?? <IconInbox size={40} stroke={1.5} />}
        </span>
      )}
      <p className={classes.title}>{title}</p>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  )
}
