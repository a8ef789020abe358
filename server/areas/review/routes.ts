import { pageOf } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

import { actOn } from './act.ts'
import { coverageOf } from './coverage.ts'
import { reviewOfEntry, reviewOfPatient } from './entry.ts'
import { listReview, nextReview } from './list.ts'
import { listPlans, requireCenters, switchPlan } from './plan.ts'
import { progressOf } from './progress.ts'
import { reportOf } from './report.ts'
import { requirePlanner, requireSight, requireReviewer, requireTrack } from './rights.ts'

export const handlers: Handlers = {
  'review.entry': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireReviewer(member)
      return reviewOfEntry(connection, member, query.entryId)
    }),

  'review.patient': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireReviewer(member)
      return [...(await reviewOfPatient(connection, member, query.patientId))]
    }),

  'review.act': actOn,

  'review.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireTrack(member, query.track)
      const { lines, total, totalIsLeast } = await listReview(connection, member, query)
      return { ...pageOf(lines, total, query), totalIsLeast }
    }),

  'review.next': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireTrack(member, query.track)
      return nextReview(connection, member, query)
    }),

  'review.progress': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireSight(member)
      return [...(await progressOf(connection, member, query.track))]
    }),

  'review.plans': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      requireSight(await membership(connection, actor, query.projectId))
      return [...(await listPlans(connection, query))]
    }),

  'review.planCoverage': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, body.projectId)
      requirePlanner(member)
      await requireCenters(connection, body.projectId, body.plan)
      return coverageOf(connection, member, body)
    }),

  'review.planSwitch': switchPlan,

  'review.report': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireSight(member)
      return reportOf(connection, member, query)
    }),
}
