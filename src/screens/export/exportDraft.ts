import { useCallback, useSyncExternalStore } from 'react'
import type { DataSet } from '#core/api/calls/data/dataset.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { hasUndeidentifiable, lacksMapping, newDefinition } from '#core/dataset/definition.ts'
import { keepOpen } from '#src/frame/layouts/keptOpen.ts'
import { onBeforeReload } from '#src/session/beforeReload.ts'

/**
 * Data sets that somebody is editing. They stay while this tab is open, whatever screen is shown meanwhile, and also
 * where the right to export ends; closing or reloading the tab asks first.
 */

export interface Draft {
  readonly name: string
  readonly shared: boolean
  readonly definition: DataSetDefinition
}

/** Stands for the id of a data set that was never saved. */
export const NEW = 'new'

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()
let edited: ReadonlySet<string> = new Set()
let release: (() => void) | null = null

function put(key: string, draft: Draft | null): void {
  if (draft === null) drafts.delete(key)
  else drafts.set(key, draft)
  edited = new Set(drafts.keys())
  guard()
  for (const listener of listeners) listener()
}

/** Keeps tab and screen from going away unasked while there is a draft. */
function guard(): void {
  if (drafts.size > 0 && release === null) {
    window.addEventListener('beforeunload', ask)
    const forgetReload = onBeforeReload(() => Promise.reject(new Error('a data set is being edited')))
    const letGo = keepOpen('export')
    release = () => {
      window.removeEventListener('beforeunload', ask)
      forgetReload()
      letGo()
    }
  } else if (drafts.size === 0 && release !== null) {
    release()
    release = null
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** What a person edits of a data set; null while they changed nothing. */
export function useDraft(key: string): readonly [draft: Draft | null, put: (draft: Draft | null) => void] {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(key) ?? null)
  return [draft, useCallback((next: Draft | null) => put(key, next), [key])]
}

/** Keys of all drafts. */
export function useEdited(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => edited)
}

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
  put(key, draft)
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
