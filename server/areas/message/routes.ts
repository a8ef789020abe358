import { fail } from '#core/api/errors.ts'
import { membership } from '#server/access.ts'
import { messagesOf, noticeWays, sendNotice } from '#server/areas/message/service.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

export const handlers: Handlers = {
  'entry.notice': async ({ services, actor, params, projectId }) =>
    withConnection(services.pool, async (connection) => {
      if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
      return messagesOf(connection, await membership(connection, actor, projectId), params.id)
    }),

  'patient.noticeWays': async ({ services, actor, body }) =>
    withConnection(services.pool, async (connection) =>
      noticeWays(
        connection,
        await membership(connection, actor, body.projectId),
        services.config.messages,
        body.patientIds,
      ),
    ),

  'patient.sendNotice': async (context) => sendNotice(context),
}
