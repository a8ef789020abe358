import { use, useCallback, useMemo } from 'react'
import type { BodyOf } from '#core/api/call.ts'
import type { EntryReview, ReviewLine, ReviewResult } from '#core/api/calls/review/check.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import type { Result } from '#core/result.ts'
import { askAgain, useServerCall, useServerQuery, useTakenAnswer } from '#src/data/server.ts'
import type { ServerAnswer, ServerQuestion } from '#src/data/server.ts'
import type { Loadable } from '#src/data/shapes/types.ts'

import { DeviceContext } from './useDevice.ts'

/** Checking, which needs the network: marks are asked for, never kept on the device. */

/** How far the pages of a patient are checked. */
export type PatientReview = ServerAnswer<'review.patient'>

/** Fields that somebody says something about. */
export type ReviewDeedInput = BodyOf<CallOf<'review.act'>>

/** An entry whose marks are shown. */
export interface ReviewedEntry {
  readonly projectId: string
  readonly entryId: string
  /** What else the marks depend on, as text: what the page shows of the entry. */
  readonly asOf: string
}

/** The marks of one page. @param of null where they are not shown */
export function useEntryReview(of: ReviewedEntry | null): Loadable<EntryReview> {
  return useServerQuery('review.entry', of === null ? null : entryInput(of), of?.asOf ?? '')
}

/** How far the pages of a patient are checked. @param of null where nobody needs it */
export function usePatientReview(
  of: { readonly projectId: string; readonly patientId: string } | null,
): Loadable<PatientReview> {
  return useServerQuery('review.patient', of === null ? null : { query: of, projectId: of.projectId })
}

function entryInput({ projectId, entryId }: ReviewedEntry) {
  return { query: { projectId, entryId }, projectId }
}

/** What else the acts of this tab change: it is read again after them. The marks of the page are in the answer. */
const FOLLOWS = ['review.patient', 'review.list', 'review.progress', 'audit.field', 'audit.list'] as const

type NextQuery = ServerQuestion<'review.next'>

/** What a reviewer does at the server. */
export interface ReviewActions {
  /** Marks fields of an entry. */
  readonly act: (of: ReviewedEntry, deed: ReviewDeedInput) => Promise<Result<ReviewResult, ApiError>>
  /** The next page of a track that is to be checked, after an entry or from the start. */
  readonly next: (query: NextQuery) => Promise<Result<ReviewLine | null, ApiError>>
}

export function useReviewActions(): ReviewActions {
  const call = useServerCall()
  const device = use(DeviceContext)
  const take = useTakenAnswer()
  const act = useCallback<ReviewActions['act']>(
    async (of, deed) => {
      const result = await call('review.act', { body: deed, projectId: of.projectId })
      if (!result.ok) return result
      take('review.entry', entryInput(of), of.asOf, result.value.review)
      // What another value is than on the screen is shown to whom it was not shown.
      if (result.value.refused.length > 0) device?.readAgain()
      void askAgain(FOLLOWS)
      return result
    },
    [call, device, take],
  )
  const next = useCallback<ReviewActions['next']>(
    (query) => call('review.next', { query, projectId: query.projectId }),
    [call],
  )
  return useMemo(() => ({ act, next }), [act, next])
}
