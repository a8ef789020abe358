import type { ReactNode } from 'react'

import classes from './IdentityStrip.module.css'

interface IdentityStripProps {
  /** What is known, in the order in which it matters; null where there is nothing to say. */
  readonly facts: readonly (readonly [id: string, fact: ReactNode])[]
  /** What can be done, at the end of the line. */
  readonly actions: ReactNode
}

/** One line below the title that says whom a screen is about, and how they stand. */
export function IdentityStrip({ facts, actions }: IdentityStripProps) {
  return (
    <div className={classes.strip}>
      <ul className={classes.facts}>
        {facts.map(([id, fact]) => fact !== null && <li key={id}>{fact}</li>)}
      </ul>
      <div className={classes.actions} data-print="no">
        {actions}
      </div>
    </div>
  )
}
