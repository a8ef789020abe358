import type { DefinitionInput, DesignState } from '#core/api/calls/design.ts'
import type { Language } from '#core/language.ts'
import { ApiFailure } from '#core/api/errors.ts'
import type { Consequences } from '#core/design/consequences.ts'
import { consequencesOf } from '#core/design/consequences.ts'
import type { Design } from '#core/design/design.ts'
import { designOf } from '#core/design/design.ts'
import { designWithImport } from '#core/design/importInto.ts'
import type { ImportMode } from '#core/wire/importModes.ts'
import { toFolderRows } from '#core/design/importRows.ts'
import type { VersionRow } from '#core/api/sync/rows.ts'

/** The state of a draft for which the consequences of an import were worked out. */
export interface LookedAt {
  readonly state: DesignState
  readonly version: VersionRow
}

/** What a draft loses or changes when a definition is put into it; null where it contains nothing to lose or change. */
export function importConsequences(
  { version }: LookedAt,
  definition: DefinitionInput,
  mode: ImportMode,
  language: Language,
): Consequences | null {
  const draft = designOf(version.folders)
  if (draft.folders.length === 0) return null
  const incoming = incomingDesign(draft, definition)
  return incoming === null ? null : consequencesOf(draft, designWithImport(draft, incoming, mode), language)
}

/**
 * The definition as a design whose visits and pages get the ids of the draft's, matched by code; null where it is
 * invalid, which the server will report.
 */
function incomingDesign(draft: Design, definition: DefinitionInput): Design | null {
  const known = {
    folders: new Map(draft.folders.map(({ folderCode, id }) => [folderCode, id])),
    pages: new Map([...draft.pages.values()].map(({ pageCode, id }) => [pageCode, id])),
  }
  try {
    return designOf(toFolderRows(definition, known))
  } catch (error) {
    if (error instanceof ApiFailure) return null
    throw error
  }
}
