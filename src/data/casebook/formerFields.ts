import type { ConflictRow, PageRow } from '#core/api/sync/rows.ts'
import { isAboutFormer } from '#core/sync/conflict.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { namesOn } from '#src/data/rows/names.ts'
import { readVersionById } from '#src/data/rows/readProjects.ts'
import type { ConflictPlace } from '#src/data/shapes/types.ts'

/** Fields that a release removed while a conflict about them stood open: their codes may be other fields' by now. */

/**
 * The page as the last version has it that had the field of a conflict; null where that is not known here, or the page
 * has the field still.
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

/** Where a conflict lies on its page, or what the field was called that it is about and the page has no more. */
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
