import type { ReviewRights } from '#core/review/verification.ts'

import type { PermissionCode } from './permissions.ts'

/** What somebody with these permissions may check (core/review/verification.ts). */
export function reviewRightsOf(held: { readonly has: (code: PermissionCode) => boolean }): ReviewRights {
  return { verifies: held.has('sdv_verify'), manages: held.has('data_review') }
}

/** Whether somebody may switch a review plan on: whoever manages the data or the project, not who works by it. */
export function mayPlanReview(held: { readonly has: (code: PermissionCode) => boolean }): boolean {
  return held.has('data_review') || held.has('project_edit')
}

/**
 * Whether somebody sees what and how much was verified: in the trail, as progress and in reports. Not who enters, whom
 * it should not steer.
 */
export function seesReview(held: { readonly has: (code: PermissionCode) => boolean }): boolean {
  return held.has('sdv_verify') || mayPlanReview(held)
}
