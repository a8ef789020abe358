import type { DefinitionInput } from '#core/api/calls/design.ts'
import type { DefinedFolder, StudyDefinition } from '#core/exchange/definition.ts'

/** Code of the one folder for an import without visits. */
const FOLDER_CODE = 'crf'

/**
 * A definition from a file, in the form that the server takes: in the visits of the source, or, where it has none, with
 * all pages in one folder, in the order of the file.
 *
 * @param folderName the name of that one folder
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
        // Readers report what a file names but does not contain, so a definition always has the pages of its visits.
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
