import type { ReviewCounts } from '#core/review/verification.ts'
import { figure } from '#src/ui/words/format.ts'

import classes from './check.module.css'

/** How much is done in percent, rounded down: 100 only where all of it is. */
export function percentOf({ done, due }: Pick<ReviewCounts, 'done' | 'due'>): number {
  return due === 0 ? 0 : Math.floor((100 * done) / due)
}

/** Done and due as a small bar; the figures beside it say the same in words. */
export function Share({ of, wide = false }: { readonly of: ReviewCounts; readonly wide?: boolean }) {
  const { done, due, changed } = of
  const percentOfDue = (part: number) => `${due === 0 ? 0 : (100 * part) / due}%`
  return (
    <span className={classes.share} data-wide={wide || undefined}>
      <span className={classes.shareBar} aria-hidden="true">
        <span className={classes.shareDone} style={{ width: percentOfDue(done) }} />
        <span className={classes.shareChanged} style={{ width: percentOfDue(changed) }} />
      </span>
      <span className={classes.shareFigures}>
        {figure(done, 0)}/{figure(due, 0)}
      </span>
    </span>
  )
}
