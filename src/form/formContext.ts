import { createContext, useCallback, useContext, useLayoutEffect, useReducer, useSyncExternalStore } from 'react'
import type { LookUps } from '#core/form/definition/lookUps.ts'
import type { Cell, RowView } from '#core/form/engine/cell.ts'
import type { FormState } from '#core/form/engine/engine.ts'
import type { QueryState } from '#core/review/query.ts'
import type { Warning } from '#core/form/engine/warning.ts'

import type { FilePort } from './filePort.ts'
import type { ReviewPort } from './review/reviewMarks.ts'
import type { RowWords } from './rowWords.ts'
import type { FormWords, Language } from './words.ts'

/** How warnings are answered. */
export interface ConfirmPort {
  /** Whether an answer needs words. */
  readonly needsReason: boolean
  readonly give: (answer: { readonly cell: Cell; readonly warning: Warning; readonly reason: string }) => void
}

/** What was asked about the fields of a form. */
export interface QueryPort {
  /** By address, where something is asked or answered that is not settled: the state that matters most. */
  readonly marks: ReadonlyMap<string, QueryState>
  readonly mayAsk: boolean
  /** Shows what was asked about a field, by its address. */
  readonly open: (address: string) => void
}

/**
 * What every row needs. It changes only with the form, the language or the mode, so that typing does not render every
 * row.
 */
export interface FormEnvironment {
  readonly state: FormState
  readonly mode: 'input' | 'view'
  readonly language: Language
  readonly t: FormWords
  readonly words: RowWords
  /** The address where a conflict is decided; null for a form outside of its page. */
  readonly conflictPath: ((conflictId: string) => string) | null
  /** What upload fields need; null for a form outside of its page, which only names its files. */
  readonly files: FilePort | null
  /** The records of other pages for look-ups; null for a form without a patient. */
  readonly lookUps: LookUps | null
  /** Takes answers to warnings; null for a form outside of its page, or a read-only one. */
  readonly confirms: ConfirmPort | null
  /** Shows the history of a field, by its address; null where there is none to show. */
  readonly history: ((address: string) => void) | null
  /** What was asked about the fields; null where who looks has nothing to do with queries. */
  readonly queries: QueryPort | null
  /** What is checked of the fields; null where who looks does not check. */
  readonly review: ReviewPort | null
  /** Prefix of element ids, unique in the document. */
  readonly id: string
}

export const FormEnvironmentContext = createContext<FormEnvironment | null>(null)

export function useFormEnvironment(): FormEnvironment {
  const environment = useContext(FormEnvironmentContext)
  if (environment === null) throw new Error('a field is drawn outside of a FormView')
  return environment
}

/**
 * The cell at an address. Renders again only when that cell looks different. It is followed from the commit on, because
 * `useSyncExternalStore` begins after it, in two more walks through all rows of a page.
 */
export function useCell(state: FormState, address: string): Cell | undefined {
  const cell = state.getCell(address)
  const [, drawAgain] = useReducer(oneMore, 0)
  useLayoutEffect(() => {
    // It may have changed between drawing and commit.
    if (state.getCell(address) !== cell) drawAgain()
    return state.subscribe(address, drawAgain)
  }, [state, address, cell])
  return cell
}

function oneMore(count: number): number {
  return count + 1
}

/** Ids of the elements of one row. */
export type RowIds = ReturnType<typeof rowIds>

export function rowIds(formId: string, address: string) {
  const base = `${formId}-${address}`
  return {
    row: `${base}-row`,
    label: `${base}-label`,
    control: `${base}-control`,
    value: `${base}-value`,
    hint: `${base}-hint`,
    unit: `${base}-unit`,
    flag: `${base}-flag`,
    issues: `${base}-issues`,
  }
}

/** One row of a table. Renders again only when one of its cells looks different. */
export function useTableRow(state: FormState, table: string, rid: string): RowView | undefined {
  const subscribe = useCallback((listener: () => void) => state.subscribeRow(table, rid, listener), [state, table, rid])
  return useSyncExternalStore(subscribe, () => state.getRow(table, rid))
}
