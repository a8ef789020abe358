import type { DefinitionInput } from '#core/api/calls/design.ts'
import { fail } from '#core/api/errors.ts'
import type { FieldError } from '#core/api/errors.ts'
import { parsePage } from '#core/form/definition/page.ts'
import { newId } from '#core/ids.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'

/** An imported definition as rows of a version. */

type PageInput = DefinitionInput['folders'][number]['pages'][number]

/** The ids of visits and pages by their known codes. */
export interface KnownIds {
  readonly folders: ReadonlyMap<string, string>
  readonly pages: ReadonlyMap<string, string>
}

/**
 * Gives folders and pages their ids: the ids that the project's versions have for their codes, so that entries survive
 * an amendment; otherwise new ones. A page in several visits has one id.
 *
 * @throws ApiFailure `invalid` for a definition without a page, an unreadable page, and a code that stands for two
 *   different things
 */
export function toFolderRows(definition: DefinitionInput, known: KnownIds): readonly FolderRow[] {
  const wrong = problemsOf(definition)
  if (wrong.length > 0) throw fail('invalid', { fields: wrong.slice(0, MOST_TOLD) })
  const ids = { folders: idsOf(known.folders), pages: idsOf(known.pages) }
  const pages = new Map<string, string>()
  return definition.folders.map((folder, folderIndex) => {
    const rows = folder.pages.map((input, pageIndex): PageRow => {
      const { pageName, pageNameEn, pageCode, repeatable, option } = input
      const id = pages.get(pageCode) ?? ids.pages(pageCode)
      pages.set(pageCode, id)
      return {
        id,
        pageName,
        ...(pageNameEn === undefined ? {} : { pageNameEn }),
        pageCode,
        repeatable,
        option,
        sort: pageIndex + 1,
      }
    })
    const { folderName, folderNameEn, folderCode, schedule } = folder
    return {
      id: ids.folders(folderCode),
      folderName,
      ...(folderNameEn === undefined ? {} : { folderNameEn }),
      folderCode,
      sort: folderIndex + 1,
      pages: rows,
      ...(schedule === undefined ? {} : { schedule }),
    }
  })
}

/** How many mistakes are reported at once. */
const MOST_TOLD = 100

function problemsOf({ folders }: DefinitionInput): readonly FieldError[] {
  if (folders.every(({ pages }) => pages.length === 0)) return [{ path: 'body.definition.folders', code: 'empty' }]
  const errors: FieldError[] = []
  const pages = new Map<string, PageInput>()
  const folderCodes = new Set<string>()
  folders.forEach((folder, folderIndex) => {
    if (folderCodes.has(folder.folderCode))
      errors.push({ path: `folders.${folderIndex}.folderCode`, code: 'duplicate' })
    folderCodes.add(folder.folderCode)
    const inFolder = new Set<string>()
    folder.pages.forEach((input, pageIndex) => {
      const place = `folders.${folderIndex}.pages.${pageIndex}`
      const before = pages.get(input.pageCode)
      if (inFolder.has(input.pageCode) || (before !== undefined && !samePage(before, input)))
        errors.push({ path: `${place}.pageCode`, code: 'duplicate' })
      else if (before === undefined && !parsePage(input.option).ok)
        errors.push({ path: `${place}.option`, code: 'unreadable' })
      inFolder.add(input.pageCode)
      pages.set(input.pageCode, input)
    })
  })
  return errors
}

/** The id known for a code, given only once: a code that returned after another thing had taken it gets a new id. */
function idsOf(known: ReadonlyMap<string, string>): (code: string) => string {
  const taken = new Set<string>()
  return (code) => {
    const before = known.get(code)
    const id = before === undefined || taken.has(before) ? newId() : before
    taken.add(id)
    return id
  }
}

function samePage(a: PageInput, b: PageInput): boolean {
  return (
    a.option === b.option && a.pageName === b.pageName && a.pageNameEn === b.pageNameEn && a.repeatable === b.repeatable
  )
}
