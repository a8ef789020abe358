import type { DesignStep, DesignState } from '#core/api/calls/design.ts'
import { fail } from '#core/api/errors.ts'
import { versionDifference } from '#core/design/difference/versionDifference.ts'
import { touchedNames } from '#core/wire/designStep.ts'
import type { Page } from '#core/wire/shapes.ts'
import { json } from '#core/wire/shapes.ts'
import { membership } from '#server/access.ts'
import { changeVersion, membershipOf } from '#server/areas/version/service.ts'
import * as store from '#server/areas/version/store.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { CallContext } from '#server/http/handler.ts'
import { readPage } from '#server/http/paging.ts'
import type { Write } from '#server/http/runOnce.ts'

import { stateOf } from './design.ts'
import { DESIGN_RIGHTS, requireRightsTo } from './designRights.ts'
import { findState, keepState, listActs } from './designStateStore.ts'
import { countEntered, noteDesigned } from './designStore.ts'

/** The history of a draft, and how to go back in it: for all its designers, on any device. */

export async function listHistory(context: CallContext<'version.designHistory'>): Promise<Page<DesignStep>> {
  const { services, actor, params, query } = context
  return withTransaction(services.pool, async (transaction) => {
    await membershipOf(transaction, actor, params.id)
    return readPage(query, (window) => listActs(transaction, params.id, window))
  })
}

/**
 * Brings a draft back to its state before a change. Its present state is kept too, so that one can come back to that.
 */
export async function restoreDesign(context: Write<'version.designRestore'>): Promise<DesignState> {
  const { actor, body, services } = context
  return changeVersion(
    context,
    { action: 'edit', permission: DESIGN_RIGHTS },
    async (transaction, { version, member }) => {
      const { rev } = await stateOf(transaction, version.id)
      if (rev !== body.rev) throw fail('draft_changed')
      const folders = await findState(transaction, version.id, body.stateId)
      if (folders === null) throw fail('not_found')
      const before = [...(await store.loadFolders(transaction, version.id))]
      requireRightsTo(member, before, folders)
      const changes = versionDifference({ folders: before }, { folders: [...folders] })
      await keepState(transaction, version, before, {
        kind: 'restore',
        by: actor.userId,
        at: services.now(),
        fromRev: rev,
        touched: touchedNames(changes),
      })
      await store.replaceDefinition(transaction, version.id, folders)
      await noteDesigned(transaction, version.id, actor.userId, services.now())
      return {
        audit: [
          {
            action: 'version.restore',
            versionId: version.id,
            new: { rev: rev + 1, state: body.stateId, changes: json.parse(changes) },
          },
        ],
        quiet: true,
        result: () => stateOf(transaction, version.id),
      }
    },
  )
}

/** How much data the pages have that a draft may change, counting the patients whom the reader may see. */
export async function countEnteredPages(
  context: CallContext<'version.designEntered'>,
): Promise<{ folderId: string; pageId: string; patients: number }[]> {
  const { services, actor, params } = context
  return withTransaction(services.pool, async (transaction) => {
    const projectId = await store.projectOfVersion(transaction, params.id)
    if (projectId === null) throw fail('not_found')
    return countEntered(transaction, await membership(transaction, actor, projectId))
  })
}
