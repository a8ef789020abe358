import { StatusBadge } from './StatusBadge.tsx'
import { stateOfPages, useStateWords } from './pageState.ts'
import type { PageFacts } from './pageState.ts'

interface PageStatusProps {
  readonly pages: readonly PageFacts[]
  /** How many pages there should be. */
  readonly expected?: number
  readonly compact?: boolean
}

/** How far a page is, or several together: the state that matters most, with all others in its tooltip. */
export function PageStatus({ pages, expected = pages.length, compact = false }: PageStatusProps) {
  const words = useStateWords()
  const state = stateOfPages(pages, expected)
  return (
    <StatusBadge
      status={state.status}
      count={state.missing}
      share={state.share}
      detail={words(state)}
      compact={compact}
    />
  )
}
