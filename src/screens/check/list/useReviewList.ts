import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReviewLine } from '#core/api/calls/review/check.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import type { Page } from '#core/wire/shapes.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { useOnlineOnly } from '#src/screens/check/useOnlineOnly.ts'

import { NO_FILTER, askedFor, filterIn, withFilter } from './listFilter.ts'
import type { ListFilter } from './listFilter.ts'

/** How many pages are read at first, and how many more each time somebody asks. */
const PART = 200
/** Most pages that the list shows; a filter finds the others. */
export const MOST = 1000

interface ReviewListChoice {
  readonly filter: ListFilter
  readonly change: (changes: Partial<ListFilter>) => void
  readonly search: string
  readonly searched: string
  readonly setSearch: (text: string) => void
  readonly clear: () => void
  readonly lines: Loadable<Page<ReviewLine>>
  /** Whether more of the same list are on their way: those that are there stay meanwhile. */
  readonly isReading: boolean
  readonly size: number
  readonly more: () => void
}

/** The filter of the list, in its address, and what the server gives for it. */
export function useReviewList(projectId: string, track: ReviewTrack): ReviewListChoice {
  const [address, setAddress] = useSearchParams()
  const [search, setSearch] = useState('')
  const [size, setSize] = useState(PART)
  const filter = filterIn(address)
  const searched = useDeferredValue(search.trim())
  const asked = askedFor(filter, projectId, track, searched)
  const answer = useOnlineOnly(useServerQuery('review.list', { query: { ...asked, current: 1, size }, projectId }))
  const { shown, isReading } = useStaying(answer, JSON.stringify(asked))
  return {
    filter,
    change: (changes) => setAddress((before) => withFilter(before, changes), { replace: true }),
    search,
    searched,
    setSearch,
    clear: () => {
      setSearch('')
      setAddress((before) => withFilter(before, NO_FILTER), { replace: true })
    },
    lines: shown,
    isReading,
    size,
    more: () => setSize((before) => Math.min(before + PART, MOST)),
  }
}

/** What was last read of the same list, while more of it is read. @param of which list it is, as text */
function useStaying<Value>(
  answer: Loadable<Value>,
  of: string,
): { readonly shown: Loadable<Value>; readonly isReading: boolean } {
  const [last, setLast] = useState<{ readonly of: string; readonly value: Value } | null>(null)
  if (answer.state === 'ready' && (last?.of !== of || last.value !== answer.value)) setLast({ of, value: answer.value })
  return answer.state === 'loading' && last?.of === of
    ? { shown: { state: 'ready', value: last.value, stale: true }, isReading: true }
    : { shown: answer, isReading: false }
}
