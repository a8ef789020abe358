import { pageOf } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'
import { directAct } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'

import { listAssignees } from './assignees.ts'
import { countByVisit, countQueries, listQueries } from './list.ts'
import { placeLines } from './placeLines.ts'

export const handlers: Handlers = {
  'query.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      const { lines, total, totalIsLeast } = await listQueries(connection, member, query, services.now())
      return { ...pageOf(lines, total, query), totalIsLeast }
    }),

  'query.counts': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) =>
      countQueries(connection, await membership(connection, actor, query.projectId)),
    ),

  'query.byVisit': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      return { visits: await countByVisit(connection, member) }
    }),

  'query.assignees': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) =>
      listAssignees(connection, await membership(connection, actor, body.projectId), body.ids),
    ),

  'query.placeLines': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) =>
      placeLines(connection, await membership(connection, actor, body.projectId), body.lines),
    ),

  'query.raise': async (context) => {
    const { body, services } = context
    const act = directAct(context, { call: 'query.raise', body, projectId: body.projectId, entityId: body.id })
    return (await takeIn(services, act)).result
  },

  'query.act': async (context) => {
    const { body, services } = context
    const act = directAct(context, { call: 'query.act', body, projectId: body.projectId, entityId: body.id })
    return (await takeIn(services, act)).result
  },
}
