import { fail } from '#core/api/errors.ts'
import { membership, requirePermission } from '#server/access.ts'
import { OPEN_STATUSES } from '#server/areas/project/service.ts'
import { findVersion } from '#server/areas/version/store.ts'
import { commitForMember } from '#server/database/commit.ts'
import type { Queryable } from '#server/database/transaction.ts'
import { runOnce } from '#server/http/runOnce.ts'
import type { Write } from '#server/http/runOnce.ts'

/**
 * Moves a page of a draft to a place in its folder, counted from 0; a place beyond the end means the last. A version
 * under test or released keeps the order that was judged.
 *
 * @param context with project and draft from the context headers
 * @throws ApiFailure version_not_editable for any other version; not_found for a page that is not in the draft;
 *   invalid where the page stands in several folders and none is named
 */
export function sortPage(
  context: Write<'entry.pageSort'> & {
    readonly params: { readonly id: string }
    readonly projectId: string | null
    readonly crfId: string | null
  },
): Promise<boolean> {
  const { actor, body, params, projectId, crfId } = context
  if (projectId === null) throw fail('invalid', { fields: [{ path: 'projectId', code: 'required' }] })
  if (crfId === null) throw fail('invalid', { fields: [{ path: 'crfId', code: 'required' }] })
  return runOnce(context, { projectId, entityId: params.id, crfVersionId: crfId }, async (transaction, stampAs) => {
    const member = await membership(transaction, actor, projectId)
    requirePermission(member, 'design_edit')
    const version = await findVersion(transaction, crfId, true)
    if (version === null || version.project_id !== projectId) throw fail('not_found')
    if (version.profile !== 'draft') throw fail('version_not_editable')
    const folderId = await folderOf(transaction, crfId, params.id, body.folderId ?? null)
    const before = await pagesOf(transaction, crfId, folderId)
    const others = before.filter((pageId) => pageId !== params.id)
    const after = [...others.slice(0, body.sort), params.id, ...others.slice(body.sort)]
    await transaction.query({
      name: 'page_sort',
      text: `
        UPDATE crf_page p SET sort = o.place - 1 FROM unnest($3::uuid[]) WITH ORDINALITY AS o (page_id, place)
        WHERE p.version_id = $1 AND p.folder_id = $2 AND p.page_id = o.page_id`,
      values: [crfId, folderId, after],
    })
    const committed = await commitForMember(transaction, member, stampAs, {
      statuses: OPEN_STATUSES,
      audit: [
        {
          action: 'version.page_sort',
          versionId: crfId,
          old: { folderId, pages: before },
          new: { folderId, pages: after },
        },
      ],
      changes: [{ kind: 'version', rowId: crfId, centerId: null, pass: null }],
    })
    return { committed, result: true }
  })
}

async function folderOf(
  transaction: Queryable,
  versionId: string,
  pageId: string,
  named: string | null,
): Promise<string> {
  const { rows } = await transaction.query<{ folderId: string }>({
    name: 'page_folders',
    text: 'SELECT folder_id AS "folderId" FROM crf_page WHERE version_id = $1 AND page_id = $2 AND ($3::uuid IS NULL OR folder_id = $3)',
    values: [versionId, pageId, named],
  })
  const [found, more] = rows
  if (found === undefined) throw fail('not_found')
  if (more !== undefined) throw fail('invalid', { fields: [{ path: 'body.folderId', code: 'required' }] })
  return found.folderId
}

async function pagesOf(transaction: Queryable, versionId: string, folderId: string): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ pageId: string }>({
    name: 'pages_of_folder',
    text: 'SELECT page_id AS "pageId" FROM crf_page WHERE version_id = $1 AND folder_id = $2 ORDER BY sort, page_id',
    values: [versionId, folderId],
  })
  return rows.map(({ pageId }) => pageId)
}
