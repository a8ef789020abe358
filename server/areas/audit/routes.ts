import { pageOf } from '#core/wire/shapes.ts'
import { membership, requirePermission } from '#server/access.ts'
import { verifyChain } from '#server/areas/audit/chain.ts'
import { listAudit, listField } from '#server/areas/audit/store.ts'
import type { AuditPlace } from '#server/areas/audit/store.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

/** `seq.ord` in figures. */
function readAuditPlace(text: string | undefined): AuditPlace | null {
  const [seq, ord] = (text ?? '').split('.').map(Number)
  return text === undefined || seq === undefined || ord === undefined ? null : { seq, ord }
}

export const handlers: Handlers = {
  'audit.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      requirePermission(member, 'audit_view')
      const { rows, total, totalIsLeast } = await listAudit(connection, member, query, {
        ...query,
        before: readAuditPlace(query.before),
      })
      const page = pageOf(rows, total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'audit.field': async ({ services, actor, params, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      const { prop, table = null, rid = null, versionId = null } = query
      const { rows, total, totalIsLeast } = await listField(
        connection,
        member,
        { entryId: params.id, prop, table, rid, versionId },
        { ...query, before: readAuditPlace(query.before) },
      )
      const page = pageOf(rows, total, query)
      return totalIsLeast ? { ...page, totalIsLeast } : page
    }),

  'audit.verify': async ({ services, actor, query }) => {
    await withConnection(services.pool, async (connection) => {
      requirePermission(await membership(connection, actor, query.projectId), 'audit_view')
    })
    return verifyChain(services.pool, query.projectId)
  },
}
