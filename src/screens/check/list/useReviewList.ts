import { useState } from 'react'
import type { ReviewLine } from '#core/api/calls/review/check.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import type { Page } from '#core/wire/shapes.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { Loadable } from '#src/data/shapes/types.ts'
import { useListChoice } from '#src/frame/lists/useListChoice.ts'
import type { ListChoice } from '#src/frame/lists/useListChoice.ts'
import { useListSize } from '#src/frame/lists/useListSize.ts'
import { useOnlineOnly } from '#src/frame/useOnlineOnly.ts'

import { addressFilter, askedFor } from './listFilter.ts'
import type { ListFilter } from './listFilter.ts'

interface ReviewList extends ListChoice<ListFilter> {
  readonly lines: Loadable<Page<ReviewLine>>
  /** Whether more of the same list are on their way: those that are there stay meanwhile. */
  readonly isReading: boolean
  /** Reads more of them; null where the list shows no more. */
  readonly more: (() => void) | null
}

/** The filter of the list, in its address, and what the server gives for it. */
export function useReviewList(projectId: string, track: ReviewTrack): ReviewList {
  const choice = useListChoice(addressFilter)
  const { size, more } = useListSize()
  const asked = askedFor(choice.filter, projectId, track, choice.searched)
  const answer = useOnlineOnly(useServerQuery('review.list', { query: { ...asked, current: 1, size }, projectId }))
  const { shown, isReading } = useStaying(answer, JSON.stringify(asked))
  return { ...choice, lines: shown, isReading, more }
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
