import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

import type { Cell } from '#core/form/cell.ts'
import type { FormState } from '#core/form/engine.ts'

import type { RowWords } from './rowWords.ts'
import type { FormWords, Language } from './words.ts'

/** What every row needs. It changes only with the form, the language or the mode, so that typing re-renders no consumer. */
export interface FormEnvironment {
  readonly state: FormState
  readonly mode: 'input' | 'view'
  readonly language: Language
  readonly t: FormWords
  readonly words: RowWords
  /** Where a conflict is decided; null where the form is drawn away from its page. */
  readonly conflictAddress: ((conflictId: string) => string) | null
  /** Prefix of element ids, unique on the document. */
  readonly id: string
}

export const FormEnvironmentContext = createContext<FormEnvironment | null>(null)

export function useFormEnvironment(): FormEnvironment {
  const environment = useContext(FormEnvironmentContext)
  if (environment === null) throw new Error('a field is drawn outside of a FormView')
  return environment
}

/** The cell of one field. Renders again only when that cell looks different. */
export function useCell(state: FormState, prop: string): Cell | undefined {
  const subscribe = useCallback((listener: () => void) => state.subscribe(prop, listener), [state, prop])
  return useSyncExternalStore(subscribe, () => state.getCell(prop))
}

/** Ids of the elements of one row. */
export type RowIds = ReturnType<typeof rowIds>

export function rowIds(formId: string, prop: string) {
  const base = `${formId}-${prop}`
  return {
    row: `${base}-row`,
    label: `${base}-label`,
    control: `${base}-control`,
    value: `${base}-value`,
    hint: `${base}-hint`,
    unit: `${base}-unit`,
    issues: `${base}-issues`,
  }
}
