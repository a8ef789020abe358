import type { DefinitionInput } from '#core/api/calls.version.ts'
import type { StudyDefinition } from '#core/exchange/definition.ts'

/** Code of the one folder that an import without a visit schedule goes into. */
const FOLDER_CODE = 'crf'

/** A definition that was read from a file, as the server takes it: all pages in one folder, in the file's order. */
export function definitionInputOf(definition: StudyDefinition, folderName: string): DefinitionInput {
  return {
    folders: [
      {
        folderName: folderName.trim(),
        folderCode: FOLDER_CODE,
        pages: definition.pages.map(({ pageName, pageCode, option }) => ({
          pageName,
          pageCode,
          repeatable: false,
          option: JSON.stringify(option),
        })),
      },
    ],
  }
}
