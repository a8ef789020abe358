import { useTranslation } from 'react-i18next'
import type { QueryState } from '#core/review/query.ts'

import classes from '#src/ui/badges/QueryBadge.module.css'

interface QueryBadgeProps {
  readonly state: QueryState
  /** What stands beside the flag; by default the state in words. */
  readonly children?: string
  /** Only the flag is drawn; the word stays for a pointer and for a screen reader. */
  readonly compact?: boolean
}

/** The state of a query, as colour, shape and word together. */
export function QueryBadge({ state, children, compact = false }: QueryBadgeProps) {
  const { t } = useTranslation('query')
  const word = children ?? t(`state.${state}`)
  return (
    <span className={classes.mark} data-query={state} {...(compact ? { title: word } : {})}>
      <QueryFlag state={state} />
      <span className={compact ? classes.hidden : undefined}>{word}</span>
    </span>
  )
}

/**
 * Only the shape, where the word stands beside it: a flag, empty for what nobody has asked yet, full while it is asked,
 * with a stroke once it has ended.
 */
export function QueryFlag({ state }: { readonly state: QueryState }) {
  const hasEnded = state === 'closed' || state === 'cancelled'
  return (
    <svg className={classes.shape} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
        <path d="M5 17.4V3.4" />
        <path
          d="M5 4h10.4l-2.6 3.8 2.6 3.8H5z"
          fill={state === 'open' || state === 'answered' ? 'currentColor' : 'none'}
        />
        {hasEnded && <path d="M3 16 17 3" />}
      </g>
    </svg>
  )
}
