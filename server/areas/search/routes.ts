import { pageOf } from '#core/wire/shapes.ts'
import { membership, requirePermission } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

import { exportSubjects } from './export.ts'
import { countSubjects, loadSubjects, pageOfSubjects } from './find.ts'
import { removeSearch, saveSearch } from './keep.ts'
import { listSearches } from './store.ts'

export const handlers: Handlers = {
  'search.count': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, body.projectId)
      requirePermission(member, 'search_view')
      return countSubjects(connection, member, body.condition)
    }),

  'search.subjects': async ({ services, actor, body, language }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, body.projectId)
      requirePermission(member, 'search_view')
      const { ids, total, totalIsLeast } = await pageOfSubjects(connection, member, body.condition, body)
      const subjects = await loadSubjects(connection, member, ids, { show: body.show, language })
      return { ...pageOf(subjects, total, body), totalIsLeast }
    }),

  'search.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requirePermission(member, 'search_view')
      return listSearches(connection, member)
    }),

  'search.export': exportSubjects,
  'search.save': saveSearch,
  'search.remove': removeSearch,
}
