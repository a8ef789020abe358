import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReviewResult } from '#core/api/calls/review/check.ts'
import type { ApiError } from '#core/api/errors.ts'
import { addressKey } from '#core/form/definition/address.ts'
import type { Result } from '#core/result.ts'
import { EMPTY_ITEM } from '#core/sync/entryChange.ts'
import { contentAt } from '#core/sync/merge.ts'
import type { ItemPlace } from '#core/sync/merge.ts'
import type { MarkState, ReviewAct, ReviewMethod, ReviewTrack } from '#core/review/verification.ts'
import { useReviewActions } from '#src/data/hooks/review.ts'
import type { ReviewedEntry } from '#src/data/hooks/review.ts'
import type { EntryView } from '#src/data/shapes/types.ts'

import { pendingKey } from './checkPlaces.ts'
import type { Pending } from './checkPlaces.ts'

/** What somebody does with fields of the open page. */
export interface CheckDeed {
  readonly track: ReviewTrack
  readonly act: ReviewAct
  readonly places: readonly ItemPlace[]
  readonly method: ReviewMethod | null
  readonly note: string | null
}

export interface CheckActs {
  readonly pending: Pending
  readonly send: (deed: CheckDeed) => Promise<Result<ReviewResult, ApiError>>
}

const AFTER: Readonly<Record<ReviewAct, MarkState>> = { verify: 'verified', unverify: 'withdrawn', exempt: 'exempt' }

/**
 * Marks fields at the server, one act after the other in the order of the keys. Until it answers, a mark shows where it
 * is going, and that it is not there yet.
 */
export function useCheckActs(of: ReviewedEntry, view: EntryView): CheckActs {
  const { act } = useReviewActions()
  const [pending, setPending] = useState<Pending>(NOTHING)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  // What is on the screen when the act is sent is what its author saw.
  const latest = useRef({ of, view })
  useEffect(() => {
    latest.current = { of, view }
  }, [of, view])
  const send = useCallback<CheckActs['send']>(
    ({ track, act: deed, places, method, note }) => {
      const keys = places.map((place) => pendingKey(track, addressKey(place)))
      const { data } = latest.current.view
      const items = places.map((place) => ({ ...place, seen: contentAt(data, place) ?? EMPTY_ITEM }))
      setPending((before) => new Map([...before, ...keys.map((key) => [key, AFTER[deed]] as const)]))
      const work = queue.current.then(async () => {
        const { of: entry } = latest.current
        const { projectId, entryId } = entry
        const done = await act(entry, { projectId, entryId, track, act: deed, method, note, items })
        // The answer reaches the screen in the next turn: until then the mark stays where it went.
        await new Promise((shown) => setTimeout(shown))
        setPending((before) => {
          const left = new Map(before)
          for (const key of keys) left.delete(key)
          return left
        })
        return done
      })
      queue.current = work.catch(() => undefined)
      return work
    },
    [act],
  )
  return { pending, send }
}

const NOTHING: Pending = new Map()
