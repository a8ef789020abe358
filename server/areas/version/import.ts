import { fail } from '#core/api/errors.ts'
import { designOf, foldersOf } from '#core/design/design.ts'
import { versionDifference } from '#core/design/difference/versionDifference.ts'
import { designWithImport } from '#core/design/importInto.ts'
import { toFolderRows } from '#core/design/importRows.ts'
import { newId } from '#core/ids.ts'
import { touchedNames } from '#core/wire/designStep.ts'
import { requirePermission } from '#server/access.ts'
import { countDefinition, refuseTooLarge } from '#server/areas/version/definition.ts'
import { withLists } from '#server/areas/version/lists.ts'
import { changeVersion, membershipOf } from '#server/areas/version/service.ts'
import * as store from '#server/areas/version/store.ts'
import { sha256 } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import type { Write } from '#server/http/runOnce.ts'

import { requireRightsTo } from './design/designRights.ts'
import { keepState } from './design/designStateStore.ts'
import { findDesignState, noteDesigned } from './design/designStore.ts'

/** Definitions that come from files. They are put into a draft, whose earlier state is kept. */

/**
 * Puts a definition into a draft: added to its content by codes, or in place of it. The source file is kept as
 * evidence.
 *
 * @throws ApiFailure `invalid` for a definition without a page, with a page that cannot be read, or with one code for
 *   two things; `draft_changed` where somebody has saved since the person looked at the expected result
 */
export async function importDefinition(
  context: Write<'version.import'>,
): Promise<{ pages: number; fields: number; stateId: string; rev: number }> {
  const { services, actor, body, query } = context
  const { mode = 'replace' } = body
  await withTransaction(services.pool, async (transaction) =>
    requirePermission(await membershipOf(transaction, actor, query.crfId), 'design_edit'),
  )
  refuseTooLarge([
    ...new Map(body.definition.folders.flatMap(({ pages }) => pages).map((page) => [page.pageCode, page])).values(),
  ])
  // This comes before the transaction of the change, because it waits for another server.
  const definition = await withLists(services, body.definition)
  return changeVersion(
    context,
    { action: 'edit', permission: 'design_edit' },
    async (transaction, { version, member }) => {
      const rev = (await findDesignState(transaction, version.id))?.rev ?? 0
      if (body.rev !== undefined && body.rev !== rev) throw fail('draft_changed')
      const incoming = toFolderRows(definition, await store.knownIds(transaction, version.project_id))
      const before = [...(await store.loadFolders(transaction, version.id))]
      const folders =
        before.length === 0 ? incoming : foldersOf(designWithImport(designOf(before), designOf(incoming), mode))
      refuseTooLarge([...new Map(folders.flatMap(({ pages }) => pages).map((page) => [page.id, page])).values()])
      requireRightsTo(member, before, folders)
      const touched = touchedNames(versionDifference({ folders: before }, { folders: [...folders] }))
      const stateId = await keepState(transaction, version, before, {
        kind: 'import',
        by: actor.userId,
        at: services.now(),
        fromRev: rev,
        touched,
        source: body.sourceName,
        mode,
      })
      await store.replaceDefinition(transaction, version.id, folders)
      const source = {
        id: newId(),
        versionId: version.id,
        name: body.sourceName,
        text: body.source,
        createdBy: actor.userId,
      }
      await store.insertSource(transaction, source)
      await noteDesigned(transaction, version.id, actor.userId, services.now())
      const counts = countDefinition(incoming)
      const imported = {
        source: body.sourceName,
        sourceId: source.id,
        sourceHash: sha256(body.source),
        mode,
        before: stateId,
        ...counts,
      }
      return {
        audit: [{ action: 'version.import', versionId: version.id, new: imported }],
        result: async () => ({ ...counts, stateId, rev: rev + 1 }),
      }
    },
  )
}
