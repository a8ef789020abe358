import type { ReactNode } from 'react'

import classes from './IdentityStrip.module.css'

/** Something that is known of whom a screen is about. */
export interface IdentityFact {
  readonly id: string
  readonly fact: ReactNode
  /** Whether it gives way on a phone: it stands elsewhere on the screen too. */
  readonly isMinor?: boolean
}

interface IdentityStripProps {
  /** In the order in which they matter. */
  readonly facts: readonly IdentityFact[]
  /** What can be done, at the end of the line. */
  readonly actions: ReactNode
}

/** One line below the title that says whom a screen is about, and how they stand. */
export function IdentityStrip({ facts, actions }: IdentityStripProps) {
  return (
    <div className={classes.strip}>
      <ul className={classes.facts}>
        {facts.map(({ id, fact, isMinor = false }) => (
          <li key={id} data-minor={isMinor || undefined}>
            {fact}
          </li>
        ))}
      </ul>
      <div className={classes.actions} data-print="no">
        {actions}
      </div>
    </div>
  )
}
