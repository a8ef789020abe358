import type { DataSet } from '#core/api/calls/data/dataset.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { hasUndeidentifiable, lacksMapping, newDefinition } from '#core/dataset/definition.ts'
import { makeTabDrafts } from '#src/frame/tabDrafts.ts'

/**
 * Data sets that somebody is editing. They stay while this tab is open, also where the right to export ends.
 */

export interface Draft {
  readonly name: string
  readonly shared: boolean
  readonly definition: DataSetDefinition
}

/** Stands for the id of a data set that was never saved. */
export const NEW = 'new'

const drafts = makeTabDrafts<Draft>('a data set', 'export')

/** What a person edits of a data set; null while they changed nothing. */
export const { useDraft } = drafts

/** Keys of all drafts. */
export const { useEdited } = drafts

export function draftKey(userId: string, projectId: string, setId: string): string {
  return `${userId} ${projectId} ${setId}`
}

/** Of the drafts, the ids of the data sets of one person in one project. */
export function editedSets(keys: ReadonlySet<string>, userId: string, projectId: string): readonly string[] {
  const start = draftKey(userId, projectId, '')
  return [...keys].flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []))
}

/** Begins a data set with what another one, or a former run, has. */
export function beginDraft(key: string, draft: Draft): void {
  drafts.put(key, draft)
}

/** What stands in the form of a data set that nobody has edited. */
export function draftOf(set: DataSet | null, language: 'zh' | 'en'): Draft {
  if (set === null) return { name: '', shared: false, definition: newDefinition(language) }
  const { name, shared, definition } = set
  return { name, shared, definition }
}

/** Why a definition cannot be run yet. */
export function faultsOf({
  definition,
}: Pick<Draft, 'definition'>): readonly ('pages' | 'days' | 'formats' | 'casebooks' | 'sdtm' | 'centers')[] {
  const { pages, savedFrom, savedTo, formats, centers, versions } = definition
  const isEmpty = pages !== null && pages.every(({ fields }) => fields !== null && fields.length === 0)
  return [
    ...(isEmpty ? (['pages'] as const) : []),
    ...(savedFrom !== null && savedTo !== null && savedFrom > savedTo ? (['days'] as const) : []),
    ...(formats.length === 0 ? (['formats'] as const) : []),
    ...(hasUndeidentifiable(definition) ? (['casebooks'] as const) : []),
    ...(lacksMapping(definition) ? (['sdtm'] as const) : []),
    ...(centers?.length === 0 || versions?.length === 0 ? (['centers'] as const) : []),
  ]
}
