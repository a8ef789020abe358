import * as z from 'zod/mini'
import { id } from '#core/wire/shapes.ts'
import { factsOfPatients } from '#server/areas/entry/review/facts.ts'
import { countsOf } from '#server/areas/entry/review/follow.ts'
import { writeCounts } from '#server/areas/entry/review/store.ts'
import type { Counted } from '#server/areas/entry/review/store.ts'
import type { Queryable } from '#server/database/transaction.ts'
import type { JobKind } from '#server/jobs/queue.ts'

/** What a plan that was switched on asks for on the pages that are there: patient by patient. */

/** A job with the plan's id. */
export const REVIEW_PLAN: JobKind<{ readonly planId: string }> = {
  name: 'reviewPlan',
  payload: z.object({ planId: id }),
}

/**
 * Counts the pages of the next patient anew. Nobody writes to the patient meanwhile: whoever did so under the former
 * plan has ended, so nothing is left counted by it.
 *
 * @returns false where no patient is left, or another plan holds by now
 */
export async function countNextPatient(transaction: Queryable, planId: string): Promise<boolean> {
  const { rows } = await transaction.query<{ id: string }>({
    name: 'review_plan_next',
    text: `
      SELECT p.id FROM patient p JOIN review_plan r ON r.project_id = p.project_id
      WHERE r.id = $1 AND r.ended_at IS NULL AND (r.counted_to IS NULL OR p.id > r.counted_to)
      ORDER BY p.id LIMIT 1 FOR NO KEY UPDATE OF p`,
    values: [planId],
  })
  const patientId = rows[0]?.id
  if (patientId === undefined) return false
  const counted: Counted[] = []
  for (const facts of await factsOfPatients(transaction, [patientId]))
    counted.push(...(await countsOf(transaction, facts)))
  await writeCounts(transaction, counted)
  await transaction.query({
    name: 'review_plan_counted',
    text: 'UPDATE review_plan SET counted_to = $2 WHERE id = $1',
    values: [planId, patientId],
  })
  return true
}
