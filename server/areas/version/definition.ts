import { fail } from '#core/api/errors.ts'
import type { DefinitionInput, TreeFolder } from '#core/api/calls.version.ts'
import { holdsData, parsePage } from '#core/form/page.ts'
import type { PageModel } from '#core/form/page.ts'
import { newId } from '#core/ids.ts'
import type { FolderRow, PageRow } from '#core/sync/rows.ts'

/** From a definition as it is sent to rows, and from rows to the tree that the stock front end reads. */

type PageInput = DefinitionInput['folders'][number]['pages'][number]

/**
 * Gives folders and pages their ids: those that the project's versions know their codes by, so that entries survive an
 * amendment; new ones otherwise. A page that stands in several visits has one id.
 *
 * @throws ApiFailure `invalid` when a code stands for two different things
 */
export function toFolderRows(
  definition: DefinitionInput,
  known: { readonly folders: ReadonlyMap<string, string>; readonly pages: ReadonlyMap<string, string> },
): readonly FolderRow[] {
  const pages = new Map<string, { readonly id: string; readonly input: PageInput }>()
  const folderCodes = new Set<string>()
  return definition.folders.map((folder, folderIndex) => {
    if (folderCodes.has(folder.folderCode)) throw twice(`folders.${folderIndex}.folderCode`)
    folderCodes.add(folder.folderCode)
    const inFolder = new Set<string>()
    const rows = folder.pages.map((input, pageIndex): PageRow => {
      const path = `folders.${folderIndex}.pages.${pageIndex}.pageCode`
      if (inFolder.has(input.pageCode)) throw twice(path)
      inFolder.add(input.pageCode)
      const page = pages.get(input.pageCode) ?? { id: known.pages.get(input.pageCode) ?? newId(), input }
      pages.set(input.pageCode, page)
      if (!samePage(page.input, input)) throw twice(path)
      const { pageName, pageCode, repeatable, option } = input
      return { id: page.id, pageName, pageCode, repeatable, option, sort: pageIndex + 1 }
    })
    const id = known.folders.get(folder.folderCode) ?? newId()
    const { folderName, folderCode, schedule } = folder
    return { id, folderName, folderCode, sort: folderIndex + 1, pages: rows, ...(schedule === undefined ? {} : { schedule }) }
  })
}

/** Most fields of a version, over all its pages: many times what a study asks. Whoever works on a version reads all of them. */
const MOST_FIELDS = 50_000

/**
 * Looks no further than it has to: what is beyond all bounds costs nobody the time to count it.
 *
 * @param pages each once, in however many visits it stands
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
  return { pages: pages.length, fields: pages.reduce((sum, page) => sum + (readableFields(page)?.fields.length ?? 0), 0) }
}

/** The tree of SPEC §3. A page that cannot be read is in it, without fields. */
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
      crfFieldVOList: (readableFields(page)?.fields ?? []).filter(holdsData).map(({ prop, label }) => ({ id: `${page.id}.${prop}`, label, code: prop })),
    })),
  }))
}

function readableFields(page: PageRow): PageModel | null {
  const parsed = parsePage(page.option)
  return parsed.ok ? parsed.page : null
}

function samePage(a: PageInput, b: PageInput): boolean {
  return a.option === b.option && a.pageName === b.pageName && a.repeatable === b.repeatable
}

function twice(path: string): Error {
  return fail('invalid', { fields: [{ path, code: 'duplicate' }] })
}
