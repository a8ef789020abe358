import type { BodyOf, QueryOf } from '#core/api/call.ts'
import type { PlanVersion } from '#core/api/calls/review/check.ts'
import { fail } from '#core/api/errors.ts'
import type { CallOf } from '#core/api/table.ts'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { ReviewPlan } from '#core/review/reviewPlan.ts'
import type { ReviewTrack } from '#core/review/verification.ts'
import { membership } from '#server/access.ts'
import { lockProject } from '#server/areas/project/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'
import { cancelJob, enqueueJob } from '#server/jobs/queue.ts'

import { REVIEW_PLAN } from './planWork.ts'
import { requirePlanner } from './rights.ts'

/** The plans of a track: switching one on, and all that ever held. */

/**
 * Switches a plan on as the next version of its track. What it asks for on the pages that are there is worked out by a
 * job; a page that is written meanwhile follows it at once.
 */
export async function switchPlan(context: Write<'review.planSwitch'>): Promise<PlanVersion> {
  const { actor, body, services } = context
  const { projectId, track, plan, note } = body
  const mayReadAgain = async (_: Queryable, member: Parameters<typeof requirePlanner>[0]): Promise<void> =>
    Promise.resolve(requirePlanner(member))
  return runOnce(context, { projectId, mayReadAgain }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePlanner(member)
    await requireCenters(transaction, projectId, plan)
    // Two who switch at once get versions one after the other.
    await lockProject(transaction, projectId)
    const at = services.now()
    const former = await endPlan(transaction, projectId, track, at)
    if (former !== null) await cancelJob(transaction, former.id)
    const id = newId()
    const no = (former?.no ?? 0) + 1
    await transaction.query({
      name: 'review_plan_insert',
      text: 'INSERT INTO review_plan (id, project_id, track, no, plan, note, made_by, made_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [id, projectId, track, no, JSON.stringify(plan), note, actor.userId, at],
    })
    await enqueueJob(transaction, REVIEW_PLAN, {
      id,
      payload: { planId: id },
      total: await patientsOf(transaction, projectId),
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: ['start', 'process'],
      audit: [
        {
          action: 'review.plan',
          old: former === null ? null : { track, no: former.no, plan: former.plan },
          new: { track, no, plan: asValue(plan), note },
        },
      ],
      changes: [],
    })
    const [version] = await versionsOf(transaction, projectId, track)
    if (version === undefined) throw fail('internal')
    return { committed, result: version }
  })
}

function asValue(plan: ReviewPlan): JsonValue {
  return {
    ...plan,
    critical: plan.critical.map((field) => ({ ...field })),
    centers: plan.centers.map((center) => ({ ...center })),
  }
}

/** @throws ApiFailure invalid for a center that is not the project's, or that is named twice */
export async function requireCenters(
  transaction: Queryable,
  projectId: string,
  { centers }: BodyOf<CallOf<'review.planCoverage'>>['plan'],
): Promise<void> {
  if (centers.length === 0) return
  const { rows } = await transaction.query<{ id: string }>({
    name: 'review_plan_centers',
    text: 'SELECT id FROM center WHERE project_id = $1',
    values: [projectId],
  })
  const known = new Set(rows.map(({ id }) => id))
  const named = new Set<string>()
  const fields = centers.flatMap(({ centerId }, at) => {
    const code = known.has(centerId) ? (named.has(centerId) ? 'twice' : null) : 'unknown'
    named.add(centerId)
    return code === null ? [] : [{ path: `body.plan.centers.${String(at)}.centerId`, code }]
  })
  if (fields.length > 0) throw fail('invalid', { fields })
}

interface FormerPlan {
  readonly id: string
  readonly no: number
  readonly plan: JsonValue
}

/** Ends the plan that holds in a track; null where none does. */
async function endPlan(
  transaction: Queryable,
  projectId: string,
  track: ReviewTrack,
  at: string,
): Promise<FormerPlan | null> {
  const { rows } = await transaction.query<FormerPlan>({
    name: 'review_plan_end',
    text: 'UPDATE review_plan SET ended_at = $3 WHERE project_id = $1 AND track = $2 AND ended_at IS NULL RETURNING id, no, plan',
    values: [projectId, track, at],
  })
  return rows[0] ?? null
}

async function patientsOf(transaction: Queryable, projectId: string): Promise<number> {
  const { rows } = await transaction.query<{ count: number }>({
    name: 'review_plan_patients',
    text: 'SELECT count(*)::integer AS count FROM patient WHERE project_id = $1',
    values: [projectId],
  })
  return rows[0]?.count ?? 0
}

/** The plans of a track, the newest first. */
export async function listPlans(
  connection: Queryable,
  { projectId, track }: QueryOf<CallOf<'review.plans'>>,
): Promise<readonly PlanVersion[]> {
  return versionsOf(connection, projectId, track)
}

async function versionsOf(
  connection: Queryable,
  projectId: string,
  track: ReviewTrack,
): Promise<readonly PlanVersion[]> {
  const { rows } = await connection.query<PlanVersion>({
    name: 'review_plan_versions',
    text: `
      SELECT
        r.id, r.track, r.no, r.ended_at IS NULL AS "isActive", r.plan, r.note, u.real_name AS "byName", r.made_at AS at, r.ended_at AS "endedAt",
        CASE WHEN r.ended_at IS NULL AND j.state IN ('open', 'failed')
          THEN jsonb_build_object('done', least(j.finished, j.total), 'total', j.total) END AS progress
      FROM review_plan r JOIN app_user u ON u.id = r.made_by LEFT JOIN job j ON j.id = r.id
      WHERE r.project_id = $1 AND r.track = $2 ORDER BY r.no DESC`,
    values: [projectId, track],
  })
  return rows
}
