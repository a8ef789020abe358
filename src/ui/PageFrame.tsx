import type { ReactNode } from 'react'

import classes from './PageFrame.module.css'

interface PageFrameProps {
  readonly title: string
  readonly intro?: string
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode
  /** Whether it takes the full width, as a grid needs. */
  readonly wide?: boolean
  /** Whether its head stays off the paper: what is printed has a head of its own. */
  readonly printsOwnHead?: boolean
  readonly children: ReactNode
}

/** The frame of a screen inside the main layout: its title, its actions, its content. */
export function PageFrame({ title, intro, actions, wide = false, printsOwnHead = false, children }: PageFrameProps) {
  return (
    <div className={classes.frame} data-frame={wide ? 'wide' : undefined}>
      <div className={classes.head} {...(printsOwnHead ? { 'data-print': 'no' } : {})}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {intro !== undefined && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface PanelProps {
  readonly title?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A titled part of a screen. */
export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section className={classes.panel}>
      {title !== undefined && (
        <div className={classes.panelHead}>
          <h2 className={classes.panelTitle}>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
