import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import { refreshDrafts } from '#server/areas/projectDict/drafts.ts'
import * as store from '#server/areas/projectDict/store.ts'
import { membership } from '#server/access.ts'
import { commitProject } from '#server/database/commit.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { CallContext, Handlers } from '#server/http/handler.ts'
import { stampOf } from '#server/http/runOnce.ts'
import type { CallId } from '#core/api/table.ts'

/**
 * A draft that was made, saved or sent back holds no list of the project's dictionaries yet, or an older one: it gets the newest right after. That this
 * failed is told like a failure of the call, which is then repeated under its key: the draft stands, and only the lists are brought up to date.
 */

/** The handlers of versions, each of which leaves the drafts of its project with the newest lists. */
export function withNewestLists(handlers: Handlers): Handlers {
  const { 'version.save': save, 'version.import': read, 'version.back': back, 'version.designSave': design } = handlers
  if (save === undefined || read === undefined || back === undefined || design === undefined) throw new RangeError('Versions are served without drafts')
  return {
    ...handlers,
    'version.save': async (context) => after(context, context.body.projectId, await save(context)),
    'version.import': async (context) => after(context, await projectOf(context, context.query.crfId), await read(context)),
    'version.designSave': async (context) => after(context, await projectOf(context, context.query.crfId), await design(context)),
    'version.back': async (context) => after(context, await projectOf(context, context.query.crfId), await back(context)),
  }
}

async function after<Id extends CallId, Answer>(context: CallContext<Id>, projectId: string | null, answer: Answer): Promise<Answer> {
  if (projectId === null || context.actor === null) return answer
  const { services, actor, acted, ip, call, key } = context
  await withTransaction(services.pool, async (transaction) => {
    await store.lockDictionaries(transaction, projectId)
    const drafts = await refreshDrafts(transaction, projectId, 'leave')
    if (drafts.length === 0) return
    const { role } = await membership(transaction, actor, projectId)
    await commitProject(transaction, {
      projectId,
      statuses: OPEN_STATUSES,
      stamp: stampOf({ actor, acted, ip, call, key, receivedAt: services.now() }, role),
      audit: drafts.map((versionId) => ({ action: 'version.lists', versionId })),
      changes: drafts.map((rowId) => ({ kind: 'version', rowId, centerId: null, pass: null })),
    })
  })
  return answer
}

/** The project of a version, for its handler has yet to say whether it is the caller's. */
async function projectOf({ services }: Pick<CallContext<'version.back'>, 'services'>, versionId: string): Promise<string | null> {
  return withTransaction(services.pool, async (transaction) => {
    const { rows } = await transaction.query<{ project_id: string }>('SELECT project_id FROM crf_version WHERE id = $1', [versionId])
    return rows[0]?.project_id ?? null
  })
}
