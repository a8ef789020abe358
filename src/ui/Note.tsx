import type { ReactNode } from 'react'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'

import classes from './Note.module.css'

interface NoteProps {
  /** error: a person must act. warning: something is not as usual. done: it worked. info: good to know. */
  readonly tone: 'error' | 'warning' | 'info' | 'done'
  readonly title?: string
  readonly children?: ReactNode
  /** Read out at once when it appears. */
  readonly live?: boolean
}

const icons = { error: IconAlertTriangle, warning: IconAlertTriangle, info: IconInfoCircle, done: IconCircleCheck }

/** A box that says what happened, in its colour and with its mark. */
export function Note({ tone, title, children, live = false }: NoteProps) {
  const Icon = icons[tone]
  const role = live ? (tone === 'error' ? 'alert' : 'status') : undefined
  return (
    <div className={classes.note} data-tone={tone} role={role}>
      <Icon className={classes.icon} size={20} aria-hidden="true" />
      <div className={classes.body}>
        {title !== undefined && <strong className={classes.title}>{title}</strong>}
        {children}
      </div>
    </div>
  )
}
