import { fail } from '#core/api/errors.ts'
import type { TreeFolder } from '#core/api/calls/version.ts'
import { holdsData, parsePage } from '#core/form/definition/page.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'

/** The size of a definition, and its tree as the stock front end reads it. */

/**
 * Most fields of a version, over all its pages: many times more than a study needs. Everybody who works on a version
 * reads all of them.
 */
const MOST_FIELDS = 50_000

/**
 * Counts no further than needed, so that a huge definition costs no time.
 *
 * @param pages each once, even if it stands in several visits
 * @throws ApiFailure too_large for pages that have more fields together than any study
 */
export function refuseTooLarge(pages: readonly { readonly option: string }[]): void {
  let fields = 0
  for (const { option } of pages) {
    const parsed = parsePage(option)
    fields += parsed.ok ? parsed.page.fields.length : 0
    if (fields > MOST_FIELDS) throw fail('too_large')
  }
}

/** How many different pages a definition has, and how many fields. */
export function countDefinition(folders: readonly FolderRow[]): { pages: number; fields: number } {
  const pages = [...new Map(folders.flatMap((folder) => folder.pages).map((page) => [page.id, page])).values()]
  return {
    pages: pages.length,
    fields: pages.reduce((sum, page) => sum + (readableFields(page)?.fields.length ?? 0), 0),
  }
}

/** The tree of specification §3. It contains a page that cannot be read, without its fields. */
export function toTree(folders: readonly FolderRow[]): TreeFolder[] {
  return folders.map((folder) => ({
    id: folder.id,
    folderName: folder.folderName,
    folderCode: folder.folderCode,
    crfPageVOList: folder.pages.map((page) => ({
      id: page.id,
      pageName: page.pageName,
      pageCode: page.pageCode,
      crfPageId: page.id,
      refCrfFolderName: folder.folderName,
      extraFields: '{}',
      pageContentWithAvueForm: page.option,
      repeatable: page.repeatable,
      parentPageId: null,
      crfFieldVOList: (readableFields(page)?.fields ?? [])
        .filter(holdsData)
        .map(({ code, label }) => ({ id: `${page.id}.${code}`, label, code })),
    })),
  }))
}

function readableFields(page: PageRow): PageModel | null {
  const parsed = parsePage(page.option)
  return parsed.ok ? parsed.page : null
}
