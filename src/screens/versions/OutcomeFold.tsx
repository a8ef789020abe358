import { IconAlertTriangle, IconChevronRight, IconCircleCheck, IconCircleX, IconPencil } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'

import classes from './outcomeFold.module.css'

/** How much a group concerns its reader: something is lost, a person has to decide, it changes, all is well. */
export type Tone = 'bad' | 'warn' | 'change' | 'fine'

const MARKS = { bad: IconCircleX, warn: IconAlertTriangle, change: IconPencil, fine: IconCircleCheck }

interface OutcomeFoldProps {
  readonly tone: Tone
  readonly title: string
  /** How much of it there is. */
  readonly figure: string
  /** Whether it is unfolded at first. */
  readonly open?: boolean
  readonly children: ReactNode
}

/** One outcome in a line, with its figure; what it consists of is folded below. */
export function OutcomeFold({ tone, title, figure, open = false, children }: OutcomeFoldProps) {
  const [isOpen, setOpen] = useState(open)
  const id = useId()
  const Mark = MARKS[tone]
  return (
    <section className={classes.fold} data-tone={tone} aria-label={title}>
      <button
        type="button"
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={16} className={classes.chevron} aria-hidden="true" />
        <Mark size={18} className={classes.mark} aria-hidden="true" />
        <span className={classes.title}>{title}</span>
        <span className={classes.figure}>{figure}</span>
      </button>
      <div id={id} className={classes.body} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </section>
  )
}
