import { fail } from '#core/api/errors.ts'
import { mayPlanReview, reviewRightsOf, seesReview } from '#core/access/reviewRights.ts'
import { mayReview, tracksOf } from '#core/review/verification.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import type { Membership } from '#server/access.ts'

/** Who may do what of verification (core/access/reviewRights.ts), as refusals. */

type Held = Pick<Membership, 'permissions'>

/** @throws ApiFailure forbidden for who checks in no track */
export function requireReviewer({ permissions }: Held): void {
  if (tracksOf(reviewRightsOf(permissions)).length === 0) throw fail('forbidden')
}

/** @throws ApiFailure forbidden for who does not check in the track */
export function requireTrack({ permissions }: Held, track: ReviewTrack): void {
  if (!mayReview(track, reviewRightsOf(permissions))) throw fail('forbidden')
}

/** @throws ApiFailure forbidden for who does not see what was verified */
export function requireSight({ permissions }: Held): void {
  if (!seesReview(permissions)) throw fail('forbidden')
}

/** @throws ApiFailure forbidden for who may not switch a plan on */
export function requirePlanner({ permissions }: Held): void {
  if (!mayPlanReview(permissions)) throw fail('forbidden')
}
