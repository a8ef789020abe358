import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { DefinedFolder, StudyDefinition } from '#core/exchange/definition.ts'

/** Code of the one folder that an import without visits goes into. */
const FOLDER_CODE = 'crf'

/**
 * A definition that was read from a file, as the server takes it: in the visits of the source; where it knows of none,
 * all pages in one folder, in the file's order.
 *
 * @param folderName what that one folder is called
 */
export function definitionInputOf({ pages, folders }: StudyDefinition, folderName: string): DefinitionInput {
  const byCode = new Map(pages.map((page) => [page.pageCode, page]))
  const inOne: readonly DefinedFolder[] = [
    { folderCode: FOLDER_CODE, folderName: folderName.trim(), pages: pages.map(({ pageCode }) => pageCode) },
  ]
  return {
    folders: (folders.length === 0 ? inOne : folders).map((folder) => ({
      ...folder,
      pages: folder.pages.map((code) => {
        const page = byCode.get(code)
        // What a file names and does not hold its reader reports; a definition has all that its visits name.
        if (page === undefined) throw new RangeError(`The definition has no page ${code}`)
        const { pageName, pageNameEn } = page
        return {
          pageName,
          ...(pageNameEn === undefined ? {} : { pageNameEn }),
          pageCode: page.pageCode,
          repeatable: page.repeatable ?? false,
          option: JSON.stringify(page.option),
        }
      }),
    })),
  }
}
