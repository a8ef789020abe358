import { membership, requirePermission } from '#server/access.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

import { exportRows } from './export.ts'
import { listPages, loadColumns, requireLooker } from './pages.ts'
import { partOfRows } from './rows.ts'

export const handlers: Handlers = {
  'database.pages': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireLooker(member)
      return listPages(connection, member)
    }),

  'database.columns': async ({ services, actor, query, language }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requireLooker(member)
      const { pageId, table = null } = query
      const columns = await loadColumns(connection, member, { pageId, table, language, values: 'codes' })
      return columns.map(({ column }) => column)
    }),

  'database.rows': async ({ services, actor, body, language }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, body.projectId)
      requirePermission(member, 'database_view')
      const columns = await loadColumns(connection, member, { ...body, language, values: 'codes' })
      return partOfRows(connection, member, body, columns, body)
    }),

  'database.export': exportRows,
}
