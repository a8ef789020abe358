import { useCallback } from 'react'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Casebook } from '#src/data/shapes/types.ts'

import { usePageQueries, useQueryPort } from './usePageQueries.ts'

/**
 * What is open beside the page: the history of a field, what was asked about a field or the whole page (null), or the
 * pictures of the page.
 */
export type BesideOf =
  | { readonly kind: 'trail'; readonly address: string }
  | { readonly kind: 'queries'; readonly address: string | null }
  | { readonly kind: 'source'; readonly address: string | null }

/** What is open beside a page, and what opens something else or closes it (null). */
export type BesideState = readonly [BesideOf | null, (next: BesideOf | null) => void]

/**
 * What can be opened beside a page, and what is.
 *
 * @param state held above the page: what is open stays when the page itself is opened anew under it
 */
export function useBeside(book: Casebook, target: EntryTarget, [open, setOpen]: BesideState) {
  const showHistory = useCallback((address: string) => setOpen({ kind: 'trail', address }), [setOpen])
  const showQueries = useCallback((address: string | null) => setOpen({ kind: 'queries', address }), [setOpen])
  const showSource = useCallback((address: string | null) => setOpen({ kind: 'source', address }), [setOpen])
  const queries = usePageQueries(book, target)
  return { open, setOpen, showHistory, showQueries, showSource, queries, port: useQueryPort(queries, showQueries) }
}
