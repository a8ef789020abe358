import type { VisitResult } from '#core/api/calls/visit.ts'
import type { CallWithBody } from '#core/api/sync/operation.ts'
import { fail } from '#core/api/errors.ts'
import { pageOf } from '#core/wire/shapes.ts'
import { entryId } from '#core/derivedIds.ts'
import { membership } from '#server/access.ts'
import { directAct } from '#server/operations/act.ts'
import type { OnlineContext, VisitCall } from '#server/operations/act.ts'
import { takeIn } from '#server/operations/takeIn.ts'
import { listVisits } from '#server/areas/visit/list.ts'
import { plannedFolders, schedules, todoOf } from '#server/areas/visit/schedules.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'

async function takeVisitCall(context: OnlineContext, what: CallWithBody<VisitCall>): Promise<VisitResult> {
  const act = directAct(context, { ...what, projectId: what.body.projectId, entityId: what.body.id })
  return (await takeIn(context.services, act)).result
}

export const handlers: Handlers = {
  'visit.list': async ({ services, actor, query }) =>
    withConnection(services.pool, async (connection) => {
      const member = await membership(connection, actor, query.projectId)
      const { lines, total } = await listVisits(services.pool, connection, member, query, services.now())
      return pageOf(lines, total, query)
    }),

  'visit.save': async (context) => takeVisitCall(context, { call: 'visit.save', body: context.body }),
  'visit.update': async (context) => takeVisitCall(context, { call: 'visit.update', body: context.body }),
  'visit.remove': async (context) => takeVisitCall(context, { call: 'visit.remove', body: context.body }),
  'folder.config': async (context) => takeVisitCall(context, { call: 'folder.config', body: context.body }),

  'folder.remove': async (context) => {
    const { body, params } = context
    if (params.id !== body.folderId) throw fail('invalid', { fields: [{ path: 'params.id', code: 'forged' }] })
    return takeVisitCall(context, { call: 'folder.remove', body })
  },

  'entry.todo': async ({ services, actor, query, projectId }) =>
    withConnection(services.pool, async (connection) => {
      if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
      const member = await membership(connection, actor, projectId)
      const folders = await plannedFolders(connection, projectId)
      const today = query.today ?? services.now().slice(0, 10)
      const [schedule] = await schedules(connection, member, folders, {
        patientId: query.patientId,
        centerId: null,
        today,
      })
      if (schedule === undefined) throw fail('not_found')
      const names = new Map(folders.map((folder) => [folder.id, folder]))
      return todoOf(schedule, folders).map((todo) => {
        const { folderId, folderRepeat, pageId, pageRepeat, why, missing } = todo
        const target = {
          patientId: query.patientId,
          folderId,
          folderRepeat,
          pageId,
          pageRepeat,
          parentEntryId: null,
          pass: member.pass,
        }
        const folder = names.get(folderId)
        const page = folder?.pages.find(({ id }) => id === pageId)
        return {
          entryId: entryId(target),
          patientId: query.patientId,
          folderId,
          folderRepeat,
          folderName: folder?.folderName ?? '',
          folderNameEn: folder?.folderNameEn ?? null,
          pageId,
          pageRepeat,
          pageName: page?.pageName ?? '',
          pageNameEn: page?.pageNameEn ?? null,
          why,
          missing,
        }
      })
    }),
}
