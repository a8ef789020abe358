import { Fragment } from 'react'
import type { ReactNode } from 'react'

import classes from './FactList.module.css'

/** Names and what they hold, in two columns. */
export function FactList({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value], at) => (
        <Fragment key={`${at} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
