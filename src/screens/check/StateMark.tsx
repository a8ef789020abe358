import type { RollUp } from '#core/review/verification.ts'
import { ReviewMark, shapeOfRollUp } from '#src/ui/badges/ReviewBadge.tsx'

import classes from './check.module.css'

interface StateMarkProps {
  /** `notReady` while the page is not submitted. */
  readonly state: RollUp | 'notReady'
  readonly word: string
}

/** How far a page is checked, as shape, colour and word together. Without a hook: a list draws hundreds. */
export function StateMark({ state, word }: StateMarkProps) {
  return (
    <span className={classes.mark} data-check={state}>
      <ReviewMark shape={state === 'notReady' ? 'notDue' : shapeOfRollUp[state]} />
      {word}
    </span>
  )
}
