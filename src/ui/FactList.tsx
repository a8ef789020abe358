import { Fragment } from 'react'
import type { ReactNode } from 'react'

import classes from './FactList.module.css'

interface FactListProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
  /** Two facts on a line where there is room, for short facts. */
  readonly pairs?: boolean
}

/** Names and their values, in two columns. */
export function FactList({ facts, pairs = false }: FactListProps) {
  return (
    <dl className={classes.facts} data-pairs={pairs || undefined}>
      {facts.map(([name, value], at) => (
        <Fragment key={`${at} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
