import { createContext, useMemo } from 'react'
import { reviewRightsOf } from '#core/access/reviewRights.ts'
import { NO_COUNTS, addCounts, tracksOf } from '#core/review/verification.ts'
import type { ReviewCounts } from '#core/review/verification.ts'
import { usePatientReview } from '#src/data/hooks/review.ts'
import type { Casebook } from '#src/data/shapes/types.ts'
import { useNeedsServer } from '#src/frame/shell/useNeedsServer.ts'

/** How far the submitted pages of a patient are checked in the reader's own track, by entry. */
export type ReviewedPages = ReadonlyMap<string, ReviewCounts>

const NOTHING: ReviewedPages = new Map()

/** For lines of pages, however deep they lie in a casebook. */
export const ReviewedPagesContext = createContext<ReviewedPages>(NOTHING)

/** How far the pages of a patient are checked; none for who does not check, and without a network. */
export function useReviewedPages({ project, patient }: Pick<Casebook, 'project' | 'patient'>): ReviewedPages {
  const needs = useNeedsServer()
  const [track] = tracksOf(reviewRightsOf(new Set(project.permissions)))
  const isShown = track !== undefined && needs === null && patient.pass === 1
  const read = usePatientReview(isShown ? { projectId: project.id, patientId: patient.id } : null)
  return useMemo(
    () =>
      track === undefined || read.state !== 'ready'
        ? NOTHING
        : new Map(read.value.flatMap((page) => (page.ready ? [[page.entryId, page[track]] as const] : []))),
    [track, read],
  )
}

/** What several pages come to. */
export function countsOfPages(reviewed: ReviewedPages, pages: readonly { readonly entryId: string }[]): ReviewCounts {
  return pages.reduce((sum, { entryId }) => addCounts(sum, reviewed.get(entryId) ?? NO_COUNTS), NO_COUNTS)
}
