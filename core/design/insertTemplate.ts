import type { TemplateDetail } from '#core/api/calls/template.ts'
import type { FolderRow } from '#core/api/sync/rows.ts'

import type { Design } from './design.ts'
import { designOf } from './design.ts'
import type { DesignEdit } from './designEdit.ts'
import { applyEdit } from './edit.ts'
import { freeCode } from './fields.ts'

/**
 * Puts a template into a design: a page at the end of a visit, a visit after the others. Codes that are in use are
 * changed, and the template's rules are updated.
 *
 * @param folderId the visit that a page goes into; ignored for a visit
 * @param newId makes the ids of new things
 */
export function insertTemplate(
  design: Design,
  folderId: string,
  { kind, folder }: Pick<TemplateDetail, 'kind' | 'folder'>,
  newId: () => string,
): readonly DesignEdit[] {
  const row: FolderRow = {
    id: newId(),
    folderName: folder.folderName,
    ...(folder.folderNameEn === undefined ? {} : { folderNameEn: folder.folderNameEn }),
    folderCode: folder.folderCode,
    sort: 1,
    pages: folder.pages.map((page, at) => ({ ...page, id: newId(), sort: at + 1 })),
    // A plan that counts from another visit refers to a visit of the study from which the template was taken.
    ...(folder.schedule === undefined || (folder.schedule.kind === 'planned' && folder.schedule.anchor.of === 'visit')
      ? {}
      : { schedule: folder.schedule }),
  }
  const taken = new Set([...design.pages.values()].map(({ pageCode }) => pageCode))
  const named = row.pages.reduce(
    (now, page) => {
      const code = freeCode(page.pageCode, taken)
      taken.add(code)
      return applyEdit(now, { kind: 'page-code', pageId: page.id, code })
    },
    designOf([row]),
  )
  if (kind === 'folder') {
    const code = freeCode(row.folderCode, new Set(design.folders.map(({ folderCode }) => folderCode)))
    const { folders, pages } = applyEdit(named, { kind: 'folder-code', folderId: row.id, code })
    return folders.map((one): DesignEdit => ({
      kind: 'folder-add',
      folder: one,
      at: design.folders.length,
      pages: [...pages.values()],
    }))
  }
  const at = design.folders.find(({ id }) => id === folderId)?.pageIds.length ?? 0
  return [...named.pages.values()].map((page, index): DesignEdit => ({
    kind: 'page-add',
    page,
    folderId,
    at: at + index,
  }))
}
