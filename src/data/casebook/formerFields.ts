import type { ConflictRow, PageRow } from '#core/api/sync/rows.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { namesOn } from '#src/data/rows/names.ts'
import { readVersionById } from '#src/data/rows/readProjects.ts'
import type { ConflictPlace } from '#src/data/shapes/types.ts'

/** Fields that a release removed while a conflict about them was open. Other fields may have their codes by now. */

/**
 * The page from the last version that still had the field of a conflict. Null where that is not known here, or where
 * the page still has the field.
 */
export async function formerPage(
  context: DataContext,
  projectId: string,
  target: Pick<EntryTarget, 'folderId' | 'pageId'>,
  { formerVersionId = null }: ConflictRow,
): Promise<PageRow | null> {
  if (formerVersionId === null) return null
  const version = await readVersionById(context, projectId, formerVersionId)
  if (!version.ok) return null
  const folder = version.value.folders.find(({ id }) => id === target.folderId)
  return folder?.pages.find(({ id }) => id === target.pageId) ?? null
}

/** Where a conflict lies on its page. If the page no longer has the field: what the field was called. */
export async function conflictPlace(
  context: DataContext,
  projectId: string,
  target: EntryTarget,
  conflict: ConflictRow,
): Promise<ConflictPlace> {
  const { id, table, rid, code } = conflict
  if (!isAboutFormer(conflict)) return { id, table, rid, code }
  const page = await formerPage(context, projectId, target, conflict)
  return { id, table, rid, code, former: page === null ? { fieldLabel: null } : namesOn(page.option, conflict) }
}
